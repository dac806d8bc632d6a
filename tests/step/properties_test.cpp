// What must hold at every step of every motion: (P1)-(P5) from the same state, (P7), (P8), (P9), (P12), (R5), (O3)-(O6), on random
// scenarios. Each scenario comes as text for the executor and as plain functions for the test (oracle/random_problem.hpp).
//
// A few hundred scenarios by default; thousands with CONESWEEP_ALL=1.

#include <gtest/gtest.h>

#include <cstdlib>

#include "../oracle/differences.hpp"
#include "../oracle/kept_nodes.hpp"
#include "../oracle/observed_order.hpp"
#include "../oracle/random_problem.hpp"
#include "../support/scenario_text.hpp"
#include "executor/reference/observers.hpp"

namespace conesweep {
namespace {

using executor::Mode;
using executor::Status;
using executor::reference::NodeRecord;
using oracle::add;
using oracle::Differences;
using oracle::dot;
using oracle::length;
using oracle::Numbers;
using oracle::RandomProblem;
using oracle::scale;

constexpr double eps = std::numeric_limits<double>::epsilon();

bool all_wanted() {
  const char* value = std::getenv("CONESWEEP_ALL");
  return value != nullptr && std::string(value) == "1";
}
int scenario_count(int few, int many) { return all_wanted() ? many : few; }

template <class Vector>
Numbers numbers(const Vector& v) {
  return {v.begin(), v.end()};
}

/// One scenario and its motion, with the observers that watched it.
struct Motion {
  RandomProblem problem;
  std::string name;
  oracle::KeptNodes kept;
  std::vector<double> standard;  // values of the standard quantities

