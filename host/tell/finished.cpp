#include "tell/finished.hpp"

#include "io/files.hpp"
#include "io/seal.hpp"
#include "io/version.hpp"
#include "keep/chunk_store.hpp"
#include "keep/identity.hpp"
#include "keep/run_folder.hpp"
#include "support/error.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::tell {

Summary read_finished(const std::filesystem::path& folder, Points points) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InputError(folder.string() + " is no folder; give the folder of a finished run");
  if (!io::is_there(folder / keep::summary_name))
    throw InputError(folder.string() + " holds no finished run: " + keep::summary_name + " is not there" +
                     (keep::ChunkStore::is_begun(folder) ? "; finish its run with " + setting::resume : ""));
  return read_summary(folder / keep::summary_name, points);
}

void demand_one_run(const std::filesystem::path& folder, const Summary& summary, const io::ResultsReader& results) {
  if (summary.run.identity != results.identity() || (results.has_members() && summary.members != results.members()))
    throw InputError(std::string(keep::results_name) + " in " + folder.string() + " is of another run than " +
                     keep::summary_name + "; run again with " + setting::force);
}

void demand_members(const std::filesystem::path& folder, const io::ResultsReader& results) {
  if (!results.has_members())
    throw InputError(folder.string() + " keeps statistics alone, and nothing of single members; run again with " +
                     setting::keep("members") + " for that");
}

void demand_same_run(const std::filesystem::path& folder, const Summary& finished, const scenario::Scenario& scenario,
                     const Making& asked) {
  const Sentence again = "; start over with " + setting::force + ", or choose another folder with " + setting::out;
  const auto refuse = [&](const std::string& why) {
    throw InputError(folder.string() + " holds a finished run " + why + again);
  };
  const RunFacts& run = finished.run;
  if (!io::is_there(folder / keep::scenario_name) ||
      io::read_bytes(folder / keep::scenario_name) != keep::resolved_text(scenario))
    refuse("of another scenario");
  if (finished.design.points != asked.points)
    refuse("of other points (" + finished.design.points + "), and this is " + asked.points);
  if (run.version != io::version()) refuse("with version " + run.version + ", and this is " + io::version());
  if (run.precision != asked.precision) refuse("with precision " + run.precision + ", and this is " + asked.precision);
  // tables and arithmetic have no other trace
  const std::string backend =
      asked.backend == "reference" || (asked.backend == "auto" && run.backend == "reference") ? "reference" : "cpu";
  if (run.identity != keep::identify_run(keep::describe_run(scenario, backend, asked.precision, asked.points)))
    refuse("of another executor, or of tables that have changed since");
  if (io::check_seal(folder / keep::results_name) != run.identity)
    throw InputError((folder / keep::results_name).string() + " is of another run than " + keep::summary_name + again);
}

}  // namespace conesweep::tell
