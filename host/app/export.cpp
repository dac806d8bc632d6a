#include "run/export.hpp"

#include <fcntl.h>

#include <filesystem>
#include <iostream>
#include <system_error>

#include "app/options.hpp"
#include "app/terminal.hpp"
#include "io/files.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

namespace fs = std::filesystem;

bool is_standard_output(const std::string& out) { return out.empty() || out == "-"; }

void write_to_standard_output(const std::function<void(const Sink&)>& write) {
  write([&stop = watch_interrupts()](std::string_view text) {
    if (stop) throw Interrupted("interrupted; the table is not whole");
    if (!std::cout.write(text.data(), static_cast<std::streamsize>(text.size()))) throw SystemError("cannot write to standard output");
  });
}

void write_into(const fs::path& path, const std::function<void(const Sink&)>& write) {
  io::Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  write([&file, &stop = watch_interrupts()](std::string_view text) {
    if (stop) throw Interrupted();
    file.write(text);
  });
  file.sync();
  file.close();
}

// A file gets its name when it is whole; a pipe or a device is written as it is.
void write_to_file(const fs::path& path, bool force, const std::function<void(const Sink&)>& write) {
  std::error_code error;
  const fs::file_status there = fs::status(path, error);
  if (fs::is_directory(there)) throw InputError("--out: " + path.string() + " is a folder; give the name of a file");
  if (fs::exists(there) && !fs::is_regular_file(there)) return write_into(path, write);
  if (fs::exists(there) && !force) throw InputError(path.string() + " exists; replace it with --force, or choose another file");
  const fs::path part = path.string() + ".part";
  try {
    write_into(part, write);
    io::rename_file(part, path);
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
}

}  // namespace

int export_run(const Options& options) {
  if (!options.csv) throw InputError("export needs a format: --csv");
  const runs::Export run(options.scenario);
  std::string told;
  const auto write = [&](const Sink& sink) {
    if (options.trajectories)
      told = "trajectories of " + counted(static_cast<std::int64_t>(run.write_trajectories(sink)), "member");
    else
      told = counted(run.members(), "member") + ", " + counted(static_cast<std::int64_t>(run.write_members(sink)), "column");
  };
  if (is_standard_output(options.out)) {
    write_to_standard_output(write);
    return fine;
  }
  write_to_file(options.out, options.force, write);
  if (!options.quiet) std::cout << told << " in " << options.out << "\n";
  return fine;
}

}  // namespace conesweep::app
