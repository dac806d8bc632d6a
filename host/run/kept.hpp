#pragma once

#include <cstdint>
#include <vector>

#include "keep/stored_run.hpp"
#include "run/growth.hpp"
#include "run/plan.hpp"
#include "run/running_mean.hpp"
#include "run/shared_round.hpp"
#include "tell/summary.hpp"

namespace conesweep::runs {

/// What is kept of the members of a run: their columns, or a digest of them.
class Kept {
 public:
  Kept() = default;
  virtual ~Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  // ---- members on their way
  // ------------------------------------------------------------------------------------------

  /// The ensemble has as many members as its scenario says now: what is missing of it.
  virtual std::vector<Gap> fit() = 0;

  /// Members come in whole blocks, but for the last ones.
  virtual bool takes_blocks() const = 0;

  /// Members that were stepped: here, or by another rank, which sent so many.
  virtual void add(io::ChunkResults part, double seconds) = 0;
  virtual std::int64_t take(ChunkReport report, RunningMean* watched) = 0;

  /// All that are there, to who watches.
  virtual void show(RunningMean& watched) const = 0;

  /// Makes safe what can be; so many members are.
  virtual std::int64_t save() = 0;

  /// On disk, for the members that are missing and for the results.
  virtual std::int64_t bytes_to_come(const Plan& plan, const std::vector<Gap>& missing) const = 0;

  virtual double seconds() const = 0;  // members were being stepped

  // ---- members that are there
  // ----------------------------------------------------------------------------------------

  /// The ensemble as it is now is there: `data` has its classes, or its digest.
  virtual void settle() = 0;
  virtual const keep::StoredRun& data() const = 0;

  /// The errors that goals are about.
  virtual std::vector<double> errors(const std::vector<Goal>& goals, const tell::Draws& draws,
                                     statistics::Engine& engine) const = 0;

  /// Statistics with classes and sweep, without those of tracks and steps.
  virtual tell::Summary sum_up(const tell::Draws& draws, statistics::Engine& engine) const = 0;

  /// Those that the step check takes (tell::spread_members).
  virtual keep::SomeMembers spread(const executor::Model& model, const executor::Watch& watch) const = 0;
};

}  // namespace conesweep::runs
