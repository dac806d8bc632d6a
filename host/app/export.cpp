#include "tell/export.hpp"

#include <filesystem>
#include <iostream>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/safe_output.hpp"
#include "app/terminal.hpp"
#include "io/new_file.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string folder;
  bool csv = false;           // the format
  bool trajectories = false;  // not the members, but the motions of those that were recorded
  TargetFlags target;
  TalkFlags talk;
};

bool is_standard_output(const std::string& out) { return out.empty() || out == "-"; }

void write_to_standard_output(const std::function<void(const Sink&)>& write) {
  write([&stop = watch_interrupts()](std::string_view text) {
    if (stop) throw Interrupted("interrupted; the table is not whole");
    if (!plain_output().write(text.data(), static_cast<std::streamsize>(text.size())))
      throw SystemError("cannot write to standard output");
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

int export_run(const ExportOptions& options) {
  if (!options.csv) throw InputError("export needs a format: --csv");
  const tell::Export run(options.folder);
  std::string told;
  const auto write = [&](const Sink& sink) {
    if (options.trajectories)
      told = "trajectories of " + counted(static_cast<std::int64_t>(run.write_trajectories(sink)), "member");
    else
      told = counted(run.members(), "member") + ", " +
             counted(static_cast<std::int64_t>(run.write_members(sink)), "column");
  };
  if (is_standard_output(options.target.out)) {
    write_to_standard_output(write);
    return fine;
  }
  write_to_file(options.target.out, io::replace_if(options.target.force), write);
  if (!options.talk.quiet) std::cout << told << " in " << options.target.out << "\n";
  return fine;
}

void declare(Flags& flags, ExportOptions& options) {
  flags.argument("folder", options.folder, "folder of a finished run", "RUN_DIR");
  flags.add("--csv", options.csv, "as comma-separated values, with a line of names");
  flags.add("--trajectories", options.trajectories, "the motions of the recorded members: one row a member and time");
  add_target(flags, options.target, "file to write, or - (default: standard output)", "replace that file");
  add_quiet(flags, options.talk);
}

}  // namespace

Command export_command() {
  return make_command<ExportOptions>(
      {"export", "the members of a finished run as a table: one row each, all digits",
       "  conesweep export runs/slider --csv --out slider.csv\n  conesweep export runs/slider --csv | head\n"
       "  conesweep export runs/slider --csv --trajectories --out motions.csv\n"
       "An empty cell is a value that is not there (NaN in results.h5): an event that never came, a member that "
       "stopped."},
      declare, export_run);
}

}  // namespace conesweep::app
