// (B5) at the start, on every executor: [start] settle = true puts members that miss walls and constraints by little on
// them, where a projection by hand says.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <conesweep/step/settle.hpp>
#include <cstring>
#include <optional>
#include <random>

#include "support/dense.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"

namespace conesweep::test {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Rows = std::vector<std::vector<double>>;

bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

void expect_same_bits(const std::vector<SeenMember>& some, const std::vector<SeenMember>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t m = 0; m < some.size(); ++m) {
    EXPECT_EQ(some[m].status, others[m].status) << "member " << m;
    ASSERT_EQ(some[m].nodes.size(), others[m].nodes.size()) << "member " << m;
    for (std::size_t i = 0; i < some[m].nodes.size(); ++i)
      ASSERT_TRUE(same_bits(some[m].nodes[i].q, others[m].nodes[i].q) &&
                  same_bits(some[m].nodes[i].v, others[m].nodes[i].v))
          << "member " << m << ", node " << i;
  }
}

class Settle : public OnExecutor {
 protected:
  // on a device to the bits of the cpu
  std::vector<SeenMember> see(const std::string& text, const Rows& rows) const {
    const auto scenario = parse_scenario(text);
    const auto seen = see_members(scenario, backend(), rows);
    if (backend() == "cuda") expect_same_bits(seen, see_members(scenario, "cpu", rows));
    return seen;
  }
};
ON_EVERY_EXECUTOR(Settle);

std::string name_of(const SeenMember& member) { return std::string(to_name(member.status)); }

// ---- bilateral constraints ----

std::string bead(const std::string& more) {
  return "[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"0\"]\n[model.parameters]\noff = 0\nslow = 0\n"
         "[[model.bilateral]]\nname = \"wire\"\nholds = \"x^2 + y^2 = 1\"\n[start]\nx = \"0.6*(1 + off)\"\ny = "
         "\"0.8*(1 + off)\"\nvx = \"slow - 0.8\"\nvy = "
         "\"0.6\"\n" +
         more + "[time]\nend = 0.25\nstep = 0.0625\n";
}

TEST_P(Settle, PutsABeadOnItsCircle) {
  const auto seen = see(bead("settle = true\n"), {{5e-5, 0}, {-5e-5, 0}, {1e-7, 5e-5}, {1e-3, 0}, {0, 1e-3}});
  for (const std::size_t m : {0, 1, 2}) {
    ASSERT_EQ(name_of(seen[m]), "ok") << m;
    // straight along the radius, and its velocity along the circle
    EXPECT_LE((seen[m].nodes[0].q - Vector2d(0.6, 0.8)).norm(), 4e-16) << m;
    const double speed = 1 - 0.8 * (m == 2 ? 5e-5 : 0);
    EXPECT_LE(std::fabs(seen[m].nodes[0].v.dot(Vector2d(-0.8, 0.6)) - speed), 1e-12) << m;
    EXPECT_LE(std::fabs(seen[m].nodes[0].v.dot(Vector2d(0.6, 0.8))), 1e-15) << m;
  }
  EXPECT_EQ(name_of(seen[3]), "bad_start");
  EXPECT_EQ(name_of(seen[4]), "bad_start");
}

TEST_P(Settle, LeavesAStartThatMissesNothingAsItIs) {
  const Rows rows = {{0, 0}};
  const auto scenario = parse_scenario(bead("settle = true\n")), plain = parse_scenario(bead(""));
  expect_same_bits(see_members(scenario, backend(), rows), see_members(plain, backend(), rows));
  const Rows off = {{5e-5, 0}, {0, 5e-5}};
  for (const SeenMember& member : see_members(plain, backend(), off)) EXPECT_EQ(name_of(member), "bad_start");
}

TEST_P(Settle, MovesHeavyCoordinatesLess) {
  const auto seen =
      see("[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"0\"]\nmass = [1, 4]\n[model.parameters]\noff = "
          "0\nv = 0\n"
          "[[model.bilateral]]\nholds = \"x + y = 1\"\n[start]\nx = \"0.25 + off\"\ny = \"0.75\"\nvx = \"1 + v\"\nvy = "
          "\"-1\"\nsettle = true\n"
          "[time]\nend = 0.25\nstep = 0.125\n",
          {{1e-5, 1e-5}, {-8e-5, 2e-5}, {0, 0}});
  for (std::size_t m = 0; m < 3; ++m) {
    const double off = m == 0 ? 1e-5 : m == 1 ? -8e-5 : 0, v = m == 0 ? 1e-5 : m == 1 ? 2e-5 : 0;
    ASSERT_EQ(name_of(seen[m]), "ok") << m;
    EXPECT_LE((seen[m].nodes[0].q - Vector2d(0.25 + 0.2 * off, 0.75 - 0.2 * off)).norm(), 4e-16) << m;
    EXPECT_LE((seen[m].nodes[0].v - Vector2d(1 + 0.2 * v, -1 - 0.2 * v)).norm(), 4e-16) << m;
  }
}

