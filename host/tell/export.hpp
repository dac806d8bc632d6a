#pragma once

#include <filesystem>
#include <vector>

#include "io/results_reader.hpp"
#include "support/sink.hpp"
#include "tell/summary.hpp"

namespace conesweep::tell {

/// A finished run as CSV, a stretch of rows at a time: no column is in memory as a whole. Numbers read back to the same
/// bits; NaN is an empty cell.
class Export {
 public:
  /// InputError where there is no finished run, or the files are of different runs.
  explicit Export(const std::filesystem::path& folder);

  std::int64_t members() const { return members_; }

  /// One row a member: its number, parameters, observables, how it ended. Returns the number of columns.
  std::size_t write_members(const Sink& sink) const;

  /// One row a recorded member and time, as long as the member goes on: coordinates, velocities, mode. InputError where
  /// none is recorded. Returns the number of recorded members.
  std::size_t write_trajectories(const Sink& sink) const;

 private:
  std::filesystem::path folder_;
  Summary summary_;
  io::ResultsReader results_;
  std::int64_t members_ = 0;
};

}  // namespace conesweep::tell