  double value(scenario::Standard which) const { return standard[static_cast<std::size_t>(which)]; }
};

Motion run(const RandomProblem& problem, const std::string& name, std::optional<long> steps = {}) {
  scenario::Overrides overrides;
  Motion motion{problem, name, {}, {}};
  if (steps) {
    motion.problem.steps = *steps;
    motion.problem.h = problem.end / static_cast<double>(*steps);
    overrides.step = motion.problem.h;
  }
  const scenario::Scenario scenario = test::parse_scenario(problem.text, overrides);
  executor::reference::Observers observers(scenario);
  motion.kept.end = executor::reference::run_member(scenario, scenario.defaults, [&](const NodeRecord& node, const auto& expressions) {
    motion.kept.nodes.push_back(node);
    observers.see(node, expressions);
  });
  motion.standard = observers.values();
  motion.standard.resize(scenario.standard.size());
  return motion;
}

template <class Check>
void for_random_motions(unsigned long seed, int count, const Check& check) {
  oracle::ProblemMaker maker(seed);
  for (int k = 0; k < count; ++k) {
    const RandomProblem problem = maker.make();
    const Motion motion = run(problem, "scenario " + std::to_string(k));
    ASSERT_EQ(motion.kept.end.status, Status::ok) << problem.text;
    ASSERT_EQ(motion.kept.nodes.size(), static_cast<std::size_t>(problem.steps) + 1) << problem.text;
    check(motion);
  }
}

/// q at t_i - tau: affine between the kept nodes, the past before 0 (P10).
Numbers position_then(const Motion& motion, std::size_t i) {
  const RandomProblem& p = motion.problem;
  double back = p.tau / p.h;
  if (std::fabs(back - std::round(back)) <= 1e-9) back = std::round(back);
  const double k = static_cast<double>(i) - back;
  if (k < 0) return add(p.start, k * p.h, p.past_velocity);
  const auto j = static_cast<std::size_t>(k);
  const Numbers from = numbers(motion.kept.nodes[j].q);
  return k == static_cast<double>(j) ? from : add(from, (k - static_cast<double>(j)) * p.h, numbers(motion.kept.nodes[j].v));
}

// ---- one step from the same state -----------------------------------------------------------------------------------------

TEST(Properties, EveryStepIsTheSchemeOfTheSpecification) {
  Differences start("start"), time("t_i"), prospective("(P1) w"), free("(P3) v = w"), move("(P5) q"), chain("v_before is the last v"), normal("n"),
      friction("mu"), law("(P4) v against projected gradient"), depth("penetration"), activity("(P2) contact");
  long steps = 0, contacts = 0, grazing = 0;
  for_random_motions(11, scenario_count(300, 5000), [&](const Motion& motion) {
    const RandomProblem& p = motion.problem;
    const auto& nodes = motion.kept.nodes;
    for (std::size_t c = 0; c < p.d; ++c) {
      start.compare(nodes[0].q[static_cast<Eigen::Index>(c)], p.start[c], 0, motion.name);
      start.compare(nodes[0].v_before[static_cast<Eigen::Index>(c)], p.start_velocity[c], 0, motion.name);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NodeRecord& node = nodes[i];
      const Numbers q = numbers(node.q), before = numbers(node.v_before), w = numbers(node.w), v = numbers(node.v);
      const std::string where = motion.name + ", node " + std::to_string(i);
      time.compare(node.t, static_cast<double>(i) * p.end / static_cast<double>(p.steps), 4 * eps * p.end, where);
      const Numbers slope = p.slope(q);
      const double g = p.g(q);
      // g is a sum of some terms of the size of the coordinates squared
      const double size = 1 + length(q), g_rounding = 64 * eps * size * size * (1 + length(slope));
      depth.compare(node.penetration, std::max(0.0, g) / length(slope), g_rounding / length(slope), where);
      if (node.last) {
        chain.require(node.v == nodes[i - 1].v && node.v_before == nodes[i - 1].v && !node.contact && node.mode == nodes[i - 1].mode, where);
        continue;
      }
      ++steps;
      if (i > 0) chain.require(node.v_before == nodes[i - 1].v, where);
      for (std::size_t c = 0; c < p.d; ++c) {
        const auto e = static_cast<Eigen::Index>(c);
        move.compare_bits(nodes[i + 1].q[e], q[c] + p.h * v[c], where);
      }

      // (P1): the force by plain functions, the past by plain interpolation; sums of ten terms below 100
      const Numbers f = p.force(node.t, q, before, position_then(motion, i));
      const Numbers expected_w = add(before, p.h, f);
      prospective.compare(oracle::distance(w, expected_w), 0, 64 * eps * (length(before) + p.h * (100 + length(f)) * size), where);

      // (P2): where g or ∇g·w is zero up to rounding, either answer is right
      const double outward = dot(slope, w), outward_rounding = 64 * eps * length(slope) * length(w);
      const bool certain = std::fabs(g) > g_rounding && std::fabs(outward) > outward_rounding;
      if (certain) activity.require(node.contact.has_value() == (g > 0 && outward > 0), where);
      if (!certain) ++grazing;
      if (!node.contact) {
        free.require(node.v == node.w && node.mode == Mode::flight, where);
        continue;
      }

      // (P4), (P12): normal, friction and velocity
      ++contacts;
      const Numbers n = scale(-1 / length(slope), slope);
      const double mu = p.mu(q);
      normal.compare(oracle::distance(numbers(node.contact->n), n), 0, 64 * eps * size, where);
      friction.compare(node.contact->mu, mu, 16 * eps * (1 + mu * mu) * (1 + size), where);
      if (p.restitution == 0 && outward > outward_rounding)
        law.compare(oracle::distance(v, oracle::descend_in_the_disk(w, n, mu)), 0, 256 * eps * length(w) * (1 + mu) * size, where);
    }
  });
  for (const Differences* all : {&start, &time, &prospective, &free, &move, &chain, &normal, &friction, &law, &depth, &activity}) EXPECT_TRUE(all->none());
  std::cout << steps << " steps, " << contacts << " contacts, " << grazing << " where rounding decides about contact\n";
  EXPECT_GT(contacts, steps / 10);
}

// ---- (P7), (P12), (R5) ----------------------------------------------------------------------------------------------------

TEST(Properties, EveryContactKeepsTheInequalities) {
  Differences shorter("(P7) |v| <= |w|"), tangent("(P7) v in T"), cone("(P7) r in C"), maximal("(P7) r_t = -mu r_n v/|v|"),
      variational("(P7) r_n (v.x) >= (r.v) x_n"), none("(P7) r = 0 without contact"), outward("(P12) v_n >= 0"), bounded("(P12) |v| <= |v_before| + h|f_t|"),
      energy("(R5) energy"), mode("mode");
  std::mt19937_64 random(5);
  for_random_motions(12, scenario_count(300, 5000), [&](const Motion& motion) {
    const RandomProblem& p = motion.problem;
    for (const NodeRecord& node : motion.kept.nodes) {
      if (node.last) continue;
      const Numbers before = numbers(node.v_before), w = numbers(node.w), v = numbers(node.v), r = add(v, -1, w);
      const std::string where = motion.name + ", node " + std::to_string(node.i);
      const Numbers f = p.force(node.t, numbers(node.q), before, position_then(motion, static_cast<std::size_t>(node.i)));
      const double size = length(w) + length(before) + p.h * length(f);
      const double rounding = 128 * eps * size;
      // ΔK <= h f·(v_before + w)/2
      if (p.restitution == 0)
        energy.at_most((dot(v, v) - dot(before, before)) / 2, p.h * dot(f, add(before, 1, w)) / 2,
                       64 * eps * (size * size + p.h * 100 * size * (1 + length(numbers(node.q)))), where);
      if (!node.contact) {
        none.compare(length(r), 0, 0, where);
        continue;
      }
      const Numbers n = numbers(node.contact->n);
      const double mu = node.contact->mu, r_n = dot(r, n), v_n = dot(v, n);
      const Numbers r_t = add(r, -r_n, n), v_t = add(v, -v_n, n);
      cone.at_most(length(r_t), mu * r_n, rounding * (1 + mu), where);
      mode.require(node.mode == (node.contact->impulse.slip_after == 0 ? Mode::stick : Mode::slip), where);
      if (node.mode == Mode::stick) mode.compare(length(add(v, -node.contact->impulse.v_n, n)), 0, p.restitution == 0 ? 0 : rounding, where);
      if (length(v_t) > 1e-6 * size) maximal.compare(oracle::distance(r_t, scale(-mu * r_n / length(v_t), v_t)), 0, 1e6 * rounding * (1 + mu), where);
      if (p.restitution == 0) {
        shorter.at_most(length(v), length(w), rounding, where);
        tangent.compare(v_n, 0, rounding, where);
        const Numbers reached = oracle::reachable_velocity(scale(-1, n), n, mu, random);  // = x - n with x in C, x_n = 1
        const Numbers x = add(reached, 1, n);
        variational.at_least(r_n * dot(v, x), dot(r, v) * dot(x, n), rounding * size * (1 + mu), where);
      } else {
        outward.at_least(v_n, 0, rounding, where);
        const Numbers f_t = add(f, -dot(f, n), n);
        bounded.at_most(length(v), length(before) + p.h * length(f_t), rounding + 64 * eps * p.h * 100 * (1 + length(numbers(node.q))), where);
      }
    }
  });
  for (const Differences* all : {&shorter, &tangent, &cone, &maximal, &variational, &none, &outward, &bounded, &energy, &mode}) EXPECT_TRUE(all->none());
}

TEST(Properties, SlidingAlongAPlaneWithoutWeightNeverGainsSpeed) {
  // v·n is zero but for rounding, whose sign decides about contact; friction up to an angle just below pi/2 multiplies it by 1e15
  Differences shorter("|v| <= |w|"), pushing("r_n >= 0");
  std::mt19937_64 random(16);
  std::normal_distribution<double> normal;
  long contacts = 0;
  for (int k = 0; k < scenario_count(2000, 20000); ++k) {
    const double a = normal(random), b = normal(random), c = normal(random), x = normal(random), y = normal(random), z = -(a * x + b * y) / c;
    const double mu = std::pow(10, std::uniform_real_distribution<double>(0, 15)(random));
    using oracle::text_of;
    const auto kept = oracle::keep_nodes(
        test::parse_scenario("[model]\ncoordinates = [\"x\", \"y\", \"z\"]\nforce = [\"0\", \"0\", \"0\"]\n[[model.contact]]\ninside = \"" + text_of(a) +
                             "*x + " + text_of(b) + "*y + " + text_of(c) + "*z >= 0\"\nfriction = \"" + text_of(mu) + "\"\n[start]\nx = \"" + text_of(x) +
                             "*t\"\ny = \"" + text_of(y) + "*t\"\nz = \"" + text_of(z) + "*t\"\n[time]\nend = 1\nstep = 0.02\n"));
    for (const NodeRecord& node : kept.nodes) {
      if (!node.contact) continue;
      ++contacts;
      const std::string where = "plane " + std::to_string(k) + ", node " + std::to_string(node.i);
      shorter.at_most(node.v.norm(), node.w.norm(), 8 * eps * node.w.norm(), where);
      pushing.at_least(node.contact->impulse.r_n, 0, 0, where);
    }
  }
  EXPECT_TRUE(shorter.none());
  EXPECT_TRUE(pushing.none());
  EXPECT_GT(contacts, 100);
}

// ---- (P8), (P9) -----------------------------------------------------------------------------------------------------------

/// Largest force, speed, |∇g| and |m| along a motion.
struct Extremes {
  double force = 0, speed = 0, slope = 0, field = 0;
  double contact_field = 1e300;  // smallest m·n at a contact
};

Extremes find_extremes(const Motion& motion) {
  Extremes x;
  const RandomProblem& p = motion.problem;
  x.speed = length(p.start_velocity);
  for (const NodeRecord& node : motion.kept.nodes) {
    const Numbers q = numbers(node.q);
    x.slope = std::max(x.slope, length(p.slope(q)));
    x.field = std::max(x.field, length(p.field(q)));
    x.speed = std::max(x.speed, length(numbers(node.v)));
    if (!node.last) x.force = std::max(x.force, oracle::distance(numbers(node.w), numbers(node.v_before)) / p.h);
    if (node.contact) x.contact_field = std::min(x.contact_field, dot(p.field(q), numbers(node.contact->n)));
  }
  return x;
}

TEST(Properties, VelocityIsBoundedAndOfBoundedVariationUniformly) {
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
      const Motion motion = run(maker.make(), "scenario " + std::to_string(k) + " with " + std::to_string(steps) + " steps", steps);
      ASSERT_EQ(motion.kept.end.status, Status::ok);
      const RandomProblem& p = motion.problem;
      const Extremes x = find_extremes(motion);
      const double v0 = length(p.start_velocity);
      for (const NodeRecord& node : motion.kept.nodes)
        if (!node.last) speed.at_most(length(numbers(node.v)), v0 + static_cast<double>(node.i + 1) * p.h * x.force, 1e-12 * (1 + x.speed), motion.name);
      const double last = length(numbers(motion.kept.nodes.back().v));
      const double impulse = (x.field * (v0 + last) + p.end * x.field * x.force + p.end * p.field_lipschitz * x.speed * x.speed) / x.contact_field;
      const double bound = p.end * x.force + impulse * std::sqrt(1 + p.sharpest * p.sharpest);
      const double found = motion.value(scenario::Standard::variation);
      variation.at_most(found, bound, 1e-12 * bound, motion.name);
      sum += found;
    }
    inverse_h.push_back(static_cast<double>(steps));
    mean_variation.push_back(sum / count);
  }
  EXPECT_TRUE(speed.none());
  EXPECT_TRUE(variation.none());
  const double growth = oracle::fit_power(inverse_h, mean_variation);
  std::cout << "mean variation " << mean_variation.front() << " with 50 steps, " << mean_variation.back() << " with 800: grows as N^" << growth << "\n";
  EXPECT_LT(growth, 0.05);  // a variation that grew with N would show 1/2 or 1
}

