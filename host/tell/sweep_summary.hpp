#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "keep/classes.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::tell {

struct Draws;  // summary.hpp

/// Quantiles that summary.json has of a point.
inline constexpr double point_levels[] = {0.05, 0.5, 0.95};

/// What summary.json has of one observable at one point.
struct PointStatistics {
  std::int64_t count = 0;
  double mean = 0, standard_deviation = 0, standard_error = 0, trimmed_mean = 0, min = 0, max = 0;
  double quantiles[std::size(point_levels)] = {};
  double quantile_error = 0;
};
PointStatistics statistics_of_point(const statistics::Summary& summary);

/// The quantile of one of point_levels.
double quantile_of(const PointStatistics& statistics, double level);

/// What the ensemble did at one point of a sweep (S10): the numbers that a run of this point alone has, to the bit.
struct PointSummary {
  std::vector<double> values;                                        // [axis]
  std::vector<std::pair<executor::Status, std::int64_t>> status;     // ok, then the others that occur, by their number
  std::vector<std::pair<std::string, PointStatistics>> observables;  // in the order of observable_names
  std::vector<keep::ClassCount> classes;                             // empty: none asked for
};

/// All points of a sweep, as columns: a map has a million of them, and each takes little more than its numbers.
class SweepSummary {
 public:
  std::vector<std::pair<std::string, std::vector<double>>> axes;  // name and values; empty: no sweep
  std::int64_t members = 0;                                       // of each point

  std::size_t points() const { return points_; }  // the last axis runs fastest
  PointSummary point(std::size_t k) const;

  /// The next point; its values are where it stands on the axes.
  void add(const PointSummary& point);

  /// One observable at all points that are there.
  void add(const std::string& observable, std::vector<PointStatistics> column) {
    observables_.emplace_back(observable, std::move(column));
  }

  bool any_stopped() const { return status_.size() > 1; }  // at some point

  /// Every point of the axes is there.
  bool is_whole() const;

 private:
  /// How many members of each point are of a class: the statuses among the classes are listed where they occur.
  struct ClassColumn {
    std::string name;
    std::vector<std::int64_t> members;                // -1: not listed
    std::vector<statistics::ShareInterval> interval;  // empty: members are no sample
  };

  std::size_t points_ = 0;
  // ok, then the others that occur, by their number
  std::vector<std::pair<executor::Status, std::vector<std::int64_t>>> status_;
  std::vector<std::pair<std::string, std::vector<PointStatistics>>> observables_;
  std::vector<ClassColumn> classes_;
};

/// Empty for a scenario without a sweep. `draws` are those of each point. Blocks of the statistics start anew at each
/// point.
SweepSummary summarise_sweep(const io::RunData& run, const Draws& draws, statistics::Engine& engine);

/// Bytes that a point takes in memory.
double point_bytes(const scenario::Scenario& scenario);

/// The axes of a sweep, without points.
SweepSummary begin_sweep(const scenario::Scenario& scenario);

}  // namespace conesweep::tell
