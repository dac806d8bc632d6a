#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "scenario/scenario.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::io {

/// Everything a finished run knows, member by member.
struct Results {
  scenario::Scenario scenario;                           // resolved
  std::string scenario_text;                             // the same as TOML
  std::vector<std::vector<double>> parameters;           // [variation][member]
  executor::Outcome outcome;                             // of all members
  std::string backend;
  std::string device;
  std::string precision = "double";
};

struct Timing {
  double wall_seconds = 0;
  double compile_seconds = 0;
  double solve_seconds = 0;   // members being stepped, without compiling and writing
};

/// A folder that shows a run only when it is whole: files are written under temporary names, renamed when complete, and
/// summary.json is the last. Where it stands, the run is finished.
class RunFolder {
 public:
  /// Makes the folder. Throws InputError if it holds a finished run and `force` is not set, SystemError if it cannot be made.
  RunFolder(std::filesystem::path path, bool force);

  /// Leaves nothing half-written behind: temporary files go, and the folder too if it was new and is empty.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// results.h5, scenario.toml (and the tables it reads), summary.json, in this order.
  void finish(const Results& results, const std::string& summary_json);

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

/// summary.json: everything outside `run` and `timing` is a function of (scenario, seed, precision).
std::string summary_json(const Results& results, const Timing& timing);

/// Writes HDF5 without object times, so that equal results are equal files.
void write_results(const std::filesystem::path& file, const Results& results);

std::string version();

}  // namespace conesweep::io
