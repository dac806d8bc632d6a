// (T) Contacts that persist, on every executor: held exactly, lost at the time that statics and mechanics give,
// ordinary from then on; and their certificates.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "support/dense.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"
#include "support/text.hpp"

namespace conesweep::test {
namespace {

class Persistent : public OnExecutor {
 protected:
  SeenMember see(const std::string& text) const {
    const auto scenario = parse_scenario(text);
    return see_members(scenario, backend(), {scenario.defaults})[0];
  }
  std::vector<SeenMember> see(const std::string& text, const std::vector<std::vector<double>>& rows) const {
    return see_members(parse_scenario(text), backend(), rows);
  }
};
ON_EVERY_EXECUTOR(Persistent);

// ---- (T3): one contact, M = I ----

std::string block(bool persistent, const std::string& friction) {
  return R"toml([model]
coordinates = ["x", "y"]
force = ["3 * sin(4 * t) + 1", "-8 + 6 * cos(3 * t)"]
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = )toml" +
         friction + (persistent ? "\npersistent = true\n" : "\n") +
         "[start]\nx = \"2*t\"\ny = \"0\"\n[time]\nend = 2\nstep = 0.015625\n" +
         (persistent ? "[observe]\nalso = [\"lost\"]\n" : "");
}

TEST_P(Persistent, OneContactThatPressesIsTheOrdinaryOne) {
  for (const std::string friction : {"0.1", "0.6", "0"}) {
    const SeenMember held = see(block(true, friction)), ordinary = see(block(false, friction));
    ASSERT_EQ(held.nodes.size(), ordinary.nodes.size());
    EXPECT_TRUE(std::isnan(held.observed("lost")));
    for (std::size_t i = 0; i < held.nodes.size(); ++i) {
      EXPECT_LE((held.nodes[i].q - ordinary.nodes[i].q).norm(), 1e-14) << "node " << i;
      EXPECT_LE((held.nodes[i].v - ordinary.nodes[i].v).norm(), 1e-14) << "node " << i;
      EXPECT_EQ(held.nodes[i].mode, ordinary.nodes[i].mode) << "node " << i << ", friction " << friction;
    }
    for (const std::string name : {"impulse", "dissipated", "slip_time"})
      EXPECT_NEAR(held.observed(name), ordinary.observed(name), 1e-12) << name << ", friction " << friction;
  }
}

// ---- held on the wall (B5) ----

TEST_P(Persistent, ItsGapStaysAtRounding) {
  // round and round inside a rough circle: E5, s' = -mu s^2/R, and without drift
  const SeenMember member = see(R"toml([model]
coordinates = ["x", "y"]
force = ["0", "0"]
[[model.contact]]
name = "wall"
inside = "x^2 + y^2 <= 4"
friction = 0.05
persistent = true
[start]
x = "2"
y = "3*t"
[time]
end = 8
step = 0.002
[observe]
also = ["lost"]
off = { max = "abs(gap(wall))" }
)toml");
  EXPECT_TRUE(std::isnan(member.observed("lost")));
  EXPECT_LE(member.observed("off"), 4e-15);
  const double exact = 3 / (1 + 0.05 * 3 * 8 / 2);
  EXPECT_NEAR(std::hypot(member.observed("final.vx"), member.observed("final.vy")), exact, 0.02);
}

// ---- lost: a particle slides down a hill ----

constexpr double gravity = 9.81, radius = 1.5;
std::string hill(long steps) {
  return R"toml([model]
coordinates = ["x", "y"]
force = ["0", "-9.81"]
[model.parameters]
v0 = 1.0
mu = 0.0
[[model.contact]]
name = "hill"
inside = "x^2 + y^2 >= 2.25"
friction = "mu"
persistent = true
[start]
x = "v0 * t"
y = "1.5"
[time]
end = 1.28
step = )toml" +
         format_number(1.28 / static_cast<double>(steps)) +
         "\n[observe]\nalso = [\"lost\", \"lost.hill\"]\nstill = { final = \"sqrt(x^2 + y^2)\" }\n";
}

