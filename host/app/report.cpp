#include "app/report.hpp"

#include <iostream>

#include "app/command.hpp"
#include "app/failure.hpp"
#include "app/flag_groups.hpp"
#include "app/spelling.hpp"
#include "keep/run_folder.hpp"
#include "report/page.hpp"

namespace conesweep::app {

namespace fs = std::filesystem;

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
  tell_report(file, report::report_runs(folders, file, options.target.force, spell_as_flag), options.talk.quiet);
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
