// (O10): members that end where a condition holds. A member that ended at t is, to the bit, the same member in a
// scenario that ends at t.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <set>

#include "executor/agreement.hpp"
#include "oracle/differences.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

using executor::Outcome;
using executor::Status;
using oracle::Differences;
using scenario::Scenario;

class Stopped : public OnExecutor {
 protected:
  SeenMember see(const std::string& text) const { return see_member(parse_scenario(text), backend()); }
};
ON_EVERY_EXECUTOR(Stopped);

std::string falling(const std::string& stop) {
  return R"toml([model]
coordinates = ["y"]
force = ["-8"]
[model.parameters]
level = 0.25
[start]
y = "1"
[time]
end = 2
step = 0.015625
stop = ")toml" +
         stop + R"toml("
[observe]
way = { integral = "-vy" }
mean_speed = { mean = "-vy" }
low = { share = "y < 0.5" }
late = { min = "y", after = "end/4" }
lowest = { min = "y" }
last = { final = "y + 100*t" }
)toml";
}

// y_i = 1 - 8 h² i(i+1)/2 without any rounding
double height(long i) { return 1 - 8 * 0.015625 * 0.015625 * static_cast<double>(i * (i + 1)) / 2; }

TEST_P(Stopped, ABlockThatFallsEndsAtTheFirstNodeBelowAHeight) {
  const SeenMember member = see(falling("y <= level"));
  long node = 0;
  while (height(node) > 0.25) ++node;
  const double h = 0.015625, end = static_cast<double>(node) * h;
  EXPECT_EQ(member.status, Status::ok);
  EXPECT_TRUE(std::isnan(member.stop_time));
  EXPECT_EQ(member.observed("end_time"), end);
  EXPECT_NEAR(end, std::sqrt(2 * 0.75 / 8), h);  // when a body falls by 3/4
  EXPECT_EQ(member.observed("final.y"), height(node));
  EXPECT_EQ(member.observed("final.vy"), -8 * end);
  EXPECT_EQ(member.observed("last"), height(node) + 100 * end);
  EXPECT_EQ(member.observed("lowest"), height(node));
  EXPECT_EQ(member.observed("way"), 1 - height(node));
  EXPECT_NEAR(member.observed("mean_speed"), (1 - height(node)) / end, 1e-15);  // over the time seen
  EXPECT_EQ(member.observed("flight_time"), end);
  long low = 0;
  for (long i = 0; i < node; ++i) low += height(i) < 0.5 ? 1 : 0;
  EXPECT_NEAR(member.observed("low"), static_cast<double>(low) / static_cast<double>(node), 1e-15);
  EXPECT_TRUE(std::isnan(member.observed("late")));  // end is that of the scenario, 2: nodes from 0.5 on
  ASSERT_EQ(member.nodes.size(), static_cast<std::size_t>(node + 1));
  EXPECT_EQ(member.nodes.back().q[0], height(node));
  EXPECT_EQ(member.nodes.back().v[0], -8 * end);
}

TEST_P(Stopped, AMemberGoesOnToTheEndWhereNothingHolds) {
  const SeenMember member = see(falling("y > 2"));
  EXPECT_EQ(member.observed("end_time"), 2);
  EXPECT_EQ(member.nodes.size(), 129u);
  EXPECT_EQ(member.observed("final.y"), height(128));
}

TEST_P(Stopped, AMemberMayEndWhereItStarts) {
  const SeenMember member = see(falling("vy <= 0"));  // v_{-1} = 0
  EXPECT_EQ(member.status, Status::ok);
  EXPECT_EQ(member.observed("end_time"), 0);
  EXPECT_EQ(member.observed("final.y"), 1);
  EXPECT_EQ(member.observed("way"), 0);
  EXPECT_TRUE(std::isnan(member.observed("mean_speed")));
  EXPECT_EQ(member.observed("lowest"), 1);
  EXPECT_EQ(member.nodes.size(), 1u);
}

TEST_P(Stopped, TheConditionSeesTheVelocityThatLedToTheNode) {
  const SeenMember member = see(falling("vy <= -1"));  // v_{i-1} = -8 h i
  EXPECT_EQ(member.observed("end_time"), 0.125);
  EXPECT_EQ(member.observed("final.vy"), -1);
}

