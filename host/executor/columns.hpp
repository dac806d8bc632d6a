#pragma once

#include <conesweep/chunk/job.hpp>

#include "executor/executor.hpp"

namespace conesweep::executor {

/// A chunk as generated code sees it: columns of plain numbers that the members' results are written into.
///
/// The fast executors fill these, wherever the memory lies; what stands in them afterwards becomes an Outcome in one
/// place.
template <class Scalar>
struct Columns {
  OutcomeShape shape;
  std::int64_t count = 0;
  std::vector<Scalar> fixed;         // [parameter]
  std::vector<Scalar> varied;        // [variation][member]
  std::vector<Scalar> observables;   // [observable][member]
  std::vector<unsigned char> marks;  // [member]: chunk::Mark
  std::int64_t recorded = 0, every = 1, times = 0;
  std::vector<Scalar> tracks;        // [column][member * times + time]
  std::vector<unsigned char> modes;  // [member * times + time]
  state::Clock<Scalar> clock;

  Columns(const OutcomeShape& shape, const scenario::Setup& setup, const Chunk& chunk);

  /// The job over these very columns.
  chunk::Job<Scalar> job();

  /// What became of the members of that chunk; `diagnose(member)` is asked about those whose state did not stay finite.
  Outcome to_outcome(const scenario::Setup& setup, const Chunk& chunk,
                     const std::function<chunk::Diagnosis(std::int64_t)>& diagnose) const;
};

}  // namespace conesweep::executor
