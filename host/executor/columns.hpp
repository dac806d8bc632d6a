#pragma once

#include <conesweep/chunk/job.hpp>

#include "executor/executor.hpp"

namespace conesweep::executor {

/// A chunk as generated code sees it: columns of plain numbers that the members' results are written into.
///
/// The fast executors fill these, wherever the memory lies; what stands in them afterwards becomes an Outcome in one
/// place, or stands already where the caller wants it.
template <class Scalar>
struct Columns {
  Members members;
  std::int64_t count = 0;
  std::vector<Scalar> fixed;         // [parameter]
  std::span<const Scalar> varied;    // [variation][member]
  std::span<Scalar> observables;     // [observable][member]
  std::vector<unsigned char> marks;  // [member]: chunk::Mark
  std::int64_t recorded = 0, every = 1, times = 0;
  std::span<Scalar> tracks;        // [column][member * times + time]
  std::span<unsigned char> modes;  // [member * times + time]
  state::Clock<Scalar> clock;

  Columns(const OutcomeShape& shape, const scenario::Setup& setup, const Chunk& chunk);

  /// In the caller's memory, as far as it is there and has numbers of this kind. Interrupted while it is made ready.
  Columns(const OutcomeShape& shape, const scenario::Setup& setup, const Given& given, const Places& places,
          const Watch& watch);

  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;

  /// The job over these very columns.
  chunk::Job<Scalar> job();

  /// Asked about members whose state did not stay finite.
  using Diagnose = std::function<chunk::Diagnosis(std::int64_t member)>;

  /// What became of the members of that chunk.
  Outcome to_outcome(const scenario::Setup& setup, const Chunk& chunk, const Diagnose& diagnose);

  /// The same where the caller wants it.
  void give(const scenario::Setup& setup, const Places& places, const Diagnose& diagnose);

 private:
  void begin(const OutcomeShape& shape, const scenario::Setup& setup, const Places& places, const Watch& watch);
  void settle(const scenario::Setup& setup, const Places& places, const Diagnose& diagnose);

  OutcomeShape shape_;
  std::vector<Scalar> own_varied_, own_observables_, own_tracks_;  // of what the caller has no memory for
  std::vector<unsigned char> own_modes_;
};

}  // namespace conesweep::executor