// With z = s^2 over the angle from the top: dz/da = 2 g R sin a - 2 mu (g R cos a - z), dt = R da/s, until z = g R cos
// a; Runge-Kutta.
double loss_time(double v0, double mu) {
  const auto rate = [&](double a, double z) {
    return 2 * gravity * radius * std::sin(a) - 2 * mu * (gravity * radius * std::cos(a) - z);
  };
  const double da = 1e-5;
  double a = 0, z = v0 * v0, t = 0;
  for (;;) {
    const double k1 = rate(a, z), k2 = rate(a + da / 2, z + da / 2 * k1), k3 = rate(a + da / 2, z + da / 2 * k2),
                 k4 = rate(a + da, z + da * k3);
    const double next = z + da / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    const double press = gravity * radius * std::cos(a) - z, press_next = gravity * radius * std::cos(a + da) - next;
    const double piece = radius * da * 2 / (std::sqrt(z) + std::sqrt(next));
    if (press_next <= 0) return t + piece * press / (press - press_next);
    a += da, z = next, t += piece;
  }
}

TEST_P(Persistent, IsLostWhereTheHillFallsAwayBelowIt) {
  // without friction at cos a = 2/3 + v0^2/(3 g R), which the oracle must know itself
  const double v0 = 1.2, cosine = 2.0 / 3 + v0 * v0 / (3 * gravity * radius);
  double by_energy = 0;
  constexpr int pieces = 200000;
  for (int k = 0; k < pieces; ++k) {
    const double a = (k + 0.5) * std::acos(cosine) / pieces;
    by_energy += radius * std::acos(cosine) / pieces / std::sqrt(v0 * v0 + 2 * gravity * radius * (1 - std::cos(a)));
  }
  ASSERT_NEAR(loss_time(v0, 0), by_energy, 1e-6);

  // order of |lost - T*|: nine steps, each over many members
  std::vector<std::vector<double>> rows;
  const int members = backend() == "cuda" ? 12 : 40;
  for (int m = 0; m < members; ++m) rows.push_back({1.0 + 0.031 * m, m % 3 == 0 ? 0.0 : 0.05 * (m % 3)});
  std::vector<double> exact;
  for (const auto& row : rows) exact.push_back(loss_time(row[0], row[1]));
  Eigen::MatrixXd line(9, 2);
  Eigen::VectorXd error(9);
  for (int level = 0; level < 9; ++level) {
    const long steps = std::lround(64 * std::pow(1.5, level));
    const double h = 1.28 / static_cast<double>(steps);
    const auto seen = see(hill(steps), rows);
    double mean = 0;
    for (std::size_t m = 0; m < rows.size(); ++m) {
      EXPECT_EQ(seen[m].observed("lost"), seen[m].observed("lost.hill"));
      EXPECT_GT(seen[m].observed("still"), radius) << "it flies then";
      mean += std::fabs(seen[m].observed("lost") - exact[m]) / static_cast<double>(rows.size());
    }
    line(level, 0) = 1, line(level, 1) = std::log(h);
    error[level] = std::log(mean);
    EXPECT_LT(mean, 3 * h);
  }
  const Eigen::VectorXd fit = test::solve_least_squares(line, error);
  RecordProperty("order_of_lost", std::to_string(fit[1]));
  EXPECT_GT(fit[1], 0.9) << "observed order of lost";
}

// ---- two feet: a table that is pushed ----

// Feet b + c behind and b - c before the centre of mass, H below it; a push k t at the height z above it.
std::string table(const std::string& friction, const std::string& speed, const std::string& extra = "") {
  return R"toml([model]
coordinates = ["x", "y", "theta"]
mass = ["2", "2", "1.5"]
force = ["k*t", "-2*9.81", "-k*t*z"]
[model.parameters]
k = 4.0
z = 0.5
[model.define]
rearx = "x - 0.9*cos(theta) + 0.8*sin(theta)"
reary = "y - 0.9*sin(theta) - 0.8*cos(theta)"
frontx = "x + 0.7*cos(theta) + 0.8*sin(theta)"
fronty = "y + 0.7*sin(theta) - 0.8*cos(theta)"
[[model.contact]]
name = "rear"
point = ["rearx", "reary"]
inside = "reary >= 0"
friction = )toml" +
         friction +
         "\npersistent = true\n[[model.contact]]\nname = \"front\"\npoint = [\"frontx\", \"fronty\"]\ninside = "
         "\"fronty >= 0\"\nfriction = " +
         friction + "\npersistent = true\n" + extra + "[start]\nx = \"" + speed +
         "*t\"\ny = \"0.8\"\ntheta = \"0\"\n[time]\nend = 2.5\nstep = 0.01\n" +
         "[observe]\nalso = [\"lost\", \"lost.rear\", \"lost.front\"]\n";
}

