#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {

using executor::Status;
using test::parse_scenario;
using test::SeenMember;

/// The same scenario with impacts at the nodes or located, and with N steps on [0, end].
inline scenario::Scenario read(const std::string& text, double end, long steps,
                               const std::string& impacts = "located") {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(text + "[time]\nend = 1\nstep = 0.5\nimpacts = \"" + impacts + "\"\n", overrides);
}

class Located : public test::OnExecutor {
 protected:
  std::vector<SeenMember> see(const scenario::Scenario& scenario, const std::vector<std::vector<double>>& rows) const {
    return test::see_members(scenario, backend(), rows);
  }

  /// Mean errors over jittered data and nine step sizes, of the default and with located impacts.
  template <class Data, class Errors>
  auto beside_the_default(const std::string& title, const std::vector<std::string>& quantities, const std::string& text,
                          double end, long coarsest, const Data& data, const Errors& errors) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < 8; ++j) rows.push_back(data(j));
    std::vector<std::vector<oracle::ObservedOrder>> both;
    for (const std::string impacts : {"nodes", "located"})
      both.push_back(oracle::observe_order(title + ", " + impacts + ", on " + backend(), quantities, end,
                                           oracle::step_ladder(coarsest), [&](long steps) {
                                             const auto members = see(read(text, end, steps, impacts), rows);
                                             std::vector<std::vector<double>> all;
                                             for (std::size_t j = 0; j < rows.size(); ++j) {
                                               EXPECT_EQ(members[j].status, Status::ok);
                                               all.push_back(errors(members[j], rows[j]));
                                             }
                                             return all;
                                           }));
    return both;
  }
};

inline double total(const oracle::ObservedOrder& observed) {
  double sum = 0;
  for (const double error : observed.mean_error) sum += error;
  return sum;
}

// two walls that move or not, a force, restitution; one coordinate
inline const std::string between_walls = R"toml(
[model]
coordinates = ["x"]
force = ["a*cos(3*t) - 2*x"]
[model.parameters]
a = 4
e = 0.8
w = 0.1
v0 = 1
[[model.contact]]
name = "lower"
inside = "x >= -0.1 + w*sin(5*t)"
restitution = "e"
[[model.contact]]
name = "upper"
inside = "x <= 0.15"
restitution = "e"
[start]
x = "0"
vx = "v0"
)toml";

// E8, with its distance jittered
inline const std::string ball = R"toml(
[model]
coordinates = ["x"]
force = ["-2"]
[model.parameters]
e = 0.5
H = 1
[[model.contact]]
name = "wall"
inside = "x >= 0"
restitution = "e"
[start]
x = "H"
)toml";

}  // namespace conesweep
