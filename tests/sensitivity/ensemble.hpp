#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sampling/sampler.hpp"

namespace conesweep::test {

/// A scenario that varies x1 … xk uniformly in [0, 1]; nothing else of it is there.
inline scenario::Scenario unit_scenario(std::size_t parameters, std::uint64_t seed,
                                        scenario::Sampler sampler = scenario::Sampler::random) {
  scenario::Scenario s;
  s.ensemble = {1000, seed, sampler};
  for (std::size_t i = 0; i < parameters; ++i) {
    s.names.parameters.push_back("x" + std::to_string(i + 1));
    s.vary.push_back({static_cast<int>(i), {scenario::DistributionKind::uniform, {0, 1}, {}, {}}, 0, {}});
  }
  return s;
}

inline std::vector<std::string> names_of(std::size_t parameters) {
  return unit_scenario(parameters, 1).names.parameters;
}

/// f at members first … first + count - 1.
template <class F>
std::vector<double> values_at(const sampling::UnitPoints& points, std::size_t parameters, std::int64_t first,
                              std::int64_t count, const F& f) {
  std::vector<double> values;
  std::vector<double> u(parameters);
  for (std::int64_t m = first; m < first + count; ++m) {
    for (std::size_t i = 0; i < parameters; ++i) u[i] = points.coordinate(m, i);
    values.push_back(f(std::span<const double>(u)));
  }
  return values;
}

}  // namespace conesweep::test
