// What must hold at every step of every motion: (P1)-(P5) from the same state, (P7), (P8), (P9), (P12), (R5),
// (O3)-(O6), on random scenarios. Each scenario comes as text for the executor and as plain functions for the test
// (oracle/random_problem.hpp).
//
// A few hundred scenarios by default; thousands with CONESWEEP_ALL=1.

#include <gtest/gtest.h>

#include <cstdlib>

#include "oracle/differences.hpp"
#include "oracle/observed_order.hpp"
#include "oracle/random_problem.hpp"
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
using oracle::scale;
using test::SeenNode;

constexpr double eps = std::numeric_limits<double>::epsilon();

bool all_wanted() {
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
ON_EVERY_EXECUTOR(Properties);

/// q at t_i - tau: affine between the nodes, the past before 0 (P10).
Numbers position_then(const Motion& motion, std::size_t i) {
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
