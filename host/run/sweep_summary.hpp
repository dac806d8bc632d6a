#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "run/classes.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::runs {

struct Draws;  // summary.hpp

/// What the ensemble did at one point of a sweep (S10): the numbers that a run of this point alone has, to the bit.
struct PointSummary {
  std::vector<double> values;                                            // [axis]
  std::vector<std::pair<executor::Status, std::int64_t>> status;         // ok, then the others that occur, by their number
  std::vector<std::pair<std::string, statistics::Summary>> observables;  // in the order of observable_names; without histograms
  std::vector<ClassCount> classes;                                       // empty: none asked for
};

struct SweepSummary {
  std::vector<std::pair<std::string, std::vector<double>>> axes;  // name and values; empty: no sweep
  std::int64_t members = 0;                                       // of each point
  std::vector<PointSummary> points;                               // the last axis runs fastest
};

/// Empty for a scenario without a sweep. `draws` are those of each point. Blocks of the statistics start anew at each point.
SweepSummary summarise_sweep(const io::RunData& run, const Draws& draws, statistics::Engine& engine);

/// Quantiles that summary.json has of a point.
inline constexpr double point_levels[] = {0.05, 0.5, 0.95};

}  // namespace conesweep::runs
