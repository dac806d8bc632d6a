// What must hold at every step of every motion: (P1)-(P5) from the same state, (P7), (P12), (R5), on random scenarios.
// Each scenario comes as text for the executor and as plain functions for the test (oracle/random_problem.hpp).
//
// A few hundred scenarios by default; thousands with CONESWEEP_ALL=1.
#include <gtest/gtest.h>

#include <cstdlib>

#include "oracle/differences.hpp"
#include "oracle/random_problem.hpp"
#include "random_motions.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using oracle::add;
using oracle::Differences;
using oracle::dot;
using oracle::length;
using oracle::Numbers;
using oracle::RandomProblem;
using oracle::scale;
using test::SeenNode;

ON_EVERY_EXECUTOR(Properties);

// ---- one step from the same state ----

TEST_P(Properties, EveryStepIsTheSchemeOfTheSpecification) {
  Differences start("start"), free("(P1), (P3) v = w"), move("(P5) q"), law("(P4) v against projected gradient"),
      activity("(P2) contact"), end("the last node shows the last step");
  long steps = 0, contacts = 0, grazing = 0;
  for_random_motions(11, scenario_count(300, 5000), [&](const Motion& motion) {
    const RandomProblem& p = motion.problem;
    const auto& nodes = motion.nodes();
    for (std::size_t c = 0; c < p.d; ++c)
      start.compare(nodes[0].q[static_cast<Eigen::Index>(c)], p.start[c], 0, motion.name);
    end.require(nodes.back().v == nodes[nodes.size() - 2].v && nodes.back().mode == nodes[nodes.size() - 2].mode,
                motion.name);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      const SeenNode& node = nodes[i];
      const std::string where = motion.name + ", node " + std::to_string(i);
      const Step s(motion, node);
      ++steps;
      // one rounding of the product or none
      for (std::size_t c = 0; c < p.d; ++c)
        move.compare(nodes[i + 1].q[static_cast<Eigen::Index>(c)], s.q[c] + p.h * s.v[c],
                     eps * (std::fabs(s.q[c]) + 2 * std::fabs(p.h * s.v[c])), where);

      // (P2): where g or ∇g·w is zero up to rounding, either answer is right
      const double outward = dot(s.slope, s.w),
                   outward_rounding = length(s.slope) * (64 * eps * length(s.w) + s.w_rounding);
      const bool certain = std::fabs(s.g) > s.g_rounding && std::fabs(outward) > outward_rounding;
      if (certain) activity.require(node.touches() == (s.g > 0 && outward > 0), where);
      if (!certain) ++grazing;
      if (!node.touches()) {
        free.compare(oracle::distance(s.v, s.w), 0, s.w_rounding, where);
        continue;
      }

      // (P4): normal, friction and velocity
      ++contacts;
      if (p.restitution == 0 && outward > outward_rounding)
        law.compare(oracle::distance(s.v, oracle::descend_in_the_disk(s.w, s.n, s.mu)), 0,
                    (256 * eps * length(s.w) * s.size + 2 * s.w_rounding) * (1 + s.mu), where);
    }
  });
  for (const Differences* all : {&start, &free, &move, &law, &activity, &end}) EXPECT_TRUE(all->none());
  std::cout << backend() << ": " << steps << " steps, " << contacts << " contacts, " << grazing
            << " where rounding decides about contact\n";
  EXPECT_GT(contacts, steps / 10);
}

// ---- (P7), (P12), (R5) ----

