// Steps that percussions split, in models that look back (B6), (P10), (P11): against the definition written out, and
// against the method of steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "oracle/differences.hpp"
#include "oracle/method_of_steps.hpp"
#include "oracle/observed_order.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep {
namespace {

using oracle::Differences;
using oracle::MethodOfSteps;
using test::parse_scenario;

class SplitStep : public test::OnExecutor {};
ON_EVERY_EXECUTOR(SplitStep);

// ---- the definition ----

// delays and windows of every kind, in the force, in the limit, and in that of the percussions; 20 steps of 0.05
const char* const looks_back = R"toml(
[model]
coordinates = ["x"]
force = ["-3*delay(x, tau) - 0.4*delay(vx, tau2) + 0.2*delay(t*x, tau2) + 0.5*window_max(x, w) - 0.7*window_mean(x^2, w2) + 0.3*window_min(x*now(x), w)"]
[model.parameters]
tau = 0.1
tau2 = 0.07
w = 0.2
w2 = 0.13
first = 0.01
gap = 0.03
size = 0.2
[[model.resistance]]
name = "plane"
slip = ["vx"]
drive = ["0.3*sin(4*t)"]
limit = "0.2 + delay(x, tau)^2"
percussions = { time = "first + gap*(j - 1)", size = "size", count = 9, limit = "0.3 + 0.5*abs(delay(vx, tau)) + 0.4*window_max(abs(x - now(x)), w2) + window_mean(now(x) - x, w)^2" }
[start]
x = "1 + 0.5*t - 0.3*t^2"
[time]
end = 1.0
step = 0.05
[observe]
place = { integral = "delay(x, tau) + 2*window_max(x, w) - window_mean(x^2, w2)" }
speed = { integral = "delay(vx, tau)" }
)toml";

struct Row {
  double tau, tau2, w, w2, first, gap, size;
};

/// The whole motion is kept, in extended precision, and all of it is looked through by time. Times are counted in
/// steps.
class Definition {
 public:
  explicit Definition(const Row& row) : row_(row) {
    for (int j = 0; j < 9; ++j) atoms_.push_back(to_whole((row.first + row.gap * j) / h));
    q_.push_back(past(0)), now_ = q_[0], v_ = 0.5L;
    for (int i = 0; i < steps; ++i) step(i);
  }

  static constexpr int steps = 20;
  static constexpr long double h = 0.05L;
  std::vector<long double> q_, v_of_step_;
  long double place = 0, speed = 0;

 private:
  static long double to_whole(long double x) { return std::fabs(x - std::round(x)) <= 1e-9L ? std::round(x) : x; }
  static long double past(long double t) { return 1 + t / 2 - 0.3L * t * t; }

  void step(int i) {
    i_ = i, x_ = i;
    place += h * (delayed(row_.tau) + 2 * window_max(row_.w, [](long double q) { return q; }) -
                  window_mean(row_.w2, [](long double q) { return q * q; }));
    speed += h * velocity(back(row_.tau));
    for (const long double atom : atoms_) {
      if (atom < i || !(atom < i + 1 || (i + 1 == steps && atom == steps))) continue;
      if (atom > x_) flow(atom);
      const long double limit = 0.3L + 0.5L * std::fabs(velocity(back(row_.tau))) +
                                0.4L * window_max(row_.w2, [&](long double q) { return std::fabs(q - now_); }) +
                                std::pow(window_mean(row_.w, [&](long double q) { return now_ - q; }), 2.0L);
      v_ += clamp(drive(x_) - v_, row_.size * limit);
    }
    if (x_ < i + 1) flow(i + 1);
    q_.push_back(now_), v_of_step_.push_back(v_);
  }

  // (Q1) with the force and the limit of its begin, and the drive of its end
  void flow(long double to) {
    const long double length = (to - x_) * h, t2 = back(row_.tau2);
    const long double f = -3 * delayed(row_.tau) - 0.4L * velocity(t2) + 0.2L * t2 * h * position(t2) +
                          0.5L * window_max(row_.w, [](long double q) { return q; }) -
                          0.7L * window_mean(row_.w2, [](long double q) { return q * q; }) -
                          0.3L * window_max(row_.w, [&](long double q) { return -q * now_; });
    const long double limit = 0.2L + std::pow(delayed(row_.tau), 2.0L), w = v_ + length * f;
    v_ = w + clamp(drive(to) - w, length * limit);
    now_ += length * v_;
    x_ = to;
  }

