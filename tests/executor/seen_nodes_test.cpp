// (O9): reducers that see only some nodes, shares, crossings and periods; by hand, in closed form, and made again from
// trajectories.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "executor/agreement.hpp"
#include "oracle/differences.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

using executor::Status;
using oracle::Differences;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class SeenNodes : public OnExecutor {
 protected:
  SeenMember see(const std::string& text) const { return see_member(parse_scenario(text), backend()); }

  /// Each observable is the number beside it; NaN is NaN.
  struct Expected {
    std::string observable;
    double value;
  };
  void expect(const std::string& model, const std::vector<Expected>& list) const {
    std::string text = model + "[observe]\nstandard = []\n";
    for (std::size_t k = 0; k < list.size(); ++k)
      text += "o" + std::to_string(k) + " = { " + list[k].observable + " }\n";
    const SeenMember member = see(text);
    ASSERT_EQ(member.status, Status::ok);
    for (std::size_t k = 0; k < list.size(); ++k) {
      const double got = member.observed("o" + std::to_string(k)), wanted = list[k].value;
      EXPECT_TRUE(got == wanted || (std::isnan(got) && std::isnan(wanted)))
          << list[k].observable << ": " << got << ", not " << wanted;
    }
  }
};
ON_EVERY_EXECUTOR(SeenNodes);

// x = t/2, 16 steps of 1/8: x_i = i/16
const std::string flight = R"toml([model]
coordinates = ["x"]
force = ["0"]
[model.parameters]
late = 1.0
[start]
x = "t/2"
[time]
end = 2
step = 0.125
)toml";

TEST_P(SeenNodes, AreThoseBetweenAfterAndBefore) {
  expect(flight, {{R"~(max = "x", before = 1)~", 0.5},
                  {R"~(min = "x", after = "end/2")~", 0.5},
                  {R"~(max = "x", before = "late/3")~", 0.125},  // 1/3 is between nodes 2 and 3
                  {R"~(min = "x", after = "late/3")~", 0.1875},
                  {R"~(final = "x", before = "1")~", 0.5},
                  {R"~(final = "x", after = 0.5)~", 1},
                  {R"~(final = "x", before = 7)~", 1},
                  {R"~(integral = "1", after = 0.5, before = 1.5)~", 1},
                  {R"~(integral = "x", after = 1)~", 0.125 * (8 + 15) * 4 / 16},  // nodes 8 … 15
                  {R"~(mean = "x", after = 1)~", 11.5 / 16},
                  {R"~(mean = "x", after = "late/2", before = "late")~", 5.5 / 16},  // nodes 4 … 7
                  {R"~(first_time = "x >= 0", after = 0.3)~", 0.375},
                  {R"~(first_time = "x > 0.5", before = 1)~", nan},
                  {R"~(last_time = "x >= 0", before = 1.3)~", 1.25},
                  {R"~(count = "x >= 0", after = 1)~", 1},  // true at the first node seen counts
                  {R"~(count = "mod(t, 0.5) < 0.25", after = 0.25, before = 1.5)~", 3},
                  {R"~(share = "x < 0.5")~", 0.5},
                  {R"~(share = "x < 0.5", after = 0.5, before = 1.25)~", 4.0 / 6},
                  {R"~(share = "t >= 2")~", 0},  // node N has no step
                  {R"~(crossings = "x - 0.4")~", 1},
                  {R"~(crossings = "x - 0.4", after = 1)~", 0}});
}

TEST_P(SeenNodes, HoldANodeThatIsMetButForRounding) {
  expect(flight, {{R"~(min = "x", after = "1 + 1e-12")~", 0.5},
                  {R"~(max = "x", before = "1 - 1e-12")~", 0.5},
                  {R"~(min = "x", after = "1 + 1e-8")~", 0.5625},
                  {R"~(max = "x", before = "1 - 1e-8")~", 0.4375}});
}

// The same where `late` is drawn: of late - late, which is 0, bounds know that it lies between -8 and 8. A file is
// refused where it is certain that no member sees a node.
const std::string drawn_flight = flight + "[vary]\nlate = { uniform = [1, 9] }\n";

TEST_P(SeenNodes, MayBeNone) {
  for (const std::string none : {"after = \"3 + (late - late)\"", "before = \"-1 + (late - late)\"",
                                 "after = 1.5, before = \"1 + (late - late)\"", "after = \"sqrt(-late)\""})
    expect(drawn_flight, {{"max = \"x\", " + none, nan},
                          {"min = \"x\", " + none, nan},
                          {"final = \"x\", " + none, nan},
                          {"integral = \"x\", " + none, nan},
                          {"mean = \"x\", " + none, nan},
                          {"share = \"x > 0\", " + none, nan},
                          {"first_time = \"x > 0\", " + none, nan},
                          {"last_time = \"x > 0\", " + none, nan},
                          {"period = \"x\", " + none, nan},
                          {"count = \"x > 0\", " + none, 0},
                          {"crossings = \"x - 0.4\", " + none, 0}});
}