TEST(Properties, PenetrationIsOfTheOrderOfTheStep) {
  // A free step enters by h |∇g| V at most; every further step that is outside moves along or inward of the tangent plane and adds
  // Lip(∇g) (hV)²/2, T/h times:   g(q_i) <= h (|∇g| V + (T + h) Lip(∇g) V²/2)
  Differences inside("(P9) g(q_i) <= K h");
  const auto ladder = oracle::step_ladder(50);
  const int count = scenario_count(60, 1000);
  std::vector<double> relative_h, mean_depth;
  for (const long steps : ladder) {
    oracle::ProblemMaker maker(14);
    double sum = 0;
    for (int k = 0; k < count; ++k) {
      const Motion motion = run(maker.make(), "scenario " + std::to_string(k) + " with " + std::to_string(steps) + " steps", steps);
      ASSERT_EQ(motion.kept.end.status, Status::ok);
      const RandomProblem& p = motion.problem;
      const Extremes x = find_extremes(motion);
      const double bound = p.h * (x.slope * x.speed + (p.end + p.h) * p.slope_lipschitz * x.speed * x.speed / 2);
      for (const NodeRecord& node : motion.kept.nodes) inside.at_most(p.g(numbers(node.q)), bound, 1e-12 * (1 + bound), motion.name);
      sum += motion.value(scenario::Standard::penetration);
    }
    relative_h.push_back(1 / static_cast<double>(steps));
    mean_depth.push_back(sum / count);
  }
  EXPECT_TRUE(inside.none());
  const double order = oracle::fit_power(relative_h, mean_depth);
  std::cout << "mean penetration " << mean_depth.front() << " with " << ladder.front() << " steps, " << mean_depth.back() << " with " << ladder.back()
            << ": order " << order << "\n";
  EXPECT_GE(order, 0.9);
}

