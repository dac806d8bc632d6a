#include "app/report.hpp"

#include <iostream>

#include "app/command.hpp"
#include "app/failure.hpp"
#include "app/flag_groups.hpp"
#include "app/spelling.hpp"
#include "keep/run_folder.hpp"
#include "report/page.hpp"
#include "report/warnings.hpp"

namespace conesweep::app {

namespace fs = std::filesystem;

std::vector<std::string> make_report(const std::vector<fs::path>& folders, const fs::path& file, bool force) {
  const report::Runs runs = report::read_runs(folders);
  report::write_page(file, report::make_page(runs, spell_as_flag), force);
  std::vector<std::string> not_drawn;
  for (const report::RunView& run : runs)
    if (const std::string why = report::warn_of_studies(run); !why.empty())
      not_drawn.push_back(run.folder.string() + ": " + why);
  return not_drawn;
}

void tell_report(const fs::path& file, const std::vector<std::string>& not_drawn, bool quiet) {
  if (quiet) return;
  std::cout << "report in " << file.string() << "\n" << std::flush;
  for (const std::string& why : not_drawn) say("warning: " + why);
}

namespace {

struct ReportOptions {
  std::vector<std::string> folders;  // of finished runs
  TargetFlags target;
  TalkFlags talk;
};

int report(const ReportOptions& options) {
  const std::vector<fs::path> folders(options.folders.begin(), options.folders.end());
  const fs::path by_default = folders.size() == 1 ? folders[0] / keep::report_name : fs::path(keep::report_name);
  const fs::path file = options.target.out.empty() ? by_default : fs::path(options.target.out);
  tell_report(file, make_report(folders, file, options.target.force), options.talk.quiet);
  return fine;
}

void declare(Flags& flags, ReportOptions& options) {
  flags.arguments("folders", options.folders, "folders of finished runs", "RUN_DIR");
  add_target(flags, options.target,
             "file to write (default: report.html in the folder; of several runs: report.html here)",
             "replace that file, whoever made it");
  add_quiet(flags, options.talk);
}

}  // namespace

Command report_command() {
  return make_command<ReportOptions>(
      {"report", "one page with equations, statistics and figures of a finished run, or of several side by side",
       "  conesweep report runs/slider\n  conesweep report runs/rough runs/smooth --out compared.html\n"
       "The page needs no network and no other file, and is at most 1 MB. What converge --out and mlmc --out left in "
       "the folder is drawn, too."},
      declare, report);
}

}  // namespace conesweep::app
