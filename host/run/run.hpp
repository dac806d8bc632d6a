#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "keep/chunk_store.hpp"
#include "keep/digests.hpp"
#include "keep/run_folder.hpp"
#include "keep/stored_run.hpp"
#include "run/listener.hpp"
#include "run/plan.hpp"
#include "run/request.hpp"
#include "run/running_mean.hpp"
#include "run/step_ranges.hpp"
#include "run/workplace.hpp"
#include "sampling/sampler.hpp"
#include "tell/summary.hpp"

namespace conesweep::runs {

/// A run under way: members on their way into a folder, where finished chunks are on disk at once and what another run
/// left is gone on with, or into memory.
class Run {
 public:
  /// Makes the model, and opens the folder: nothing of `scenario` is needed afterwards.
  Run(const scenario::Scenario& scenario, const Request& request, Listener& listener, tell::Design design = {});

  /// The mean that the request wants to be watched is one over these draws. Before the first member.
  void follow(const tell::Draws& draws);

  /// Steps members 0 … members - 1, as far as they are not there yet.
  void produce(const sampling::UnitPoints& points, std::int64_t members);

  /// No columns of members are there, and none will be: they are in a digest as they come.
  bool is_digesting() const { return digests_ != nullptr && keep::is_digested(run_->scenario); }

  /// The digest of all members produced so far; `settle` makes it what `data` has.
  keep::Digest digest() const { return digests_->digests().total(); }
  void settle() { run_->become(digest()); }

  /// An ensemble that grew to so many members before it was interrupted; 0: none did.
  std::int64_t begun_members() const { return digests_ == nullptr ? 0 : digests_->digests().begun_members(); }

  /// Which class each member produced so far is of, where the scenario has classes.
  void classify();

  /// Makes the run whole: writes results.h5, scenario.toml and summary.json, and the chunks go; in memory nothing is
  /// written. Timing and identity join the summary. Returns where summary.json lies; empty: nowhere.
  std::filesystem::path finish(tell::Summary& summary);

  const Request& request() const { return request_; }
  const tell::Design& design() const { return design_; }
  const keep::StoredRun& data() const { return *run_; }  // the members produced
  Listener& listener() const { return listener_; }
  const executor::Model& model() const { return *place_.model; }
  const std::string& reason() const { return place_.reason; }    // why this executor
  statistics::Engine& engine() const { return *place_.engine; }  // who sums and sorts: where the executor is
  std::int64_t chunk() const { return chunk_; }                  // members
  std::int64_t kept_members() const {
    return chunks_->kept_members() + (digests_ == nullptr ? 0 : digests_->digests().members());
  }
  std::int64_t damaged() const {
    return (store_ == nullptr ? 0 : store_->damaged()) + (digests_ != nullptr && digests_->damaged());
  }  // chunks that were not as written, and are done again
  Plan plan() const { return make_plan(run_->scenario, model(), chunk_); }
  executor::Watch watch() const;  // only hears that it should stop

  /// Seconds that all members will take, from a trial of a fraction of a second; nothing for a run that is over at
  /// once.
  std::optional<double> estimate() const;

  /// Says what is kept.
  [[noreturn]] void rethrow_interrupted() const;
  [[noreturn]] void rethrow_without_memory() const;

 private:
  void open_folder(const scenario::Scenario& scenario);
  void open_digests();
  void begin_digesting();
  std::int64_t count_kept() const;  // members that are safe now
  void demand_resources(const std::vector<io::Range>& missing) const;
  void look_at(const keep::ChunkSet::Chunk& chunk);
  void look_at_kept();
  void take_digest(const std::string& bytes, const executor::Watch& watch);
  void share(const sampling::UnitPoints& points, std::vector<Gap> gaps, const executor::Watch& watch);
  // statistics of trajectories: of an ensemble, not of a design
  bool is_tracked() const { return design_.method.empty(); }
  std::string describe(const scenario::Scenario& scenario) const;

  Request request_;
  Listener& listener_;
  tell::Design design_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  Workplace place_;
  std::uint64_t description_ = 0;  // hash of what must be the same on all ranks
  std::int64_t chunk_ = 0;
  std::unique_ptr<keep::RunFolder> folder_;  // none: in memory
  std::unique_ptr<keep::ChunkSet> chunks_;
  std::mutex keeping_;                 // of chunks, while several ranks make them
  keep::ChunkStore* store_ = nullptr;  // the same, where they lie on disk
  std::unique_ptr<keep::StoredRun> run_;
  std::unique_ptr<keep::DigestStore> digests_;  // none: members are kept
  std::optional<RunningMean> running_;
};

}  // namespace conesweep::runs
