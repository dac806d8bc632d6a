#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/options.hpp"
#include "ensemble/until.hpp"
#include "io/chunk_store.hpp"
#include "io/run_folder.hpp"
#include "sampling/sampler.hpp"

namespace conesweep::app {

/// Members on their way into a run folder: finished chunks are on disk at once, and what another run left there is gone on with where --resume says so.
class FolderRun {
 public:
  /// `design` names whose points the members stand at, where it is not the scenario's sampler: chunks of two designs do not fit together.
  FolderRun(const Options& options, const scenario::Scenario& scenario, const std::string& design = "ensemble");

  /// The first lines: title, members, executor.
  void introduce(const std::string& members) const;

  /// Steps members 0 … members - 1, as far as they are not there yet.
  void produce(const sampling::UnitPoints& points, std::int64_t members);

  /// The columns of the members produced.
  const io::RunData& data() const { return *run_; }

  /// Writes results.h5, scenario.toml and summary.json, which `summary` makes of the timing. The chunks go.
  std::string finish(const std::function<std::string(const io::Timing&)>& summary);

  /// Who sums and sorts: where the executor is.
  statistics::Engine& engine() const { return *engine_; }

  /// Says what is kept.
  [[noreturn]] void rethrow_interrupted() const;

  executor::Executor& executor() const { return *executor_; }
  const io::Timing& timing() const { return timing_; }
  const std::filesystem::path& path() const { return folder_->path(); }

 private:
  std::string estimate() const;
  bool talks() const { return !options_.quiet && !options_.json; }

  Options options_;
  std::string design_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  bool tracked_ = true;  // statistics of trajectories: of an ensemble, not of a design
  std::int64_t chunk_ = 0;
  std::string reason_;
  std::unique_ptr<executor::Executor> executor_;
  std::unique_ptr<statistics::Engine> engine_;
  std::unique_ptr<io::RunFolder> folder_;
  std::unique_ptr<io::ChunkStore> store_;
  std::unique_ptr<io::StoredRun> run_;
  io::Timing timing_;
};

/// What --until and --most ask for: no goals without --until.
struct Until {
  std::vector<ensemble::Goal> goals;
  std::int64_t most = 0;  // members
};
Until read_until(const Options& options, const scenario::Scenario& scenario);

/// With --resume: the exit code of a run that is there already and is the one asked for; one that grew for --until counts if it is large enough
/// for these goals. InputError if a finished one is another.
std::optional<int> find_finished(const Options& options, const scenario::Scenario& scenario, const std::string& design = "ensemble", const Until& until = {});

/// Where --out is, or its default.
std::filesystem::path out_folder(const Options& options);

/// How many members ended how, with the first of those that stopped.
void print_status(const scenario::Scenario& scenario, const io::RunSummary& summary);

}  // namespace conesweep::app