// ---- walls ----

// a particle above a floor and a slope through the origin
std::string corner(const std::string& more) {
  return "[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"0 * delay(y, 0.125)\"]\n[model.parameters]\na = "
         "0\nx0 = 0\ny0 = 0\n"
         "[[model.contact]]\nname = \"floor\"\ninside = \"y >= 0\"\n[[model.contact]]\nname = \"slope\"\ninside = \"y "
         ">= a*x\"\n"
         "[start]\nx = \"x0\"\ny = \"y0\"\n" +
         more +
         "[time]\nend = 0.25\nstep = 0.0625\n[observe]\nlow = { min = \"y\" }\nonce = { min = \"delay(y, 0.125)\" "
         "}\nnow = { final = \"delay(y, 0.25)\" }\n";
}

TEST_P(Settle, PutsAParticleOnTheWallsItLiesBeyond) {
  const Rows rows = {{-1, 0.5, -1e-5}, {-1, 0.5, -2e-4},       {-1, -1e-5, -3e-5}, {1e-3, 0.01, -1e-5}, {-1, 1, 2},
                     {1, -0.5, -5e-5}, {-1, -0.5, 0.5 - 1e-5}, {0, 0, -9e-5},      {-1, 0.5, 0}};
  const auto seen = see(corner("settle = true\n"), rows);
  const auto start = [&](std::size_t m) -> Vector2d {
    return seen[m].nodes.empty() ? Vector2d(1e9, 1e9) : Vector2d(seen[m].nodes[0].q);
  };
  for (const std::size_t m : {0, 2, 3, 4, 5, 6, 7, 8}) ASSERT_EQ(name_of(seen[m]), "ok") << m;
  EXPECT_EQ(start(0), Vector2d(0.5, 0));
  EXPECT_EQ(name_of(seen[1]), "start_outside");
  EXPECT_LE((start(2) - Vector2d(0, 0)).norm(), 1e-18);  // both push
  // walls that are nearly one: the floor would have to pull, and has no part in it
  EXPECT_LE((start(3) - (Vector2d(0.01, -1e-5) + 2e-5 / (1 + 1e-6) * Vector2d(-1e-3, 1))).norm(), 4e-18);
  EXPECT_EQ(start(4), Vector2d(1, 2));
  EXPECT_EQ(start(5), Vector2d(-0.5, 0));
  EXPECT_LE((start(6) - Vector2d(-0.5 + 0.5e-5, 0.5 - 0.5e-5)).norm(), 4e-16);
  EXPECT_EQ(start(7), Vector2d(0, 0));  // two walls that say the same
  // nothing moves, and delays see the past as it is written; node 0 is where it was put
  EXPECT_EQ(seen[0].observed("low"), 0);
  EXPECT_EQ(seen[0].observed("once"), -1e-5);
  EXPECT_EQ(seen[0].observed("now"), 0);
  EXPECT_EQ(seen[0].nodes.back().q[1], 0);
  // alone as in a crowd
  for (const std::size_t m : {0, 3, 6})
    expect_same_bits(see_members(parse_scenario(corner("settle = true\n")), backend(), {rows[m]}), {seen[m]});
}

TEST_P(Settle, PutsAParticleOnOneRoughWall) {
  // inside and outside of a pipe: members choose by side
  const std::string text =
      "[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"-9.81\"]\n[model.parameters]\noff = 0\nside = 1\n"
      "[[model.contact]]\ninside = \"side*(x^2 + y^2) <= side*4\"\nfriction = 2\n"
      "[start]\nx = \"-0.6*side*(2 + off)\"\ny = \"-0.8*side*(2 + off)\"\nvx = 0\nvy = 0\nsettle = true\n[time]\nend = "
      "0.25\nstep = 0.0625\n";
  const auto seen = see(
      text, {{1e-5, 1}, {-1e-5, -1}, {2e-4, 1}, {1e-3, 1}, {-1e-3, -1}, {0, 1}, {-1e-5, 1}, {1e-12, 1}, {2.9e-4, 1}});
  for (const std::size_t m : {0, 1, 2, 5, 7, 8}) {
    ASSERT_EQ(name_of(seen[m]), "ok") << m;
    const double side = m == 1 ? -1 : 1;
    EXPECT_LE((seen[m].nodes[0].q - side * Vector2d(-1.2, -1.6)).norm(), 5e-16) << m;
    EXPECT_LE((seen[m].nodes.back().q - side * Vector2d(-1.2, -1.6)).norm(), 0.05)
        << "it sticks, but for a step's fall: " << m;
  }
  EXPECT_EQ(name_of(seen[3]), "start_outside");
  EXPECT_EQ(name_of(seen[4]), "start_outside");
  EXPECT_LE((seen[6].nodes.at(0).q - 0.999995 * Vector2d(-1.2, -1.6)).norm(), 1e-15) << "a gap stays";
}