TEST_P(SeenNodes, MayBeOneWithoutAStep) {
  for (const std::string one : {"after = \"2 + (late - late)\"", "after = 0.5, before = \"0.55 + (late - late)\""}) {
    const double x = one.find("before") == std::string::npos ? 1 : 0.25;
    expect(drawn_flight, {{"max = \"x\", " + one, x},
                          {"final = \"x\", " + one, x},
                          {"integral = \"x\", " + one, 0},
                          {"mean = \"x\", " + one, nan},
                          {"share = \"x > 0\", " + one, nan},
                          {"count = \"x > 0\", " + one, 1}});
  }
}

TEST_P(SeenNodes, CrossWhereTheSignChangesAndZeroHasNone) {
  // |x - 0.5| touches 0 at a node; max(0, …) stays there for a while
  expect(flight, {{R"~(crossings = "abs(x - 0.5)")~", 0},
                  {R"~(crossings = "x - 0.5")~", 1},
                  {R"~(crossings = "max(x - 0.5, 0) - max(0.25 - x, 0)")~", 1},
                  // what is no number has no sign
                  {R"~(crossings = "if(x > 0.3 and x < 0.6, sqrt(-1), x - 0.5)")~", 1},
                  {R"~(crossings = "sin(4*pi*t + 0.5)")~", 8},
                  {R"~(period = "if(mod(t, 0.5) < 0.25, 1, -1)")~", 0.5},
                  {R"~(period = "x - 0.5")~", nan}});
}

// x'' = -x, x = sin t. The scheme's own period is π h / asin(h/2).
const std::string oscillator = R"toml([model]
coordinates = ["x"]
force = ["-x"]
[start]
x = "sin(t)"
[time]
end = 40
step = 0.01
[observe]
zeros = { crossings = "x" }
late_zeros = { crossings = "x", after = "end/2" }
cycle = { period = "x" }
late_cycle = { period = "vx", after = "end/2" }
half = { share = "x > 0", before = "8*pi" }
sixth = { share = "x > sin(pi/3)", before = "8*pi" }
reach = { max = "x", after = "pi", before = "2*pi" }
)toml";

TEST_P(SeenNodes, OfAnOscillatorAreThoseOfASine) {
  const SeenMember member = see(oscillator);
  const double pi = std::numbers::pi, h = 0.01, period = pi * h / std::asin(h / 2);
  EXPECT_EQ(member.observed("zeros"), 12);      // π … 12π
  EXPECT_EQ(member.observed("late_zeros"), 6);  // 7π … 12π
  EXPECT_NEAR(member.observed("cycle"), period, 1e-6);
  EXPECT_NEAR(member.observed("cycle"), 2 * pi, 3e-5);  // 2π h²/24
  EXPECT_NEAR(member.observed("late_cycle"), period, 1e-5);
  EXPECT_NEAR(member.observed("half"), 0.5, h / pi);
  EXPECT_NEAR(member.observed("sixth"), 1.0 / 6, h / pi);
  EXPECT_NEAR(member.observed("reach"), 0, h);
}

// Van der Pol's oscillator with mu = 1 has the period 6.6632868593 and the amplitude 2.0086198609, once the start is
// forgotten. The scheme has order 1.
TEST_P(SeenNodes, OfALimitCycleGiveItsKnownPeriod) {
  const std::string text = R"toml([model]
coordinates = ["x"]
force = ["(1 - x^2)*vx - x"]
[start]
x = "0.5"
[time]
end = 60
step = 0.01
[observe]
standard = []
cycle = { period = "x", after = "end/2" }
amplitude = { max = "x", after = "end/2" }
)toml";
  const auto at_step = [&](double step) {
    scenario::Overrides overrides;
    overrides.step = step;
    return see_member(parse_scenario(text, overrides), backend());
  };
  const SeenMember coarse = at_step(0.01), fine = at_step(0.005);
  const auto extrapolated = [&](const std::string& name) { return 2 * fine.observed(name) - coarse.observed(name); };
  EXPECT_NEAR(fine.observed("cycle"), 6.6632868593, 0.02);
  EXPECT_NEAR(extrapolated("cycle"), 6.6632868593, 1e-4);
  EXPECT_NEAR(extrapolated("amplitude"), 2.0086198609, 1e-4);
}

// ---- made again from trajectories ----

// A ball that bounces along a rough floor on a spring, with a push that was there a while ago.
const std::string bouncing = R"toml([model]
coordinates = ["x", "y"]
force = ["-20*x + 3*cos(5*t) - 4*delay(x, 0.1)", "-9.81"]
[model.parameters]
mu = 0.2
from = 0.3
to = 0.9
[[model.contact]]
inside = "y >= 0"
friction = "mu"
restitution = 0.7
[start]
x = "1 + 0.3*t"
y = "0.1"
[time]
end = 2
step = 0.01
)toml";