TEST_P(Stopped, TheConditionMayLookBack) {
  const SeenMember member = see(falling("delay(y, 0.25) <= level and window_max(y, 0.125) < 0.2"));
  long node = 0;
  while (height(node) > 0.25) ++node;
  EXPECT_EQ(member.observed("end_time"), static_cast<double>(node + 16) * 0.015625);
}

TEST_P(Stopped, AStateThatIsNoNumberIsStillTold) {
  // NaN from t = 1/4 on; the condition would hold there
  const SeenMember member = see(R"toml([model]
coordinates = ["x"]
force = ["sqrt(0.25 - t)"]
[start]
x = "0"
[time]
end = 1
step = 0.015625
stop = "not (x < 1)"
)toml");
  EXPECT_EQ(member.status, Status::non_finite);
  EXPECT_EQ(member.stop_time, 0.265625);
  EXPECT_TRUE(std::isnan(member.observed("end_time")));
}

// ---- ends at other times: bits do not depend on neighbours ----

std::string particle(const std::string& time) {
  return R"toml([model]
coordinates = ["x", "y"]
force = ["12*sin(5*t) - 4*delay(x, tau)", "-9.81"]
[model.parameters]
mu = 0.4
tau = 0.1
height = 0.3
[[model.contact]]
name = "floor"
inside = "y >= 0.1*x"
friction = "mu"
restitution = 0.7
[start]
x = "0.5*t"
y = "height"
[time]
step = 0.0078125
)toml" + time +
         R"toml([observe]
also = ["work", "drive_work", "gained"]
o_final = { final = "x + delay(y, 0.2)" }
o_max = { max = "x + delay(y, tau)" }
o_mean = { mean = "window_mean(x, 0.15)" }
o_integral = { integral = "window_max(y, tau)" }
o_last = { final = "window_min(y, 0.3) - window_mean(x*now(y), 0.1)" }
o_count = { count = "x > 0.2" }
o_share = { share = "x > 0.1" }
o_crossings = { crossings = "vx" }
o_period = { period = "x - 0.1", after = 0.25 }
o_time = { last_time = "y < 0.1", before = 1.5 }
[record]
members = 11
every = 3
)toml";
}

// two blocks in a line with a spring, one rubs: every step is solved together
std::string blocks(const std::string& time) {
  return R"toml([model]
coordinates = ["x", "z"]
mass = [1, 2]
force = ["-30*(x - z) + 3*cos(4*t)", "30*(x - z)"]
[model.parameters]
mu = 1.0
tau = 0.1
height = 0.3
[[model.resistance]]
name = "rub"
slip = ["vx"]
limit = "mu"
[[model.contact]]
name = "wall"
slip = ["vx"]
inside = "z <= 0.4"
restitution = 0.5
[start]
x = "height"
z = "0.2"
[time]
step = 0.0078125
)toml" + time +
         R"toml([observe]
also = ["work"]
o_final = { final = "x + delay(z, 0.2)" }
o_load = { max = "normal(wall)" }
o_mean = { mean = "window_mean(x, 0.15)" }
o_share = { share = "abs(vx) < 1e-9" }
[record]
members = 11
every = 3
)toml";
}

const std::string vary =
    "[ensemble]\nmembers = 37\n[vary]\nmu = { uniform = [0.3, 0.8] }\ntau = { uniform = [0, 0.2] }\nheight = { uniform "
    "= [0.2, 0.4] }\n";