TEST_P(Settle, LiftsABodyOnThreeFeetStraightUp) {
  const auto seen =
      see("[model]\ncoordinates = [\"y\", \"theta\"]\nforce = [\"-3\", \"0\"]\nmass = [3, 0.5]\n[model.parameters]\ny0 "
          "= 0\ntilt = 0\n"
          "[[model.contact]]\nname = \"left\"\ninside = \"y - 0.5*theta >= 0\"\n[[model.contact]]\nname = "
          "\"middle\"\ninside = \"y >= 0\"\n"
          "[[model.contact]]\nname = \"right\"\ninside = \"y + 0.5*theta >= 0\"\n"
          "[start]\ny = \"y0\"\ntheta = \"tilt\"\nsettle = true\n[time]\nend = 0.25\nstep = 0.125\n",
          {{-1e-5, 0}, {-1e-3, 0}, {0.5, 1 + 1e-5}, {0.1, 0.05}});
  EXPECT_LE((seen[0].nodes.at(0).q - Vector2d(0, 0)).norm(), 1e-18);
  EXPECT_LE(seen[0].nodes.at(2).q.norm(), 1e-15) << "it rests there";
  EXPECT_EQ(name_of(seen[1]), "start_outside");
  // the left foot alone: d = (1/3, -1/2 / 0.5) (1/3 + 1/4 / 0.5)^-1 5e-6
  EXPECT_LE((seen[2].nodes.at(0).q - (Vector2d(0.5, 1 + 1e-5) + 5e-6 / (1.0 / 3 + 0.5) * Vector2d(1.0 / 3, -1))).norm(),
            4e-16);
  EXPECT_EQ(seen[3].nodes.at(0).q, Eigen::VectorXd(Vector2d(0.1, 0.05)));
}

TEST_P(Settle, ClosesAPersistentContact) {
  const auto seen =
      see("[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"-1\"]\nmass = [2, \"3\"]\n[model.parameters]\ngap "
          "= 0\nv = 0\n"
          "[[model.contact]]\ninside = \"y^2 + x^2 >= 4\"\nslip = [\"vx\"]\nfriction = 0.5\npersistent = true\n"
          "[start]\nx = 0\ny = \"2 + gap\"\nvx = 0\nvy = \"v\"\nsettle = true\n[time]\nend = 0.25\nstep = 0.125\n",
          {{5e-5, 0}, {-5e-5, 2e-5}, {1e-3, 0}, {-1e-3, 0}, {0, 1e-3}, {0, 0}});
  for (const std::size_t m : {0, 1, 5}) {
    ASSERT_EQ(name_of(seen[m]), "ok") << m;
    EXPECT_LE((seen[m].nodes[0].q - Vector2d(0, 2)).norm(), 5e-16) << m;
    EXPECT_LE(seen[m].nodes[0].v.norm(), 1e-15) << m;
  }
  EXPECT_EQ(name_of(seen[2]), "bad_start");
  EXPECT_EQ(name_of(seen[3]), "start_outside");
  EXPECT_EQ(name_of(seen[4]), "bad_start");
}

// ---- rows alone ----

// of all sets of walls that could push, the one whose change is allowed and least; none: nothing is allowed
std::optional<Eigen::VectorXd> find_by_trying(const Eigen::MatrixXd& a, const Eigen::VectorXd& height, int equations) {
  std::optional<Eigen::VectorXd> best;
  const auto walls = static_cast<int>(a.rows()) - equations;
  for (int set = 0; set < 1 << walls; ++set) {
    std::vector<int> held;
    for (int k = 0; k < a.rows(); ++k)
      if (k < equations || (set >> (k - equations) & 1) != 0) held.push_back(k);
    Eigen::VectorXd y = Eigen::VectorXd::Zero(a.cols());
    if (!held.empty()) y = test::solve_least_squares(a(held, Eigen::all), -height(held));
    const Eigen::VectorXd left = height + a * y;
    const bool allowed =
        (left.head(equations).cwiseAbs().array() <= 1e-9).all() && (left.tail(walls).array() >= -1e-9).all();
    if (allowed && (!best || y.norm() < best->norm())) best = y;
  }
  return best;
}