TEST(Properties, TheFrictionlessCircleDriftsAsPredicted) {
  // each step leaves along the tangent: R² grows by (hs)², so that after T the drift is h∫s²dt/(2R); the next term is O(h²)
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
  const auto orders =
      oracle::observe_order("frictionless circle", {"drift", "relative error of the predicted drift"}, 2, oracle::step_ladder(100), 8, [&](long steps, int j) {
        scenario::Overrides overrides;
        overrides.step = 2 / static_cast<double>(steps);
        const double radius = 1 + oracle::jitter(j), s = 1 + oracle::jitter(j, 1);
        const auto kept = oracle::keep_nodes(test::parse_scenario(text, overrides), {radius, s});
        const double drift = kept.nodes.back().q.norm() - radius;
        return std::vector<double>{drift, drift / (*overrides.step * s * s * 2 / (2 * radius)) - 1};
      });
  for (const auto& o : orders) EXPECT_NEAR(o.order, 1, 0.1) << o.quantity;
}

// ---- (O3)-(O6) ------------------------------------------------------------------------------------------------------------

/// The standard quantities from the nodes, in the words of docs/theory.md, in two passes over the whole motion.
struct Standards {
  double impacts = 0, first_contact = std::nan(""), stick = 0, slip = 0, flight = 0, dissipated = 0, impulse = 0, variation = 0, penetration = 0;
  bool certain = true;  // no onset so near the border of an impact that rounding decides
};

