// What must hold of whole motions of random scenarios: (P8), (P9), and the standard quantities (O3)-(O6).
#include <gtest/gtest.h>

#include "oracle/differences.hpp"
#include "oracle/observed_order.hpp"
#include "oracle/random_problem.hpp"
#include "random_motions.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using executor::Status;
using oracle::add;
using oracle::Differences;
using oracle::dot;
using oracle::length;
using oracle::Numbers;
using oracle::RandomProblem;
using test::SeenNode;

// ---- (P8), (P9) ----

/// Largest force, speed, |∇g| and |m| along a motion.
struct Extremes {
  double force = 0, speed = 0, slope = 0, field = 0;
  double contact_field = 1e300;  // smallest m·n at a contact
};

Extremes find_extremes(const Motion& motion) {
  Extremes x;
  const RandomProblem& p = motion.problem;
  x.speed = length(p.start_velocity);
  for (const SeenNode& node : motion.nodes()) {
    const Numbers q = numbers(node.q);
    x.slope = std::max(x.slope, length(p.slope(q)));
    x.field = std::max(x.field, length(p.field(q)));
    x.speed = std::max(x.speed, length(numbers(node.v)));
    if (node.last) continue;
    const Step s(motion, node);
    x.force = std::max(x.force, length(s.f));
    if (node.touches()) x.contact_field = std::min(x.contact_field, dot(p.field(q), s.n));
  }
  return x;
}

TEST_P(Properties, VelocityIsBoundedAndOfBoundedVariationUniformly) {
  // Σ r_n, by the momentum along a Lipschitz field m that is m·n n at every contact, summed by parts:
  //   min(m·n) Σ r_n <= Σ (v_i - v_{i-1} - h f_i)·m(q_i) <= M (|v_{-1}| + |v_{N-1}|) + T M F + T Lip(m) V²
  // and |r| <= r_n √(1 + mu²), so that the variation has a bound without N.
  Differences speed("(P8) |v_i| <= |v_{-1}| + t_{i+1} F"), variation("(P8) variation");
  const std::vector<long> ladder = {50, 100, 200, 400, 800};
  const int count = scenario_count(100, 1500);
  std::vector<double> inverse_h, mean_variation;
  for (const long steps : ladder) {
    oracle::ProblemMaker maker(13);
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      const Motion motion =
          run(maker.make(), "scenario " + std::to_string(k) + " with " + std::to_string(steps) + " steps", steps);
      ASSERT_EQ(motion.member.status, Status::ok);
      const RandomProblem& p = motion.problem;
      const Extremes x = find_extremes(motion);
      const double v0 = length(p.start_velocity);
      for (const SeenNode& node : motion.nodes())
        if (!node.last)
          speed.at_most(length(numbers(node.v)), v0 + static_cast<double>(node.i + 1) * p.h * x.force,
                        1e-12 * (1 + x.speed), motion.name);
      const double last = length(numbers(motion.nodes().back().v));
      const double impulse =
          (x.field * (v0 + last) + p.end * x.field * x.force + p.end * p.field_lipschitz * x.speed * x.speed) /
          x.contact_field;
      const double bound = p.end * x.force + impulse * std::sqrt(1 + p.sharpest * p.sharpest);
      const double found = motion.member.observed("variation");
      variation.at_most(found, bound, 1e-12 * bound, motion.name);
      sum += found;
    }
    inverse_h.push_back(static_cast<double>(steps));
    mean_variation.push_back(sum / count);
  }
  EXPECT_TRUE(speed.none());
  EXPECT_TRUE(variation.none());
  const double growth = oracle::fit_power(inverse_h, mean_variation);
  std::cout << "mean variation " << mean_variation.front() << " with 50 steps, " << mean_variation.back()
            << " with 800: grows as N^" << growth << "\n";
  EXPECT_LT(growth, 0.05);  // a variation that grew with N would show 1/2 or 1
}

TEST_P(Properties, PenetrationIsOfTheOrderOfTheStep) {
  // A free step enters by h |∇g| V at most; every further step that is outside moves along or inward of the tangent
  // plane and adds Lip(∇g) (hV)²/2, T/h times:   g(q_i) <= h (|∇g| V + (T + h) Lip(∇g) V²/2)
  Differences inside("(P9) g(q_i) <= K h");
  const auto ladder = oracle::step_ladder(50);
  const int count = scenario_count(60, 1000);
  std::vector<double> relative_h, mean_depth;
  for (const long steps : ladder) {
    oracle::ProblemMaker maker(14);
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      const Motion motion =
          run(maker.make(), "scenario " + std::to_string(k) + " with " + std::to_string(steps) + " steps", steps);
      ASSERT_EQ(motion.member.status, Status::ok);
      const RandomProblem& p = motion.problem;
      const Extremes x = find_extremes(motion);
      const double bound = p.h * (x.slope * x.speed + (p.end + p.h) * p.slope_lipschitz * x.speed * x.speed / 2);
      for (const SeenNode& node : motion.nodes())
        inside.at_most(p.g(numbers(node.q)), bound, 1e-12 * (1 + bound), motion.name);
      sum += motion.member.observed("penetration");
    }
    relative_h.push_back(1 / static_cast<double>(steps));
    mean_depth.push_back(sum / count);
  }
  EXPECT_TRUE(inside.none());
  const double order = oracle::fit_power(relative_h, mean_depth);
  std::cout << "mean penetration " << mean_depth.front() << " with " << ladder.front() << " steps, "
            << mean_depth.back() << " with " << ladder.back() << ": order " << order << "\n";
  EXPECT_GE(order, 0.9);
}