TEST(SettleRows, AreSatisfiedByTheLeastChangeOfAll) {
  constexpr int d = 4, most = 6;
  std::mt19937 draw(3);
  std::normal_distribution<double> normal;
  int compared = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    const int equations = static_cast<int>(draw() % 3), walls = 1 + static_cast<int>(draw() % 4);
    Eigen::MatrixXd a(equations + walls, d);
    Eigen::VectorXd height(a.rows());
    for (int k = 0; k < a.rows(); ++k) {
      for (int j = 0; j < d; ++j) a(k, j) = normal(draw);
      height[k] = k < equations ? normal(draw) : -std::fabs(normal(draw));
    }
    if (walls > 1 && seed % 3 == 0) {
      // two walls that say the same, or one a little more than the other
      a.row(a.rows() - 1) = 2 * a.row(a.rows() - 2);
      height[a.rows() - 1] = (seed % 2 == 0 ? 2.0 : 1.5) * height[a.rows() - 2];
    }
    step::Missed<double, most, d> missed;
    for (int k = 0; k < a.rows(); ++k) {
      double row[d];
      for (int j = 0; j < d; ++j) row[j] = a(k, j);
      missed.enter(row, height[k], 1e-14, 1e9, k < equations, -1);
    }
    double change[d];
    missed.find_change(metric::UnitMetric<double, d>{}, change);
    const auto best = find_by_trying(a, height, equations);
    if (!best) continue;
    ++compared;
    EXPECT_LE((Eigen::Map<Eigen::Vector4d>(change) - *best).norm(), 1e-9 * (1 + best->norm())) << "seed " << seed;
  }
  EXPECT_GT(compared, 900);
}

// ---- the woodpecker, as Glocker [Glocker1995] publishes its start ----

std::string woodpecker(const std::string& more) {
  return R"toml([model]
coordinates = ["y", "M", "S"]
mass = [["mM + mS", "mS*lM", "mS*lG"], ["mS*lM", "JM + mS*lM^2", "mS*lM*lG"], ["mS*lG", "mS*lM*lG", "JS + mS*lG^2"]]
force = ["-(mM + mS)*g", "-c*(M - S) - mS*g*lM", "-c*(S - M) - mS*g*lG"]
[model.parameters]
mM = 0.0003
JM = 5e-9
mS = 0.0045
JS = 7e-7
c = 0.0056
g = 9.81
r0 = 0.0025
rM = 0.0031
hM = 0.0058
lM = 0.010
lG = 0.015
hS = 0.02
lS = 0.0201
[[model.contact]]
name = "beak"
inside = "lM + lG - lS - r0 - hS*S >= 0"
slip = ["vy + lM*vM + (lG - lS)*vS"]
friction = 0.3
restitution = 0.5
[[model.contact]]
name = "low"
inside = "rM - r0 + hM*M >= 0"
slip = ["vy + rM*vM"]
friction = 0.3
[[model.contact]]
name = "high"
inside = "rM - r0 - hM*M >= 0"
slip = ["vy + rM*vM"]
friction = 0.3
[start]
y = 0
M = -0.1036
S = -0.2788
vy = -0.3411
vM = 0
vS = -7.4583
)toml" + more +
         "[time]\nend = 0.05\nstep = 0.0001\n";
}

TEST_P(Settle, StartsTheWoodpecker) {
  const auto scenario = parse_scenario(woodpecker("settle = true\n"));
  const auto seen = see(woodpecker("settle = true\n"), {scenario.defaults});
  ASSERT_EQ(name_of(seen[0]), "ok");
  Eigen::Matrix3d mass;
  mass << 0.0048, 4.5e-5, 6.75e-5, 4.5e-5, 5e-9 + 4.5e-7, 6.75e-7, 6.75e-5, 6.75e-7, 7e-7 + 1.0125e-6;
  const Vector3d row(0, 0.0058, 0), way = test::solve(mass, row), start(0, -0.1036, -0.2788);
  const double depth = 0.0058 * 0.1036 - 0.0006;
  EXPECT_NEAR(depth, 8.8e-7, 1e-12);
  EXPECT_LE((seen[0].nodes[0].q - (start + way * (depth / row.dot(way)))).norm(), 1e-13);
  EXPECT_NEAR(seen[0].nodes[0].q[1], -0.0006 / 0.0058, 1e-15);
  EXPECT_LE(seen[0].observed("penetration"), 1e-4);
  EXPECT_LT(seen[0].nodes.back().q[0], 0) << "it comes down";
}

TEST(SettleMessages, NameTheDistanceInTheWallsOwnLength) {
  const auto text_of = [](const std::string& text) {
    std::string all;
    for (const auto& problem : find_problems(text)) all += problem.message + "\n";
    return all;
  };
  EXPECT_EQ(text_of(woodpecker("")),
            "the start lies outside 'low' by 8.8e-07; allowed: 1e-09 (1 + |q|); [start] settle = true puts it there\n");
  EXPECT_EQ(text_of(woodpecker("settle = true\n")), "");
}

}  // namespace
}  // namespace conesweep::test
