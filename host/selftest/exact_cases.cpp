#include "selftest/exact_cases.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/error.hpp"
#include "support/text.hpp"

// Tolerances follow from the scheme: it is of first order, an event is seen at the next node, so a time is late by up
// to a step h and a place by the speed times h. "To rounding" is 1e-12: some thousand steps of numbers of size 1.

namespace conesweep::selftest {
namespace {

using executor::Status;
using List = std::vector<Expectation>;
constexpr double rounding = 1e-12;

// E1: falls from H with speed u, hits at √(2H/g), loses μ√(2gH) of u in the impact, slides until friction has taken the
// rest
List expect_fall(const Given& p) {
  const double g = p("g"), mu = p("mu"), u = p("u"), h = p.h();
  const double hit = std::sqrt(2 * p("H") / g), left = std::max(0.0, u - mu * std::sqrt(2 * g * p("H")));
  return {{"first_contact", hit, h},
          // late by a step; each changes the speed left by μgh
          {"stopped", hit + left / (mu * g), 4 * h},
          // a step at speed u, and its effect on the slide
          {"final.x", u * hit + left * left / (2 * mu * g), 3 * h * u},
          {"final.vx", 0, 0},
          {"impacts", 1, 0}};
}

// E2: down a slope from rest, x = a T²/2; the scheme is ahead by half a step and by nothing else
List expect_slide(const Given& p) {
  const double a = p("g") * (std::sin(p("theta")) - p("mu") * std::cos(p("theta")));
  return {{"final.x", a * p.end() * (p.end() + p.h()) / 2, rounding}, {"moved", 1, 0}};
}

// E2: below the friction angle not one bit of the motion changes, and what lies there loses no energy (O6)
List expect_stick(const Given&) {
  return {{"moved", 0, 0}, {"final.x", 0, 0}, {"final.vx", 0, 0}, {"dissipated", 0, 0}};
}

// E3: a half swing loses 2μg/k; at rest at the first turning point within μg/k. From one turning point to the next the
// scheme is the leapfrog
List expect_rest_of_oscillator(const Given& p) {
  const double dead = p("mu") * p("g") / p("k");
  double x = p("A"), time = 0;
  int half_swings = 0;
  for (; std::fabs(x) > dead; ++half_swings)
    x = -(x - std::copysign(2 * dead, x)), time += std::numbers::pi / std::sqrt(p("k"));
  const int turns = half_swings / 2;  // whole ones
  return {{"final.x", x, p("k") * p.h() * p.h() * p("A")},
          {"final.vx", 0, 0},
          {"turns", static_cast<double>(turns), 0},
          {"rested", time, p.h() * (1 + half_swings)}};
}

// E4: x'' = -k x(t-τ), past 1: the method of steps, x = Σ (-k)ⁿ (t-(n-1)τ)²ⁿ/(2n)! over terms that have begun; half a
// step ahead, |x'| <= 2kT
List expect_method_of_steps(const Given& p) {
  double x = 1, factorial = 1;
  for (int n = 1; p.end() - (n - 1) * p("tau") > 0; ++n) {
    factorial *= 2 * n * (2 * n - 1);
    x += std::pow(-p("k"), n) * std::pow(p.end() - (n - 1) * p("tau"), 2 * n) / factorial;
  }
  return {{"final.x", x, p("k") * p.end() * p.h()}, {"flight_time", p.end(), rounding}};
}

// E5: s = s0/(1 + μ s0 t/R) along a rough circular wall. A tangent of length s h loses h s³/(2R²) a unit of time
// beside; the radius grows by h s²/(2R)
List expect_bowl(const Given& p) {
  const double R = p("R"), s0 = p("s0"), mu = p("mu"), T = p.end(), h = p.h();
  const double s = s0 / (1 + mu * s0 * T / R), slack = h * (s0 * s0 / R) * (2 * mu + s0 * T / (2 * R));
  return {{"speed_error", 0, slack}, {"dissipated", (s0 * s0 - s * s) / 2, s0 * slack}, {"drift", h, 0.1 * h}};
}

// E6: s² = s0² - 2g∫μ dx with μ = μ0 + μ1 x; half a step at speed s0 is missing at the start
List expect_rougher_ground(const Given& p) {
  const double place = (std::sqrt(p("mu0") * p("mu0") + p("mu1") * p("s0") * p("s0") / p("g")) - p("mu0")) / p("mu1");
  return {{"final.x", place, p("s0") * p.h()},
          {"final.vx", 0, 0},
          {"energy_error", 0, p("g") * (p("mu0") + p("mu1") * place) * p("s0") * p.h()}};
}

// E8: force 2, distance 1: impacts at 1, 1 + 2e, …, at rest from 1 + 2e/(1-e); each impact, of speed 2eⁿ, is late by up
// to a step
List expect_bounces(const Given& p) {
  const double e = p("e"), h = p.h(), slow = 0.01 / (1 - e);  // `rest` is when it was last faster than 0.01
  return {{"first_contact", 1, h},
          {"path", (1 + e * e) / (1 - e * e), 2 * h / (1 - e)},
          {"rest", 1 + 2 * e / (1 - e) - slow / 2, slow / 2 + 20 * h},
          {"final.vx", 0, 0}};
}

// E12: q = -ln(1 - v0 t), which ends at 1/v0; the scheme is late by at most h (10 - ln(v0 h)): 1/v falls by h - h² v a
// step
List expect_end(const Given& p) {
  const double late = p.h() * (10 - std::log(p("v0") * p.h()));
  return {{"stop_time", 1 / p("v0") + late / 2, late / 2}};
}
List expect_growth(const Given& p) {
  const double left = 1 - p("v0") * p.end(), q = -std::log(left);
  return {{"final.q", q, p.h() * p("v0") * (1 + q) / left}};
}

// (P12) from wall to wall without force: an impact keeps the share e across and takes μ(1+e) times the speed across off
// the speed along
List expect_corridor(const Given& p) {
  double along = p("u"), across = p("s"), t = p("W") / 2 / across;
  int impacts = 0;
  for (; t < p.end(); ++impacts) {
    along = std::max(0.0, along - p("mu") * (1 + p("e")) * std::fabs(across));
    across *= -p("e");
    t += p("W") / std::fabs(across);
  }
  return {{"impacts", static_cast<double>(impacts), 0}, {"final.vx", along, rounding}, {"final.vy", across, rounding}};
}

// (P11) the spring pulls with kVt until that is μ_s g: at the next node it slips, after having stuck to the last bit
List expect_first_slip(const Given& p) {
  const double first = p("g") * std::tan(p("alpha_s")) / (p("k") * p("V"));
  return {{"first_slip", first + p.h() / 2, p.h() / 2 + rounding}, {"low_error", 0, 4 * p("k") * p("V") * p.h()}};
}

// (P10) while the controller sees the past v0 t, v' = k (target - v0 (t - τ)) - g tan α: a parabola that friction ends
// before τ, for good
List expect_stop_in_the_past(const Given& p) {
  // v = v0 + a t - b t²/2
  const double a = p("k") * (p("target") + p("v0") * p("tau")) - p("g") * std::tan(p("alpha")), b = p("k") * p("v0");
  const double stop = (a + std::sqrt(a * a + 2 * b * p("v0"))) / b;
  const double x = p("v0") * stop + a * stop * stop / 2 - b * stop * stop * stop / 6;
  // Riemann sums of monotone functions: the speed is off by a step of the largest deceleration, the place by a step of
  // v0 and by that for a time `stop`
  const double force = std::fabs(a) + b * stop, slack = p.h() * (p("v0") + stop * force);
  return {{"reach", x, slack}, {"settled", stop, 2 * p.h()}, {"final.x", x, slack}, {"final.vx", 0, 0}};
}

// (P10) the impulse of the controller while it sees the past x0 + A (cos(wt + φ) - cos φ), in closed form; a sum over
// steps, the last one cut by τ
List expect_push_of_the_past(const Given& p) {
  const double k = p("k"), A = p("A"), w = p("w"), tau = p("tau"), apart = p("target") - p("x0");
  const double push =
      k * ((apart + A * std::cos(p("phi"))) * tau - A * (std::sin(p("phi")) - std::sin(p("phi") - w * tau)) / w);
  return {{"push", push, p.h() * (k * (std::fabs(apart) + 2 * A) + k * A * w * tau)},
          {"first_contact", std::sqrt(2 * p("H") / p("g")), p.h()}};
}

double get(const scenario::Scenario& scenario, const executor::Outcome& outcome, const std::string& quantity,
           std::size_t m) {
  if (quantity == "stop_time") return outcome.stop_time[m];
  const auto names = observable_names(scenario);
  const auto found = std::find(names.begin(), names.end(), quantity);
  CS_ASSERT(found != names.end());
  return outcome.observables[static_cast<std::size_t>(found - names.begin())][m];
}

}  // namespace

double Given::operator()(const std::string& parameter) const {
  const auto& names = scenario_->names.parameters;
  const auto found = std::find(names.begin(), names.end(), parameter);
  CS_ASSERT(found != names.end());
  return parameters_[static_cast<std::size_t>(found - names.begin())];
}

std::vector<ExactCase> exact_cases() {
  return {
      {"E1", "falls, slides, stops", "falling_slider", {{"H", 0.5}, {"u", 3}, {"mu", 0.4}}, expect_fall},
      {"E1", "falls and sticks at once", "falling_slider", {{"H", 1}, {"u", 1}, {"mu", 0.3}}, expect_fall},
      {"E2", "slides down a slope", "slope", {{"theta", 0.4}, {"mu", 0.3}}, expect_slide},
      {"E2", "sticks on a slope to the last bit", "slope", {{"theta", 0.4}, {"mu", 0.43}}, expect_stick},
      {"E3",
       "rests after five half swings",
       "dry_friction_oscillator",
       {{"A", 1}, {"mu", 0.1}},
       expect_rest_of_oscillator},
      {"E3",
       "rests after two half swings",
       "dry_friction_oscillator",
       {{"A", 1.1}, {"mu", 0.25}},
       expect_rest_of_oscillator},
      {"E4",
       "a delay of a whole number of steps",
       "delayed_feedback",
       {{"k", 2}, {"tau", 0.6}},
       expect_method_of_steps},
      {"E4", "a delay between two nodes", "delayed_feedback", {{"k", 4}, {"tau", 0.40037}}, expect_method_of_steps},
      {"E5", "slows down along a rough circular wall", "rough_bowl", {{"mu", 0.3}, {"s0", 2}}, expect_bowl},
      {"E6", "stops on ever rougher ground", "variable_friction", {{"s0", 3}, {"mu1", 0.3}}, expect_rougher_ground},
      {"E8", "infinitely many bounces", "bouncing_ball", {{"e", 0.5}}, expect_bounces},
      {"E12", "ends where the speed becomes infinite", "blow_up", {{"v0", 1}}, expect_end, Status::non_finite},
      {"E12", "grows like a logarithm before", "blow_up", {{"v0", 0.5}}, expect_growth},
      {"P12", "friction and restitution in impacts", "corridor", {{"e", 0.8}, {"mu", 0.1}, {"u", 3}}, expect_corridor},
      {"P11",
       "sticks and slips at two angles",
       "static_dynamic_friction",
       {{"alpha_s", 0.45}, {"alpha_d", 0.25}, {"V", 0.5}},
       expect_first_slip},
      {"P10",
       "stops while the past is felt",
       "slider",
       {{"alpha", 0.6}, {"v0", 0.3}, {"tau", 0.4}},
       expect_stop_in_the_past},
      {"P10",
       "is pushed by its past",
       "random_past",
       {{"alpha", 0.35}, {"u", 1.5}, {"phi", 0.7}, {"k", 3.3}, {"tau", 0.2}, {"A", 0.75}, {"x0", 0.1}, {"H", 0.06}},
       expect_push_of_the_past},
  };
}

executor::Chunk make_chunk(const scenario::Scenario& scenario, const std::vector<const ExactCase*>& cases) {
  executor::Chunk chunk{{scenario, 0, std::ssize(cases)}};
  for (const auto& variation : scenario.vary) {
    const std::string& name = scenario.names.parameters[static_cast<std::size_t>(variation.parameter)];
    auto& column = chunk.varied.emplace_back();
    for (const ExactCase* exact : cases) {
      const auto found = std::find_if(exact->parameters.begin(), exact->parameters.end(),
                                      [&](const auto& given) { return given.first == name; });
      CS_ASSERT(found != exact->parameters.end());
      column.push_back(found->second);
    }
  }
  return chunk;
}

std::vector<std::string> find_wrong(const scenario::Scenario& scenario, const ExactCase& exact,
                                    const executor::Chunk& chunk, const executor::Outcome& outcome, std::size_t m) {
  const std::string place = exact.name + " (" + exact.sample + ", " + exact.what + "): ";
  if (outcome.status[m] != exact.status)
    return {place + "status " + std::string(to_name(outcome.status[m])) + ", expected " +
            std::string(to_name(exact.status))};
  std::vector<double> varied;
  for (const auto& column : chunk.varied) varied.push_back(column[m]);
  std::vector<std::string> wrong;
  for (const Expectation& expected : exact.expect(Given(scenario, member_parameters(scenario, varied)))) {
    const double got = get(scenario, outcome, expected.quantity, m);
    if (!(std::fabs(got - expected.value) <= expected.tolerance))
      wrong.push_back(place + expected.quantity + " is " + format_number(got) +
                      ", exact: " + format_number(expected.value) +
                      (expected.tolerance > 0 ? " to " + format_short(expected.tolerance, 3) : " to the last bit"));
  }
  return wrong;
}

}  // namespace conesweep::selftest