Standards standards_of(const Motion& motion) {
  const RandomProblem& p = motion.problem;
  const auto& nodes = motion.kept.nodes;
  const auto steps = static_cast<std::size_t>(p.steps);
  Standards s;
  std::vector<bool> impact(steps, false);
  for (std::size_t i = 0; i < steps; ++i) {
    const NodeRecord& node = nodes[i];
    const Numbers before = numbers(node.v_before), w = numbers(node.w), v = numbers(node.v);
    s.variation += oracle::distance(v, before);
    if (!node.contact) continue;
    if (std::isnan(s.first_contact)) s.first_contact = static_cast<double>(i) * p.h;
    const Numbers n = numbers(node.contact->n);
    s.dissipated += (dot(w, w) - dot(v, v)) / 2;
    s.impulse += dot(add(v, -1, w), n);
    if (i > 0 && nodes[i - 1].contact) continue;
    const double arrival = std::fabs(dot(before, n)), ten_steps = 10 * std::fabs(dot(add(w, -1, before), n));
    impact[i] = arrival > ten_steps;
    if (std::fabs(arrival - ten_steps) < 1e-12 * (1 + arrival)) s.certain = false;
    if (impact[i]) ++s.impacts;
  }
  // (O5): a node without contact belongs to the next onset, if there are contacts on both sides
  for (std::size_t i = 0; i < steps; ++i) {
    if (nodes[i].contact) {
      (nodes[i].mode == Mode::stick ? s.stick : s.slip) += p.h;
      continue;
    }
    std::size_t next = i;
    while (next < steps && !nodes[next].contact) ++next;
    bool before = false;
    for (std::size_t j = 0; j < i; ++j) before = before || nodes[j].contact;
    (before && next < steps && !impact[next] ? s.slip : s.flight) += p.h;
  }
  for (const NodeRecord& node : nodes) s.penetration = std::max(s.penetration, std::max(0.0, p.g(numbers(node.q))) / length(p.slope(numbers(node.q))));
  return s;
}

