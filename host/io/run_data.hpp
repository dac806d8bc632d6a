#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "scenario/scenario.hpp"
#include "statistics/engine.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::io {

/// Members first … first + count - 1.
struct MemberRange {
  std::int64_t first = 0;
  std::int64_t count = 0;

  std::int64_t end() const { return first + count; }
  bool operator==(const MemberRange&) const = default;
};

/// Does a chunk hold the whole first block, of which the quantile bands are made?
inline bool covers_first_block(MemberRange range) {
  return range.first == 0 && range.count >= statistics::block_members;
}

/// What a chunk of members leaves.
struct ChunkResults {
  MemberRange range;
  std::vector<std::vector<double>> parameters;  // [variation][member]
  executor::Outcome outcome;
  // sums over time; empty: not asked for. A block may lie in several chunks: each has its sums up to the chunk's end,
  // with those of the chunks before
  std::vector<std::vector<statistics::TrackMoments>> track_moments;  // [coordinate][block]
  // [coordinate][level * times + time], of the first block, if it is whole here
  std::vector<std::vector<double>> track_bands;
  // [coordinate][member * times + time], else: members of the first block that are not recorded
  std::vector<std::vector<double>> first_tracks;
};

/// The next members, in order.
void append(executor::Outcome& all, const executor::Outcome& more);

/// The members of a run: what it is and who ran it, and their columns, one at a time. Ten million members lie on disk
/// and not in memory.
class RunData {
 public:
  virtual ~RunData() = default;

  scenario::Scenario scenario;  // resolved
  std::string scenario_text;    // the same as TOML
  std::string backend;
  std::string device;
  std::string precision = "double";
  // what must be the same for two runs to fit together, as a short hash; empty: not asked for
  std::string identity = {};

  // [member], codes that class_names tells; empty: the scenario has none, or they are not known yet
  std::vector<std::uint8_t> classes = {};

  virtual std::vector<double> parameter(std::size_t variation) const = 0;    // [member]
  virtual std::vector<double> observable(std::size_t observable) const = 0;  // [member]
  virtual std::vector<executor::Status> status() const = 0;                  // [member]
  virtual std::vector<double> stop_time() const = 0;                         // [member], NaN for those that are ok
  // [member], NaN but for not_converged; where several laws can act
  virtual std::vector<double> residual() const = 0;
  virtual std::vector<std::uint8_t> flags() const = 0;  // [member], bits of state::Flag
  // of a column of the state: [recorded member * times + time]
  virtual std::vector<double> trajectory(std::size_t column) const = 0;
  virtual std::vector<std::uint8_t> modes() const = 0;  // [recorded member * times + time]

  /// The levels of a grid's parameter, as its members have them.
  virtual std::vector<double> grid_levels(std::size_t variation) const;

  std::int64_t recorded_members() const;
  std::int64_t recorded_times() const;

 protected:
  std::vector<std::int64_t> level_members(std::size_t variation) const;  // one for each level
};

/// The same in memory.
class Results final : public RunData {
 public:
  std::vector<std::vector<double>> parameters;  // [variation][member]
  executor::Outcome outcome;                    // of all members

  /// The next chunk, in member order.
  void append(const ChunkResults& part);

  std::vector<double> parameter(std::size_t variation) const override { return parameters[variation]; }
  std::vector<double> observable(std::size_t observable) const override { return outcome.observables[observable]; }
  std::vector<executor::Status> status() const override { return outcome.status; }
  std::vector<double> stop_time() const override { return outcome.stop_time; }
  std::vector<double> residual() const override { return outcome.residual; }
  std::vector<std::uint8_t> flags() const override { return outcome.flags; }
  std::vector<double> trajectory(std::size_t column) const override { return outcome.trajectories.columns[column]; }
  std::vector<std::uint8_t> modes() const override { return outcome.trajectories.mode; }
};

}  // namespace conesweep::io
