#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/ownership.hpp"
#include "io/run_data.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::io {

struct Timing {
  double wall_seconds = 0;
  double compile_seconds = 0;
  double solve_seconds = 0;  // members being stepped, without compiling and writing
};

/// How many members ended in a status, and the first of them.
struct StatusCount {
  executor::Status status = executor::Status::ok;
  std::int64_t members = 0;
  std::int64_t first = -1;     // -1: none
  double stop_time = 0;        // of the first, if it stopped
  std::vector<double> varied;  // its parameters
};

/// One coordinate over the recorded times: over all members that are ok, and bands of quantiles over the first block.
struct TrackSummary {
  std::string name;
  std::int64_t count = 0;
  std::vector<double> mean, standard_deviation;  // [time]
  std::vector<double> quantiles;                 // [level * times + time]
};

/// The statistics of a run, computed once for summary.json and for what is printed.
struct RunSummary {
  std::int64_t members = 0;
  std::int64_t stopped() const { return members - status.front().members; }
  std::vector<StatusCount> status;                                       // ok, then the others that occur, by their number
  std::vector<std::pair<std::string, statistics::Summary>> observables;  // in the order of observable_names
  std::vector<double> times;                                             // at which trajectories are recorded
  std::vector<TrackSummary> tracks;                                      // of each coordinate; empty: nobody asked
};
/// `counts` says of a member whether it is an independent draw: the statistics of observables are made of those. Statuses are counted of all.
RunSummary summarise_run(const RunData& run, statistics::Engine& engine = statistics::cpu_engine(), const std::function<bool(std::int64_t)>& counts = {});

/// summary.json: everything outside `run` and `timing` is a function of (scenario, seed, precision).
/// `more` is an object whose entries join it.
std::string summary_json(const RunData& run, const RunSummary& summary, const Timing& timing, const nlohmann::ordered_json& more);
std::string summary_json(const RunData& run, const RunSummary& summary, const Timing& timing);

/// A summary.json as a run wrote it: its checksum fits. InputError for all others.
nlohmann::ordered_json read_summary(const std::filesystem::path& file);

/// JSON as summary.json has it: a list of numbers, or an object of numbers and words, on one line.
std::string format_json(const nlohmann::ordered_json& json);

/// Writes HDF5 without object times, so that equal results are equal files, and seals it (seal.hpp). Throws SystemError if the system refuses.
void write_results(const std::filesystem::path& file, const RunData& run);

/// About how large results.h5 becomes.
std::int64_t results_bytes(const scenario::Scenario& scenario);

/// A folder that shows a run only when it is whole: files are written under temporary names, renamed when complete, and
/// summary.json is the last. Where it stands, the run is finished.
class RunFolder {
 public:
  /// Makes the folder, and finds out what would stop the writing, before anything is computed.
  /// Throws InputError if the folder holds a finished run, or files of one that a run would overwrite, and `force` is not set, or if it holds files of those
  /// names that no run wrote (ownership.hpp);
  /// SystemError if the folder cannot be made or written, or if results.h5 will not fit.
  RunFolder(std::filesystem::path path, bool force, const scenario::Scenario& scenario);

  /// Leaves nothing half-written behind: temporary files go, and folders too that were new and are empty.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Temporary files that a killed program left go. Only for who knows that nobody else works here.
  void remove_leftovers();

  /// results.h5, scenario.toml (and the tables it reads), summary.json, in this order. A finished run that stood there
  /// stays until all files are complete on disk, then it stops looking finished before the first of them is replaced.
  void finish(const RunData& run, const std::string& summary_json);

  /// There is a report.html that is not ours: it stays, and may tell of another run.
  bool has_foreign_report() const;

 private:
  std::vector<std::string> list_foreign() const;
  std::string refuse_foreign(const std::vector<std::string>& foreign) const;
  void make_folders();
  void try_writing(std::int64_t bytes);
  std::filesystem::path temporary(const std::string& name);
  void clean_up() noexcept;

  std::filesystem::path path_;
  bool force_ = false;
  std::vector<std::filesystem::path> made_;       // folders that were not there, outermost first
  std::vector<std::filesystem::path> temporary_;  // files that have no final name yet
  std::vector<TableFile> tables_;                 // as they were when the run began
};

std::string version();

}  // namespace conesweep::io
