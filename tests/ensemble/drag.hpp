#pragma once

#include <cmath>
#include <string>

#include "ensemble/levels.hpp"
#include "executor/agreement.hpp"

namespace conesweep::test {

/// A body that drag slows down, x'' = -c x', x'(0) = v0, without contact. c and v0 are uniform.
///
///   x'(1) = v0 exp(-c);  the scheme gives v0 (1 - c h)^N, so it is of order one.
///
/// [0.5, 2] × [0.5, 1.5]: E x'(1) = (exp(-0.5) - exp(-2)) / 1.5
inline scenario::Scenario drag(std::int64_t steps = 8, std::int64_t members = 1000, std::uint64_t seed = 1,
                               const std::string& more = {}) {
  scenario::Overrides overrides;
  overrides.step = 1.0 / static_cast<double>(steps);
  overrides.members = members;
  overrides.seed = seed;
  return parse_scenario(std::string(R"toml(title = "Drag"
[model]
coordinates = ["x"]
force = ["-c * vx"]
[model.parameters]
c = 1.0
v0 = 1.0
[start]
x = "v0 * t"
[time]
end = 1.0
step = 0.125
[vary]
c = { uniform = [0.5, 2.0] }
v0 = { uniform = [0.5, 1.5] }
[observe]
speed = { final = "vx" }
standard = []
)toml") + more,
                        overrides);
}

inline const double drag_mean = (std::exp(-0.5) - std::exp(-2.0)) / 1.5;

/// E (1 - c h)^N: what an infinite ensemble would give at a step.
inline double drag_mean_at(std::int64_t steps) {
  const double h = 1.0 / static_cast<double>(steps), power = static_cast<double>(steps) + 1;
  return (std::pow(1 - 0.5 * h, power) - std::pow(1 - 2 * h, power)) / (power * h) / 1.5;
}

inline ensemble::MakeModel cpu(int threads = 2) {
  return [threads](const scenario::Scenario& scenario) { return make(scenario, "cpu", threads); };
}

}  // namespace conesweep::test
