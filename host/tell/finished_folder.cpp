#include "tell/finished_folder.hpp"

#include "io/files.hpp"
#include "keep/chunk_store.hpp"
#include "keep/ownership.hpp"
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

}  // namespace conesweep::tell
