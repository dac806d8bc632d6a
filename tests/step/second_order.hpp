#pragma once

// Order two (A): closed forms, observed orders beside the paper's scheme, and what a second reading of the equations
// found.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {

using executor::Mode;
using executor::Status;
using oracle::jitter;
using test::parse_scenario;
using test::SeenMember;

constexpr double g = 9.81;

/// The scenario with N steps on [0, end] of this order.
inline scenario::Scenario read(const std::string& text, double end, long steps, int order = 2) {
  scenario::Overrides overrides;
  overrides.end = end;
  overrides.step = end / static_cast<double>(steps);
  return parse_scenario(text + "[time]\nend = 1\nstep = 0.5\norder = " + std::to_string(order) + "\n", overrides);
}

class SecondOrder : public test::OnExecutor {
 protected:
  SeenMember see_one(const scenario::Scenario& scenario) const {
    return test::see_members(scenario, backend(), {scenario.defaults}).front();
  }

  /// Mean errors of the place at the end over eight jittered members and nine steps.
  template <class Data, class Exact>
  oracle::ObservedOrder observe(const std::string& title, const std::string& text, double end, long coarsest,
                                const Data& data, const Exact& exact, int order = 2) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < 8; ++j) rows.push_back(data(j));
    const auto observed =
        oracle::observe_order(title + ", order " + std::to_string(order) + ", on " + backend(), {"place"}, end,
                              oracle::step_ladder(coarsest), [&](long steps) {
                                const auto members = test::see_members(read(text, end, steps, order), backend(), rows);
                                std::vector<std::vector<double>> all;
                                for (std::size_t j = 0; j < rows.size(); ++j) {
                                  EXPECT_EQ(members[j].status, Status::ok);
                                  all.push_back({(members[j].nodes.back().q - exact(rows[j])).norm()});
                                }
                                return all;
                              });
    return observed.front();
  }

  /// The same with the place that 16 times the finest number of steps leads to, by this scheme on the reference: the
  /// other executors are another text.
  template <class Data>
  oracle::ObservedOrder observe_beside_finer(const std::string& title, const std::string& text, double end,
                                             long coarsest, const Data& data, int order = 2) const {
    std::vector<std::vector<double>> rows;
    for (int j = 0; j < 8; ++j) rows.push_back(data(j));
    const auto fine = test::see_members(read(text, end, 16 * oracle::step_ladder(coarsest).back()), "reference", rows);
    return observe(
        title, text, end, coarsest, data,
        [&](const std::vector<double>& row) {
          for (std::size_t j = 0; j < rows.size(); ++j)
            if (rows[j] == row) return fine[j].nodes.back().q;
          return fine.front().nodes.back().q;
        },
        order);
  }
};

inline std::string on_floor(const std::string& rest) {
  return "[[model.contact]]\nname = \"floor\"\ninside = \"y >= 0\"\n" + rest;
}

inline const std::string falls = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-c*vx", "-9.81 - c*vy"]
[model.parameters]
H = 1
u = 4
mu = 0.3
c = 0
)toml" + on_floor("friction = \"mu\"\n[start]\nx = \"0\"\ny = \"H\"\nvx = \"u\"\nvy = \"0\"\n");

}  // namespace conesweep