TEST_P(Persistent, ATableTipsOverWhereItsStaticsSay) {
  // sliding: the load on the rear foot, 2b r = m g (b - c) - mu m g H - k t z, vanishes at T*
  const double m = 2, g = 9.81, mu = 0.3, height = 0.8, reach = 0.7;
  std::vector<std::vector<double>> rows;
  for (const double k : {4.4, 5.3, 7.7}) rows.push_back({k, 0.5 + k / 10});
  const auto sliding = see(table("0.3", "20"), rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double exact = m * g * (reach - mu * height) / (rows[i][0] * rows[i][1]);
    EXPECT_GE(sliding[i].observed("lost"), exact - 1e-12);
    EXPECT_LT(sliding[i].observed("lost"), exact + 0.01 + 1e-12);  // the first node after it
    EXPECT_EQ(sliding[i].observed("lost"), sliding[i].observed("lost.rear"));
    EXPECT_FALSE(sliding[i].observed("lost.front") <= exact) << "only later, if at all";
    EXPECT_LT(sliding[i].observed("final.theta"), -0.001) << "it tips forwards";
  }
  // resting: friction holds the push, which then acts with the arm H + z
  const auto resting = see(table("1.2", "0"), rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double exact = m * g * reach / (rows[i][0] * (rows[i][1] + height));
    EXPECT_GE(resting[i].observed("lost"), exact - 1e-12);
    EXPECT_LT(resting[i].observed("lost"), exact + 0.01 + 1e-12);
    for (const SeenNode& node : resting[i].nodes) {
      if (node.t >= exact) break;
      EXPECT_LE(node.v.norm(), 1e-12) << "t = " << node.t;
    }
  }
}

// ---- certificates ----

