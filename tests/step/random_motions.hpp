#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "oracle/differences.hpp"
#include "oracle/random_problem.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {

using executor::Status;
using oracle::add;
using oracle::length;
using oracle::Numbers;
using oracle::RandomProblem;
using oracle::scale;
using test::SeenNode;

inline constexpr double eps = std::numeric_limits<double>::epsilon();

inline bool all_wanted() {
  const char* value = std::getenv("CONESWEEP_ALL");
  return value != nullptr && std::string(value) == "1";
}

template <class Vector>
Numbers numbers(const Vector& v) {
  return {v.begin(), v.end()};
}

/// One scenario and its motion.
struct Motion {
  RandomProblem problem;
  std::string name;
  test::SeenMember member;

  const std::vector<SeenNode>& nodes() const { return member.nodes; }
};

class Properties : public test::OnExecutor {
 protected:
  int scenario_count(int few, int many) const { return all_wanted() ? many : backend() == "cuda" ? few / 5 : few; }

  Motion run(const RandomProblem& problem, const std::string& name, std::optional<long> steps = {}) const {
    scenario::Overrides overrides;
    Motion motion{problem, name, {}};
    if (steps) {
      motion.problem.steps = *steps;
      motion.problem.h = problem.end / static_cast<double>(*steps);
      overrides.step = motion.problem.h;
    }
    motion.member = test::see_member(test::parse_scenario(problem.text, overrides), backend());
    if (motion.member.status == Status::ok)
      std::copy(problem.start_velocity.begin(), problem.start_velocity.end(), motion.member.nodes[0].v_before.begin());
    return motion;
  }

  template <class Check>
  void for_random_motions(unsigned long seed, int count, const Check& check) const {
    oracle::ProblemMaker maker(seed);
    for (int k = 0; k < count; ++k) {
      const RandomProblem problem = maker.make();
      const Motion motion = run(problem, "scenario " + std::to_string(k));
      ASSERT_EQ(motion.member.status, Status::ok) << problem.text;
      ASSERT_EQ(motion.nodes().size(), static_cast<std::size_t>(problem.steps) + 1) << problem.text;
      check(motion);
    }
  }
};

/// q at t_i - tau: affine between the nodes, the past before 0 (P10).
inline Numbers position_then(const Motion& motion, std::size_t i) {
  const RandomProblem& p = motion.problem;
  double back = p.tau / p.h;
  if (std::fabs(back - std::round(back)) <= 1e-9) back = std::round(back);
  const double k = static_cast<double>(i) - back;
  if (k < 0) return add(p.start, k * p.h, p.past_velocity);
  const auto j = static_cast<std::size_t>(k);
  const Numbers from = numbers(motion.nodes()[j].q);
  return k == static_cast<double>(j) ? from
                                     : add(from, (k - static_cast<double>(j)) * p.h, numbers(motion.nodes()[j].v));
}

/// What a node does not show, by plain functions: force, prospective velocity, normal, friction.
struct Step {
  Numbers q, before, v, f, w, slope, n;
  double g, mu;
  double size;        // of the coordinates
  double w_rounding;  // of w: a force is a sum of ten terms below 100
  double g_rounding;  // of g: a sum of some terms of the size of the coordinates squared

  Step(const Motion& motion, const SeenNode& node)
      : q(numbers(node.q)),
        before(numbers(node.v_before)),
        v(numbers(node.v)),
        f(motion.problem.force(node.t, q, before, position_then(motion, static_cast<std::size_t>(node.i)))),
        w(add(before, motion.problem.h, f)),
        slope(motion.problem.slope(q)),
        n(scale(-1 / length(slope), slope)),
        g(motion.problem.g(q)),
        mu(motion.problem.mu(q)),
        size(1 + length(q)),
        w_rounding(64 * eps * (length(before) + motion.problem.h * (100 + length(f)) * size)),
        g_rounding(64 * eps * size * size * (1 + length(slope))) {}
};

}  // namespace conesweep