class StoppedCrowd : public Stopped {
 protected:
  static std::size_t place_of(const Scenario& scenario, const std::string& name) {
    const auto names = observable_names(scenario);
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  /// Every member once more by itself, in a scenario that ends where the member did.
  void expect_own_ends(const std::function<std::string(const std::string&)>& model, const std::string& stop) const {
    const Scenario crowd = parse_scenario(model("end = 2\nstop = \"" + stop + "\"\n") + vary);
    const auto drawn = sampling::draw(crowd, 0, 37);
    const Outcome whole = run_first(crowd, backend(), 37);
    const std::size_t end_time = place_of(crowd, "end_time");
    Differences numbers("members with ends of their own"), sums("times add up");
    std::set<double> ends;
    for (std::size_t m = 0; m < 37; m += backend() == "cuda" ? 5 : 1) {
      ASSERT_EQ(whole.status[m], Status::ok);
      EXPECT_TRUE(std::isnan(whole.stop_time[m]));
      const double end = whole.observables[end_time][m];
      ends.insert(end);
      if (end == 0) continue;
      scenario::Overrides own;
      own.end = end;
      for (std::size_t p = 0; p < drawn.size(); ++p)
        own.set.emplace_back(crowd.names.parameters[static_cast<std::size_t>(crowd.vary[p].parameter)], drawn[p][m]);
      const Scenario alone = parse_scenario(model("end = 2\n"), own);
      const Outcome one = run_first(alone, backend(), 1);
      ASSERT_EQ(one.status[0], Status::ok);
      for (std::size_t k = 0, of = 0; k < whole.observables.size(); ++k) {
        if (k == end_time) continue;
        numbers.compare_bits(whole.observables[k][m], one.observables[of++][0],
                             observable_names(crowd)[k] + " of member " + std::to_string(m));
      }
      double all = 0;
      for (const char* part : {"stick_time", "slip_time", "flight_time"})
        all += whole.observables[place_of(crowd, part)][m];
      sums.compare(all, end, 1e-14, "member " + std::to_string(m));
      if (m >= 11) continue;
      const auto &tracks = whole.trajectories, &own_tracks = one.trajectories;
      for (std::size_t c = 0; c < tracks.columns.size(); ++c)
        for (std::int64_t k = 0; k < tracks.times; ++k) {
          const double got =
              tracks.columns[c][m * static_cast<std::size_t>(tracks.times) + static_cast<std::size_t>(k)];
          if (k < own_tracks.times)
            numbers.compare_bits(got, own_tracks.columns[c][static_cast<std::size_t>(k)],
                                 "trajectory of member " + std::to_string(m));
          else
            numbers.require(std::isnan(got), "after its end");
        }
      for (std::int64_t k = 0; k < tracks.times; ++k)
        numbers.require(tracks.mode[m * static_cast<std::size_t>(tracks.times) + static_cast<std::size_t>(k)] ==
                            (k < own_tracks.times ? own_tracks.mode[static_cast<std::size_t>(k)] : 0),
                        "mode");
    }
    EXPECT_TRUE(numbers.none());
    EXPECT_TRUE(sums.none());
    EXPECT_GE(ends.size(), backend() == "cuda" ? 4u : 10u);
  }
};
ON_EVERY_EXECUTOR(StoppedCrowd);

// x reaches 0.3 here and there, or never
TEST_P(StoppedCrowd, HasParticlesWithEndsOfTheirOwn) { expect_own_ends(particle, "x > 0.22 + 0.2*mu and t > 0.1"); }

TEST_P(StoppedCrowd, HasBlocksWithEndsOfTheirOwn) { expect_own_ends(blocks, "x < 0.31 - 0.5*height and t > 4*tau"); }

TEST_P(StoppedCrowd, HasTheSameBitsOnEveryFastExecutor) {
  if (is_reference()) return;
  for (const auto& model : {particle, blocks}) {
    const Scenario scenario = parse_scenario(model("end = 2\nstop = \"x > 0.4 and t > 4*tau\"\n") + vary);
    const Outcome cpu = run_first(scenario, "cpu", 37);
    for (const char* steps : {"17", "1000"}) {
      setenv("CONESWEEP_LAUNCH_STEPS", steps, 1);  // on a device: what a launch leaves to the next one
      EXPECT_TRUE(same_bits(scenario, run_first(scenario, backend(), 37), cpu)) << steps << " steps a launch";
      unsetenv("CONESWEEP_LAUNCH_STEPS");
    }
    EXPECT_TRUE(agree(scenario, cpu, run_first(scenario, "reference", 37), 1e-9, 0.1));
  }
}

}  // namespace
}  // namespace conesweep::test
