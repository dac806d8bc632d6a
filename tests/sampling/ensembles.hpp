#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "sampling/sampler.hpp"

namespace conesweep::test {

/// A scenario in which `axes` parameters p0, p1, … vary uniformly over [0, 1].
inline scenario::Scenario make_ensemble(scenario::Sampler sampler, std::size_t axes, std::int64_t members,
                                        std::uint64_t seed = 1) {
  scenario::Scenario s;
  s.ensemble = {members, seed, sampler};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    s.names.parameters.push_back("p" + std::to_string(axis));
    s.vary.push_back({static_cast<int>(axis), {scenario::DistributionKind::uniform, {0, 1}, {}, {}}, 0, {}});
  }
  s.defaults.assign(axes, 0);
  return s;
}

/// The first members of one sequence, or of one hypercube.
inline std::vector<std::vector<double>> draw_one_randomisation(const scenario::Scenario& scenario,
                                                               std::int64_t members) {
  return sampling::draw(scenario, *sampling::make_points(scenario), 0, members);
}

inline double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

inline double deviation_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double value : x) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(x.size() - 1));
}

/// Pearson's correlation.
inline double correlation_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_of(x), mean_y = mean_of(y);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return xy / std::sqrt(xx * yy);
}

/// Slope of log y over log x, by least squares.
inline double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> log_x, log_y;
  for (std::size_t i = 0; i < x.size(); ++i) log_x.push_back(std::log(x[i])), log_y.push_back(std::log(y[i]));
  return correlation_of(log_x, log_y) * deviation_of(log_y) / deviation_of(log_x);
}

}  // namespace conesweep::test
