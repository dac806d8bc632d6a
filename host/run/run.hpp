#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "keep/run_folder.hpp"
#include "run/crew.hpp"
#include "run/kept_columns.hpp"
#include "run/kept_digest.hpp"
#include "run/listener.hpp"
#include "run/plan.hpp"
#include "run/request.hpp"
#include "run/running_mean.hpp"
#include "run/workplace.hpp"
#include "sampling/sampler.hpp"
#include "tell/summary.hpp"

namespace conesweep::runs {

/// A run under way: members on their way into a folder, where what is finished is on disk at once and what another run
/// left is gone on with, or into memory. A crew steps them, and what is kept of them decides what is missing.
class Run {
 public:
  /// Makes the model, and opens the folder: nothing of `scenario` is needed afterwards.
  Run(const scenario::Scenario& scenario, const Request& request, Listener& listener, tell::Design design = {});

  /// The mean that the request wants to be watched is one over these draws. Before the first member.
  void follow(const tell::Draws& draws);

  /// Steps members 0 … members - 1, as far as they are not there yet.
  void produce(const sampling::UnitPoints& points, std::int64_t members);

  /// An ensemble that grew to so many members before it was interrupted, and whose members are not kept; 0: none did.
  std::int64_t begun_members() const { return digest_ == nullptr ? 0 : digest_->begun_members(); }

  /// Makes the run whole: writes results.h5, scenario.toml and summary.json, and the chunks go; in memory nothing is
  /// written. Timing and identity join the summary. Returns where summary.json lies; empty: nowhere.
  std::filesystem::path finish(tell::Summary& summary);

  const Request& request() const { return request_; }
  const tell::Design& design() const { return design_; }
  const Kept& kept() const { return *kept_; }
  const keep::StoredRun& data() const { return kept_->data(); }  // the members produced
  Listener& listener() const { return listener_; }
  const executor::Model& model() const { return *place_.model; }
  const std::string& reason() const { return place_.reason; }    // why this executor
  statistics::Engine& engine() const { return *place_.engine; }  // who sums and sorts: where the executor is
  std::int64_t chunk() const { return chunk_; }                  // members
  std::int64_t kept_members() const {
    return columns_->chunks().kept_members() + (digest_ == nullptr ? 0 : digest_->members());
  }
  // chunks that were not as written, and are done again
  std::int64_t damaged() const { return columns_->chunks().damaged() + (digest_ == nullptr ? 0 : digest_->damaged()); }
  Plan plan() const { return make_plan(facts().scenario, model(), chunk_, history_); }
  executor::Watch watch() const;  // only hears that it should stop

  /// Seconds that all members will take, from a trial of a fraction of a second; nothing for a run that is over at
  /// once.
  std::optional<double> estimate() const;

  /// Says what is kept.
  [[noreturn]] void rethrow_interrupted() const;
  [[noreturn]] void rethrow_without_memory() const;

 private:
  std::unique_ptr<keep::ChunkSet> open_chunks(const scenario::Scenario& scenario);
  const io::RunData& facts() const { return columns_->data(); }
  std::vector<Gap> fit(std::int64_t members);
  void demand_resources(const std::vector<Gap>& missing) const;
  void step(const sampling::UnitPoints& points, std::vector<Gap> missing);
  Sentence say_kept(bool of_all) const;
  std::string describe(const scenario::Scenario& scenario) const;
  // statistics of trajectories: of an ensemble, not of a design
  bool is_tracked() const { return design_.method.empty(); }
  bool has_tracks(const scenario::Scenario& scenario) const { return is_tracked() && scenario.record.members > 0; }

  Request request_;
  Listener& listener_;
  tell::Design design_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  Workplace place_;
  std::unique_ptr<Crew> crew_;
  std::uint64_t description_ = 0;  // hash of what must be the same on all ranks
  std::int64_t chunk_ = 0;
  std::int64_t history_ = 0;                 // nodes of the longest one
  std::unique_ptr<keep::RunFolder> folder_;  // none: in memory
  std::unique_ptr<KeptColumns> columns_;     // from the begin
  std::unique_ptr<KeptDigest> digest_;       // none: members are kept
  Kept* kept_ = nullptr;                     // one of these
  std::mutex keeping_;                       // while several ranks bring members
  std::optional<RunningMean> running_;
};

}  // namespace conesweep::runs
