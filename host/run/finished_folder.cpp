#include "run/finished_folder.hpp"

#include "io/files.hpp"
#include "run/chunk_store.hpp"
#include "run/ownership.hpp"
#include "run/summary_file.hpp"
#include "support/error.hpp"

namespace conesweep::runs {

Summary read_finished(const std::filesystem::path& folder, Points points) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InputError(folder.string() + " is no folder; give the folder of a finished run");
  if (!io::is_there(folder / summary_name))
    throw InputError(folder.string() + " holds no finished run: " + summary_name + " is not there" +
                     (ChunkStore::is_begun(folder) ? "; finish its run with " + setting::resume : ""));
  return read_summary(folder / summary_name, points);
}

void demand_one_run(const std::filesystem::path& folder, const Summary& summary, const io::ResultsReader& results) {
  if (summary.run.identity != results.identity() || (results.has_members() && summary.members != results.members()))
    throw InputError(std::string(results_name) + " in " + folder.string() + " is of another run than " + summary_name +
                     "; run again with " + setting::force);
}

void demand_members(const std::filesystem::path& folder, const io::ResultsReader& results) {
  if (!results.has_members())
    throw InputError(folder.string() + " keeps statistics alone, and nothing of single members; run again with " +
                     setting::keep("members") + " for that");
}

}  // namespace conesweep::runs