TEST_P(Properties, TheFrictionlessCircleDriftsAsPredicted) {
  // each step leaves along the tangent: R² grows by (hs)², so that after T the drift is h∫s²dt/(2R); the next term is
  // O(h²)
  const char* const text = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[model.parameters]
R = 1.5
s = 2.0
[[model.contact]]
inside = "x^2 + y^2 <= R^2"
[start]
x = "R"
y = "0"
vy = "s"
[time]
end = 2
step = 0.01
)toml";
  std::vector<std::vector<double>> rows;
  for (int j = 0; j < 8; ++j) rows.push_back({1 + oracle::jitter(j), 1 + oracle::jitter(j, 1)});
  const auto orders = oracle::observe_order(
      "frictionless circle on " + backend(), {"drift", "relative error of the predicted drift"}, 2,
      oracle::step_ladder(100), [&](long steps) {
        scenario::Overrides overrides;
        overrides.step = 2 / static_cast<double>(steps);
        const auto members = test::see_members(test::parse_scenario(text, overrides), backend(), rows);
        std::vector<std::vector<double>> errors;
        for (std::size_t m = 0; m < rows.size(); ++m) {
          const double radius = rows[m][0], s = rows[m][1], drift = members[m].nodes.back().q.norm() - radius;
          errors.push_back({drift, drift / (*overrides.step * s * s * 2 / (2 * radius)) - 1});
        }
        return errors;
      });
  for (const auto& o : orders) EXPECT_NEAR(o.order, 1, 0.1) << o.quantity;
}

// ---- (O3)-(O6) ----

/// The standard quantities from the nodes, in the words of docs/theory.md, in two passes over the whole motion.
struct Standards {
  double impacts = 0, first_contact = std::nan(""), stick = 0, slip = 0, flight = 0, dissipated = 0, impulse = 0,
         variation = 0, penetration = 0;
  int gaps = 0;         // onsets without impact, after the first step
  bool certain = true;  // no onset so near the border of an impact that rounding decides
};

Standards standards_of(const Motion& motion) {
  const RandomProblem& p = motion.problem;
  const auto& nodes = motion.nodes();
  const auto steps = static_cast<std::size_t>(p.steps);
  Standards s;
  std::vector<bool> impact(steps, false);
  for (std::size_t i = 0; i < steps; ++i) {
    const Step step(motion, nodes[i]);
    s.variation += oracle::distance(step.v, step.before);
    if (!nodes[i].touches()) continue;
    if (std::isnan(s.first_contact)) s.first_contact = static_cast<double>(i) * p.h;
    // r·(v_{i-1} + v_i)/2
    s.dissipated -=
        (dot(step.v, step.v) + dot(step.v, step.before) - dot(step.w, step.v) - dot(step.w, step.before)) / 2;
    s.impulse += dot(add(step.v, -1, step.w), step.n);
    if (i > 0 && nodes[i - 1].touches()) continue;
    const double arrival = std::fabs(dot(step.before, step.n)), ten_steps = 10 * p.h * std::fabs(dot(step.f, step.n));
    impact[i] = arrival > ten_steps;
    if (std::fabs(arrival - ten_steps) < 1e-11 * (1 + arrival)) s.certain = false;
    if (impact[i]) ++s.impacts;
    if (!impact[i] && i > 0) ++s.gaps;
  }
  // (O5): a node without contact belongs to the next onset, if there are contacts on both sides
  for (std::size_t i = 0; i < steps; ++i) {
    if (nodes[i].touches()) {
      (nodes[i].mode == Mode::stick ? s.stick : s.slip) += p.h;
      continue;
    }
    std::size_t next = i;
    while (next < steps && !nodes[next].touches()) ++next;
    bool before = false;
    for (std::size_t j = 0; j < i; ++j) before = before || nodes[j].touches();
    (before && next < steps && !impact[next] ? s.slip : s.flight) += p.h;
  }
  for (const SeenNode& node : nodes)
    s.penetration = std::max(s.penetration, std::max(0.0, p.g(numbers(node.q))) / length(p.slope(numbers(node.q))));
  return s;
}

TEST_P(Properties, StandardQuantitiesAreThoseOfTheSpecification) {
  Differences whole("(O5) stick + slip + flight = T"), quantities("standard quantities");
  double stick = 0, slip = 0, flight = 0, gaps = 0, impacts = 0;
  const int count = scenario_count(200, 3000);
  for_random_motions(15, count, [&](const Motion& motion) {
    const RandomProblem& p = motion.problem;
    const Standards s = standards_of(motion);
    // h times whole numbers that add up to N: three roundings
    const auto value = [&](const char* name) { return motion.member.observed(name); };
    whole.compare(value("stick_time") + value("slip_time") + value("flight_time"), p.end, 8 * eps * p.end, motion.name);
    const auto compare = [&](const char* name, double expected) {
      // sums of N terms in another order of rounding, of forces by other formulas
      quantities.compare(value(name), expected, 1e-12 * (1 + std::fabs(expected)), motion.name + ", " + name);
    };
    compare("first_contact", s.first_contact);
    compare("stick_time", s.stick);
    compare("dissipated", s.dissipated);
    compare("impulse", s.impulse);
    compare("variation", s.variation);
    compare("penetration", s.penetration);
    if (s.certain) compare("impacts", s.impacts), compare("slip_time", s.slip), compare("flight_time", s.flight);
    stick += s.stick, slip += s.slip, flight += s.flight, impacts += s.impacts, gaps += s.gaps;
  });
  EXPECT_TRUE(whole.none());
  EXPECT_TRUE(quantities.none());
  std::cout << "stick " << stick << ", slip " << slip << ", flight " << flight << ", impacts " << impacts
            << ", onsets without impact " << gaps << "\n";
  // the sample is not one-sided
  for (const double x : {stick, slip, flight, impacts, gaps}) EXPECT_GT(x, count / 20.0);
}

}  // namespace
}  // namespace conesweep