  static long double clamp(long double x, long double most) { return std::clamp(x, -most, most); }
  static long double drive(long double k) { return 0.3L * std::sin(4 * k * h); }

  long double back(double length) const { return to_whole(x_ - to_whole(length / h)); }
  long double delayed(double length) const { return position(back(length)); }

  long double position(long double k) const {
    if (k < 0) return past(k * h);
    if (k >= i_) return x_ > i_ ? q_[at(i_)] + (k - i_) / (x_ - i_) * (now_ - q_[at(i_)]) : now_;
    const long double j = std::floor(k);
    return q_[at(j)] + (k - j) * (q_[at(j + 1)] - q_[at(j)]);
  }
  long double velocity(long double k) const {
    if (k < 0) return 0.5L - 0.6L * k * h;
    return k >= i_ ? v_ : v_of_step_[at(std::floor(k))];
  }
  static std::size_t at(long double j) { return static_cast<std::size_t>(j); }

  // the older end, every node in the window, the present
  std::vector<long double> points(double length) const {
    std::vector<long double> all = {back(length)};
    for (long double k = std::floor(all[0]) + 1; k <= i_; ++k) all.push_back(k);
    if (all.back() < x_) all.push_back(x_);
    return all;
  }
  long double window_max(double length, const std::function<long double(long double)>& value) const {
    long double most = -std::numeric_limits<long double>::infinity();
    for (const long double k : points(length)) most = std::max(most, value(position(k)));
    return most;
  }
  long double window_mean(double length, const std::function<long double(long double)>& value) const {
    const std::vector<long double> k = points(length);
    if (k.size() == 1) return value(position(k[0]));
    long double area = 0;
    for (std::size_t n = 1; n < k.size(); ++n)
      area += (k[n] - k[n - 1]) * (value(position(k[n])) + value(position(k[n - 1]))) / 2;
    return area / (k.back() - k.front());
  }

  Row row_;
  std::vector<long double> atoms_;
  int i_ = 0;
  long double x_ = 0, now_ = 0, v_ = 0;
};

TEST_P(SplitStep, LooksBackAsDefined) {
  const scenario::Scenario scenario = parse_scenario(looks_back);
  std::vector<Row> rows;
  // delays of nothing, within a part of a step, back to the node exactly or nearly, between nodes, to nodes, and to
  // before the start
  const std::vector<double> lengths = {0,   0.004, 0.013, 0.013 + 1e-12, 0.03, 0.05, 0.063,
                                       0.1, 0.113, 0.15,  0.37,          1.0,  2.5};
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    const auto other = [&](std::size_t k) { return lengths[(n + k) % lengths.size()]; };
    rows.push_back({lengths[n], other(3), other(5), other(8), 0.013, 0.031, 0.15});  // some steps have two
    // at 0, at the end, at nodes and between
    rows.push_back({lengths[n], other(5), other(1), other(10), 0, 0.125, 0.4});
    rows.push_back({lengths[n], other(7), other(2), other(4), 0.213, 0.0041, 0.02});  // up to twelve in a step
  }
  std::vector<std::vector<double>> parameters;
  for (const Row& r : rows) parameters.push_back({r.tau, r.tau2, r.w, r.w2, r.first, r.gap, r.size});
  const auto members = test::see_members(scenario, backend(), parameters);

  Differences positions("x_i"), velocities("v_i"), observed("what observables see");
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const Definition expected(rows[m]);
    ASSERT_EQ(members[m].status, executor::Status::ok) << m;
    const std::string who = "row " + std::to_string(m) + ", tau = " + std::to_string(rows[m].tau);
    for (std::size_t i = 0; i <= Definition::steps; ++i) {
      const std::string where = who + ", node " + std::to_string(i);
      positions.compare(members[m].nodes[i].q[0], static_cast<double>(expected.q_[i]), 1e-13, where);
      if (i < Definition::steps)
        velocities.compare(members[m].nodes[i].v[0], static_cast<double>(expected.v_of_step_[i]), 1e-12, where);
    }
    observed.compare(members[m].observed("place"), static_cast<double>(expected.place), 1e-12, who);
    observed.compare(members[m].observed("speed"), static_cast<double>(expected.speed), 1e-12, who);
  }
  EXPECT_TRUE(positions.none());
  EXPECT_TRUE(velocities.none());
  EXPECT_TRUE(observed.none());
  std::cout << backend() << ": worst share of what is allowed: " << positions.worst_share() << ", "
            << velocities.worst_share() << "\n";
}