// What a reducer makes of the values at nodes first … last, of which node N = nodes.size() - 1 has no step.
double reduce_again(const std::string& reducer, const std::vector<double>& x, long first, long last, double h) {
  const bool none = first > last;
  const auto at = [&](long i) { return x[static_cast<std::size_t>(i)]; };
  double sum = 0, best = nan;
  long count = 0, changes = 0, sign = 0;
  std::vector<double> rises;
  for (long i = first; i <= last; ++i) {
    if (i < last) sum += at(i);
    if (reducer == "final") best = at(i);
    if (reducer == "max") best = std::isnan(best) ? at(i) : std::max(best, at(i));
    if (reducer == "min") best = std::isnan(best) ? at(i) : std::min(best, at(i));
    if (reducer == "first_time" && at(i) > 0 && std::isnan(best)) best = static_cast<double>(i) * h;
    if (reducer == "last_time" && at(i) > 0) best = static_cast<double>(i) * h;
    if (at(i) > 0 && (i == first || !(at(i - 1) > 0))) ++count;
    const long now = at(i) > 0 ? 1 : at(i) < 0 ? -1 : 0;
    if (now * sign < 0) ++changes;
    if (now > 0 && sign < 0) rises.push_back((static_cast<double>(i) - at(i) / (at(i) - at(i - 1))) * h);
    if (now != 0) sign = now;
  }
  const double steps = static_cast<double>(last - first);
  if (reducer == "integral") return none ? nan : h * sum;
  if (reducer == "mean" || reducer == "share") return steps > 0 ? sum / steps : nan;
  if (reducer == "count") return static_cast<double>(count);
  if (reducer == "crossings") return static_cast<double>(changes);
  if (reducer == "period")
    return rises.size() > 1 ? (rises.back() - rises.front()) / static_cast<double>(rises.size() - 1) : nan;
  return best;
}

std::string every_reducer(const std::string& number, const std::string& range) {
  std::string text;
  for (const auto& row : scenario::reducers)
    text += std::string(row.name) + "_o = { " + std::string(row.name) + " = \"" + number +
            (row.takes_condition ? " > 0" : "") + "\", " + range + " }\n";
  return text;
}

TEST_P(SeenNodes, OfEveryMemberAreMadeAgainFromItsTrajectory) {
  const auto scenario =
      parse_scenario(bouncing + "[observe]\n" + every_reducer("x + 0.1*vy", "after = \"from\", before = \"to*end\""));
  std::vector<std::vector<double>> rows;
  // windows get shorter, and none at the end
  for (int m = 0; m < 37; ++m) rows.push_back({0.1 + 0.01 * m, 0.037 * m, 1.05 - 0.02 * m});
  Differences all("reducers over some nodes");
  long none = 0;
  const auto members = see_members(scenario, backend(), rows);
  for (std::size_t m = 0; m < members.size(); ++m) {
    const SeenMember& member = members[m];
    ASSERT_EQ(member.status, Status::ok);
    std::vector<double> x;
    for (const SeenNode& node : member.nodes) x.push_back(node.q[0] + 0.1 * node.v[1]);
    ASSERT_EQ(x.size(), 201u);
    const long first = static_cast<long>(std::ceil(rows[m][1] / 0.01 - 1e-9)),
               last = std::min(200L, static_cast<long>(std::floor(rows[m][2] * 2 / 0.01 + 1e-9)));
    none += first > last ? 1 : 0;
    for (const auto& row : scenario::reducers) {
      std::vector<double> seen = x;
      if (row.value == scenario::Reducer::share)
        for (double& value : seen) value = value > 0 ? 1 : 0;
      const std::string name(row.name);
      all.compare(member.observed(name + "_o"), reduce_again(name, seen, first, last, 0.01), 1e-12,
                  name + " of member " + std::to_string(m));
    }
  }
  EXPECT_TRUE(all.none());
  EXPECT_GT(none, 0);
  EXPECT_LT(none, 10);
}

TEST_P(SeenNodes, HaveTheSameBitsOnEveryFastExecutor) {
  if (is_reference()) return;
  const auto scenario = parse_scenario(bouncing +
                                       "[ensemble]\nmembers = 33\n[vary]\nmu = { uniform = [0, 0.5] }\nfrom = { "
                                       "uniform = [-0.5, 2.5] }\nto = { uniform = [0, 1.2] }\n[observe]\n" +
                                       every_reducer("x + 0.1*vy", "after = \"from\", before = \"to*end\"") +
                                       "all = { period = \"x\" }\nsome = { max = \"x\", before = \"to*end\" }\n");
  EXPECT_TRUE(same_bits(scenario, run_first(scenario, backend(), 33), run_first(scenario, "cpu", 33)));
  EXPECT_TRUE(agree(scenario, run_first(scenario, backend(), 33), run_first(scenario, "reference", 33), 1e-10, 0.1));
}

}  // namespace
}  // namespace conesweep::test