TEST(Properties, StandardQuantitiesAreThoseOfTheSpecification) {
  Differences whole("(O5) stick + slip + flight = T"), quantities("standard quantities");
  double stick = 0, slip = 0, flight = 0, gaps = 0, impacts = 0;
  for_random_motions(15, scenario_count(200, 3000), [&](const Motion& motion) {
    using scenario::Standard;
    const RandomProblem& p = motion.problem;
    const Standards s = standards_of(motion);
    // h times whole numbers that add up to N: three roundings
    whole.compare(motion.value(Standard::stick_time) + motion.value(Standard::slip_time) + motion.value(Standard::flight_time), p.end, 8 * eps * p.end,
                  motion.name);
    const auto compare = [&](Standard which, double expected) {
      // sums of N terms in another order of rounding
      quantities.compare(motion.value(which), expected, 1e-12 * (1 + std::fabs(expected)), motion.name + ", " + std::string(to_name(which)));
    };
    compare(Standard::first_contact, s.first_contact);
    compare(Standard::stick_time, s.stick);
    compare(Standard::dissipated, s.dissipated);
    compare(Standard::impulse, s.impulse);
    compare(Standard::variation, s.variation);
    compare(Standard::penetration, s.penetration);
    if (s.certain) compare(Standard::impacts, s.impacts), compare(Standard::slip_time, s.slip), compare(Standard::flight_time, s.flight);
    stick += s.stick, slip += s.slip, flight += s.flight, impacts += s.impacts;
    for (const NodeRecord& node : motion.kept.nodes) gaps += node.contact && node.contact->onset && !node.contact->impact && node.i > 0 ? 1 : 0;
  });
  EXPECT_TRUE(whole.none());
  EXPECT_TRUE(quantities.none());
  std::cout << "stick " << stick << ", slip " << slip << ", flight " << flight << ", impacts " << impacts << ", onsets without impact " << gaps << "\n";
  // the sample is not one-sided
  for (const double x : {stick, slip, flight, impacts, gaps}) EXPECT_GT(x, 10);
}

}  // namespace
}  // namespace conesweep