// A rod with both ends on a parabola, moving along it: curved walls, so that the velocity itself presses. One step;
// everything by Eigen.
TEST_P(Persistent, CertificatesAreThoseOfTheirDefinition) {
  const std::string text = R"toml([model]
coordinates = ["x", "y", "theta"]
mass = ["1.3", "1.3", "0.4 + 0.1*sin(theta)"]
force = ["0.7", "-1.3*9.81", "push"]
[model.parameters]
u = 1.1
mu = 0.2
push = 0.3
[model.define]
lx = "x - 0.6*cos(theta)"
ly = "y - 0.6*sin(theta)"
rx = "x + 0.6*cos(theta)"
ry = "y + 0.6*sin(theta)"
[[model.contact]]
name = "left"
point = ["lx", "ly"]
inside = "ly >= 0.5*lx^2"
friction = "mu"
persistent = true
[[model.contact]]
name = "right"
point = ["rx", "ry"]
inside = "ry >= 0.5*rx^2"
friction = "2*mu"
persistent = true
[start]
x = "u*t"
y = "0.18"
theta = "u*t"
[time]
end = 1e-3
step = 1e-3
[observe]
standard = []
also = ["certificate", "certificate_paper"]
)toml";
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;
  const std::vector<std::vector<double>> rows = {{1.1, 0.2, 0.3}, {2.0, 0.5, 0.3}, {0.5, 1.4, 4.0}, {0.1, 0.3, -30.0}};
  const auto seen = see(text, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(seen[i].status, executor::Status::ok) << i;
    const double u = rows[i][0], mu = rows[i][1];
    const Vector v = Eigen::Vector3d(u, 0, u);
    // unit normal and tangent of an end, in the coordinates
    const auto normal = [](const Vector& q, double side) -> Vector {
      const double x = q[0] + side * 0.6 * std::cos(q[2]), dx = -side * 0.6 * std::sin(q[2]),
                   dy = side * 0.6 * std::cos(q[2]), size = std::sqrt(1 + x * x);
      return Eigen::Vector3d(-x, 1, -x * dx + dy) / size;
    };
    const auto tangent = [](const Vector& q, double side) -> Vector {
      const double x = q[0] + side * 0.6 * std::cos(q[2]), dx = -side * 0.6 * std::sin(q[2]),
                   dy = side * 0.6 * std::cos(q[2]), size = std::sqrt(1 + x * x);
      return Eigen::Vector3d(1, x, dx + x * dy) / size;
    };
    const Vector q = Eigen::Vector3d(0, 0.18, 0);
    Matrix a_n(2, 3), a_t(2, 3);
    Vector turning(2);
    for (int k = 0; k < 2; ++k) {
      const double side = k == 0 ? -1 : 1, d = 1e-4;
      a_n.row(k) = normal(q, side).transpose();
      a_t.row(k) = tangent(q, side).transpose();
      turning[k] = (8 * (normal(q + d * v, side) - normal(q - d * v, side)) -
                    (normal(q + 2 * d * v, side) - normal(q - 2 * d * v, side)))
                       .dot(v) /
                   (12 * d);
    }
    const Matrix inverse = Eigen::Vector3d(1 / 1.3, 1 / 1.3, 1 / 0.4).asDiagonal();
    // D: of M_33(theta) alone, ½ M' v² = 0.05 cos(theta) v²
    const Vector force = Eigen::Vector3d(0.7, -1.3 * 9.81, rows[i][2] - 0.05 * u * u);
    const Matrix s = test::inverse(a_n * inverse * a_n.transpose()), m = s * a_n * inverse * a_t.transpose();
    const Vector rho = -s * (a_n * inverse * force + turning);
    double least = std::numeric_limits<double>::infinity();
    for (const double left : {-1.0, 1.0}) {
      for (const double right : {-1.0, 1.0}) {
        const Matrix balance = Matrix::Identity(2, 2) + m * Eigen::Vector2d(left * mu, right * 2 * mu).asDiagonal();
        const Vector r = test::solve(balance, rho);
        least = std::min({least, test::determinant(balance), r[0] / std::fabs(rho[0]), r[1] / std::fabs(rho[1])});
      }
    }
    const double bound = std::min(0.5, 1 / (1 + rho.maxCoeff() / rho.minCoeff())) / (2 * m.cwiseAbs().maxCoeff());
    EXPECT_NEAR(seen[i].observed("certificate"), least, 1e-8 * (1 + std::fabs(least))) << i;
    EXPECT_NEAR(seen[i].observed("certificate_paper"), rho.minCoeff() > 0 ? bound / (2 * mu) - 1 : -1, 1e-8) << i;
    EXPECT_EQ(rho.minCoeff() < 0, i == 3) << "the last one pulls";
  }
}

// ---- starts and dependent rows ----

TEST_P(Persistent, AStartThatDoesNotTouchOrDoesNotRestIsRefused) {
  const auto status_of = [&](const std::string& y) {
    const auto scenario = parse_scenario(
        "[model]\ncoordinates = [\"y\"]\nforce = [\"-1\"]\n[model.parameters]\na = 0.0\n[[model.contact]]\ninside = "
        "\"y >= 0\"\n"
        "persistent = true\n[start]\ny = \"" +
        y + "\"\n[time]\nend = 1\nstep = 0.25\n[vary]\na = { choice = [0.0, 0.5] }\n");
    return see_members(scenario, backend(), {scenario.defaults})[0].status;
  };
  EXPECT_EQ(to_name(status_of("a")), "ok");
  EXPECT_EQ(to_name(status_of("a + 1e-7")), "bad_start");
  EXPECT_EQ(to_name(status_of("a + t")), "bad_start");
  EXPECT_EQ(to_name(status_of("a - 1e-7")), "start_outside");
  EXPECT_EQ(to_name(status_of("a + 1e-11")), "ok");
}

TEST_P(Persistent, ThreeFeetOfARigidBodySayTheSame) {
  const SeenMember member = see(table("0.3", "0",
                                      "[[model.contact]]\nname = \"middle\"\ninside = \"y - 0.8*cos(theta) >= "
                                      "0\"\nslip = [\"vx\"]\npersistent = true\n"));
  EXPECT_EQ(to_name(member.status), "dependent_constraints");
  EXPECT_EQ(member.stop_time, 0);
}

}  // namespace
}  // namespace conesweep::test
