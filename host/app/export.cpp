#include "run/export.hpp"

#include <filesystem>
#include <iostream>

#include "app/options.hpp"
#include "app/safe_output.hpp"
#include "app/terminal.hpp"
#include "io/new_file.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

namespace fs = std::filesystem;

bool is_standard_output(const std::string& out) { return out.empty() || out == "-"; }

void write_to_standard_output(const std::function<void(const Sink&)>& write) {
  write([&stop = watch_interrupts()](std::string_view text) {
    if (stop) throw Interrupted("interrupted; the table is not whole");
    if (!plain_output().write(text.data(), static_cast<std::streamsize>(text.size()))) throw SystemError("cannot write to standard output");
  });
}

void write_to_file(const fs::path& path, io::Replace replace, const std::function<void(const Sink&)>& write) {
  io::NewFile file(path, replace);
  write([&file, &stop = watch_interrupts()](std::string_view text) {
    if (stop) throw Interrupted();
    file.write(text);
  });
  file.finish();
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
  write_to_file(options.out, io::replace_if(options.force), write);
  if (!options.quiet) std::cout << told << " in " << options.out << "\n";
  return fine;
}

}  // namespace conesweep::app
