#pragma once

#include <gtest/gtest.h>

#include "oracle/differences.hpp"
#include "oracle/recorded_history.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {

using executor::Status;
using test::SeenNode;
using Vector = Eigen::VectorXd;

/// Nodes of one member, and each observable's expression at each of them.
struct Watched {
  std::vector<SeenNode> nodes;
  std::vector<std::vector<double>> values;  // [observable][node]
};

/// An observable that is the value of an expression at the node nearest to `when`, a parameter: as many members as
/// nodes show it at all of them.
inline std::string watched(const std::string& name, const std::string& expression, const std::string& half_step) {
  return name + " = { max = \"if(abs(t - when) < " + half_step + ", " + expression + ", -1e300)\" }\n";
}

/// What observables see of the past, at every node of some members.
class History : public test::OnExecutor {
 protected:
  /// Of each row of parameters but the last one, `when`. `start` is v_{-1}, which no trajectory shows.
  std::vector<Watched> watch(const scenario::Scenario& scenario, const std::vector<std::vector<double>>& rows,
                             const Vector& start) const {
    const auto nodes = static_cast<std::size_t>(scenario.steps) + 1;
    std::vector<std::vector<double>> members;
    for (const auto& row : rows)
      for (std::size_t i = 0; i < nodes; ++i) {
        members.push_back(row);
        members.back().push_back(scenario.time(static_cast<long>(i)));
      }
    const auto seen = test::see_members(scenario, backend(), members);
    std::vector<Watched> all;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Watched one;
      one.nodes = seen[r * nodes].nodes;
      one.nodes.front().v_before = start;
      for (std::size_t k = 0; k < scenario.observables.size(); ++k) {
        one.values.emplace_back();
        for (std::size_t i = 0; i < nodes; ++i) {
          EXPECT_EQ(seen[r * nodes + i].status, Status::ok);
          one.values.back().push_back(seen[r * nodes + i].observables[k]);
        }
      }
      all.push_back(std::move(one));
    }
    return all;
  }
};

// A ball that bounces along a rough floor on a spring: its velocity changes at every step, and jumps. 100 steps of
// 0.01.
inline const std::string bouncing = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-20*x + cos(3*t)", "-9.81"]
[model.parameters]
tau = 0.02
tau2 = 0.0537
when = 0.0
[[model.contact]]
inside = "y >= 0"
friction = 0.2
restitution = 0.7
[start]
x = "1 + 0.3*t + 0.2*t^2"
y = "0.1 + sin(t)^2"
vy = "-1"
[time]
end = 1
step = 0.01
)toml";

inline Vector past(double t) {
  Vector q(2);
  q << 1 + 0.3 * t + 0.2 * t * t, 0.1 + std::sin(t) * std::sin(t);
  return q;
}

inline Vector past_velocity(double t) {
  Vector v(2);
  v << 0.3 + 0.4 * t, 2 * std::sin(t) * std::cos(t);
  return v;
}

inline constexpr double h = 0.01;
inline const char* const half = "0.005";
inline const Vector start_of_bouncing = (Vector(2) << 0.3, -1).finished();

inline std::vector<std::vector<double>> with_each(const std::vector<double>& lengths,
                                                  const std::vector<double>& others) {
  std::vector<std::vector<double>> rows;
  for (const double length : lengths) {
    rows.push_back({length});
    rows.back().insert(rows.back().end(), others.begin(), others.end());
  }
  return rows;
}

// none, shorter than a step, whole numbers of steps, a hair beside them (1e-9 of a step decides), between, longer than
// the run
inline const std::vector<double> lengths = {
    0,     0.003,  0.0099, 0.01, 0.02, 0.02 + 5e-12, 0.02 - 5e-12, 0.02 + 3e-11, 0.02 - 3e-11, 0.0237, 0.3, 0.5 + 1e-7,
    0.777, 0.9999, 1,      1.7,  30};

inline std::string at(double length, std::size_t i) {
  return "length " + std::to_string(length) + ", node " + std::to_string(i);
}

// rounding of sums of up to 100 numbers below 10, taken in another order
inline constexpr double allowed = 1e-13;

}  // namespace conesweep