// ---- the continuous problem ----

// E4 with a blow: x'' = -k x(t - tau), and at t = blow the velocity changes by clamp(-v, ±kick)
const char* const struck_spring = R"toml(
[model]
coordinates = ["x"]
force = ["-2 * delay(x, tau)"]
[model.parameters]
tau = 0.3
a = 0.0
blow = 0.5
kick = 0.2
[[model.resistance]]
name = "plane"
slip = ["vx"]
limit = "0"
percussions = { time = "blow", size = "1", count = 1, limit = "kick" }
[start]
x = "1 + a*t"
[time]
end = 1.5
step = 0.01
)toml";

TEST_P(SplitStep, ConvergesToTheMethodOfStepsWithABlow) {
  constexpr double end = 1.5;
  // delays no multiples of the step, blows between nodes; one in four is stopped by it
  std::vector<std::vector<double>> rows;
  for (int j = 0; j < 12; ++j)
    rows.push_back({0.2 + 0.2 * oracle::jitter(j), oracle::jitter(j, 1) - 0.5, 0.3 + 0.7 * oracle::jitter(j, 2),
                    j % 4 == 0 ? 9.0 : 0.1 + 0.4 * oracle::jitter(j, 3)});
  const auto errors_with = [&](long steps) {
    scenario::Overrides overrides;
    overrides.step = end / static_cast<double>(steps);
    const auto members = test::see_members(parse_scenario(struck_spring, overrides), backend(), rows);
    std::vector<std::vector<double>> errors;
    for (std::size_t m = 0; m < rows.size(); ++m) {
      const double tau = rows[m][0], a = rows[m][1], blow = rows[m][2], kick = rows[m][3];
      // linear: the blow adds what a motion from rest at 0 makes of a velocity of 1
      const MethodOfSteps free({1, a}, a, 2, tau, 8), response({0}, 1, 2, tau, 8);
      const double jump = std::clamp(-free.velocity(blow), -kick, kick);
      const auto position = [&](double t) {
        return free.position(t) + (t > blow ? jump * response.position(t - blow) : 0);
      };
      double largest = 0;
      for (const auto& node : members[m].nodes) largest = std::max(largest, std::fabs(node.q[0] - position(node.t)));
      const auto& last = members[m].nodes.back();
      errors.push_back(
          {last.q[0] - position(end), last.v[0] - free.velocity(end) - jump * response.velocity(end - blow), largest});
    }
    return errors;
  };
  const auto orders = oracle::observe_order(
      "E4 with a blow on " + backend(), {"position at the end", "velocity at the end", "largest error of the position"},
      end, oracle::step_ladder(60), errors_with);
  for (const auto& o : orders) {
    EXPECT_GE(o.order, 0.9) << o.quantity;
    EXPECT_LE(o.order, 1.1) << o.quantity << ": the scheme is of first order";
  }
}

// ---- atoms ----

TEST_P(SplitStep, AsksForNoForceAtAnAtom) {
  // before the blow at 0 the force would be infinite; after it the velocity is ½, and stays there for the force is 0
  const auto member = test::see_member(parse_scenario(R"toml(
[model]
coordinates = ["x"]
force = ["1 / (1 - vx) - 2"]
[[model.resistance]]
name = "plane"
slip = ["vx"]
limit = "0"
percussions = { time = "0", size = "1", count = 1, limit = "0.5" }
[start]
x = "0"
vx = "1"
[time]
end = 1.0
step = 0.1
)toml"),
                                       backend());
  ASSERT_EQ(member.status, executor::Status::ok);
  for (const auto& node : member.nodes) EXPECT_EQ(node.v[0], 0.5) << node.i;
}

}  // namespace
}  // namespace conesweep