TEST_P(Properties, EveryContactKeepsTheInequalities) {
  Differences shorter("(P7) |v| <= |w|"), tangent("(P7) v in T"), cone("(P7) r in C"),
      maximal("(P7) r_t = -mu r_n v/|v|"), variational("(P7) r_n (v.x) >= (r.v) x_n"),
      none("(P7) r = 0 without contact"), outward("(P12) v_n >= 0"), bounded("(P12) |v| <= |v_before| + h|f_t|"),
      energy("(R5) energy"), mode("mode");
  std::mt19937_64 random(5);
  for_random_motions(12, scenario_count(300, 5000), [&](const Motion& motion) {
    const RandomProblem& p = motion.problem;
    for (const SeenNode& node : motion.nodes()) {
      if (node.last) continue;
      const Step s(motion, node);
      const Numbers r = add(s.v, -1, s.w);
      const std::string where = motion.name + ", node " + std::to_string(node.i);
      const double size = length(s.w) + length(s.before) + p.h * length(s.f);
      const double rounding = 128 * eps * size * s.size + 2 * s.w_rounding;
      // ΔK <= h f·(v_before + w)/2
      if (p.restitution == 0)
        energy.at_most((dot(s.v, s.v) - dot(s.before, s.before)) / 2, p.h * dot(s.f, add(s.before, 1, s.w)) / 2,
                       64 * eps * (size * size + p.h * 100 * size * s.size), where);
      if (!node.touches()) {
        none.compare(length(r), 0, s.w_rounding, where);
        continue;
      }
      const double r_n = dot(r, s.n), v_n = dot(s.v, s.n);
      const Numbers r_t = add(r, -r_n, s.n), v_t = add(s.v, -v_n, s.n);
      cone.at_most(length(r_t), s.mu * r_n, rounding * (1 + s.mu), where);
      if (node.mode == Mode::stick) mode.compare(length(v_t), 0, p.restitution == 0 ? 0 : rounding, where);
      if (length(v_t) > 1e-6 * size)
        maximal.compare(oracle::distance(r_t, scale(-s.mu * r_n / length(v_t), v_t)), 0, 1e6 * rounding * (1 + s.mu),
                        where);
      if (p.restitution == 0) {
        shorter.at_most(length(s.v), length(s.w), rounding, where);
        tangent.compare(v_n, 0, rounding, where);
        // = x - n with x in C, x_n = 1
        const Numbers reached = oracle::reachable_velocity(scale(-1, s.n), s.n, s.mu, random);
        const Numbers x = add(reached, 1, s.n);
        variational.at_least(r_n * dot(s.v, x), dot(r, s.v) * dot(x, s.n), rounding * size * (1 + s.mu), where);
      } else {
        outward.at_least(v_n, 0, rounding, where);
        const Numbers f_t = add(s.f, -dot(s.f, s.n), s.n);
        bounded.at_most(length(s.v), length(s.before) + p.h * length(f_t), rounding + 64 * eps * p.h * 100 * s.size,
                        where);
      }
    }
  });
  for (const Differences* all :
       {&shorter, &tangent, &cone, &maximal, &variational, &none, &outward, &bounded, &energy, &mode})
    EXPECT_TRUE(all->none());
}

TEST_P(Properties, SlidingAlongAPlaneWithoutWeightNeverGainsSpeed) {
  // v·n is zero but for rounding, whose sign decides about contact; friction up to an angle just below pi/2 multiplies
  // it by 1e15
  Differences shorter("|v| <= |w|"), pushing("r_n >= 0");
  std::mt19937_64 random(16);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> rows;
  for (int k = 0; k < scenario_count(2000, 20000); ++k) {
    const double a = normal(random), b = normal(random), c = normal(random), x = normal(random), y = normal(random),
                 z = -(a * x + b * y) / c;
    rows.push_back({a, b, c, x, y, z, std::pow(10, std::uniform_real_distribution<double>(0, 15)(random))});
  }
  const auto members = test::see_members(test::parse_scenario(R"toml(
[model]
coordinates = ["x", "y", "z"]
force = ["0", "0", "0"]
[model.parameters]
a = 1
b = 1
c = 1
u = 1
v = 1
w = -2
mu = 1
[[model.contact]]
inside = "a*x + b*y + c*z >= 0"
friction = "mu"
[start]
x = "u*t"
y = "v*t"
z = "w*t"
[time]
end = 1
step = 0.02
)toml"),
                                         backend(), rows);
  long contacts = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    pushing.at_least(members[m].observed("impulse"), 0, 0, "plane " + std::to_string(m));
    Eigen::VectorXd before(3);
    before << rows[m][3], rows[m][4], rows[m][5];
    for (const SeenNode& node : members[m].nodes) {
      // without force w is the velocity before
      if (node.touches())
        ++contacts, shorter.at_most(node.v.norm(), before.norm(), 8 * eps * before.norm(),
                                    "plane " + std::to_string(m) + ", node " + std::to_string(node.i));
      before = node.v;
    }
  }
  EXPECT_TRUE(shorter.none());
  EXPECT_TRUE(pushing.none());
  EXPECT_GT(contacts, 100);
}

}  // namespace
}  // namespace conesweep
