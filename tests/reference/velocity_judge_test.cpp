// Does the judge accept every velocity that obeys the laws of a step (B1) … (B3), and no other? Oracles: steps with two
// solutions by hand, wrong ones by hand.

#include "executor/reference/velocity_judge.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace conesweep::executor::reference {
namespace {

using coupled::Block;
using coupled::Law;
using coupled::Step;
using Eigen::Matrix2d;
using Eigen::Vector2d;

// (B2) of each block
std::vector<bool> act_in(const Step& step) { return std::vector<bool>(step.blocks.size(), true); }

// A particle in the corner between a floor and a wall that hangs over by 10°, both with μ = 1. Their cones hold
// whatever pushes, so it may stick; but what is thrown along the floor may slide away as well: w = (1, -0.1) becomes
// (0.9, 0).
class Corner : public ::testing::Test {
 protected:
  Corner() {
    step_.mass = Matrix2d::Identity();
    step_.w = Vector2d(1, -0.1);
    step_.v_before = step_.w;
    step_.firm_rows = coupled::Matrix(0, 2);
    step_.firm_drive = coupled::Vector(0);
    const double c = std::cos(std::acos(-1) / 18), s = std::sin(std::acos(-1) / 18);
    add_contact((Matrix2d() << 0, 1, 1, 0).finished());
    add_contact((Matrix2d() << c, -s, s, c).finished());
  }

  void add_contact(const coupled::Matrix& rows) {
    Block block{Law::contact, rows, coupled::Vector::Zero(rows.rows())};
    block.mu = 1;
    step_.blocks.push_back(block);
  }

  coupled::VelocityJudgement judge(const coupled::Vector& v) const {
    return coupled::judge_velocity({step_, step_.blocks, act_in(step_), v});
  }

  Step step_;
};

TEST_F(Corner, MayHoldOrLetGo) {
  const auto holds = judge(Vector2d(0, 0)), lets_go = judge(Vector2d(0.9, 0));
  EXPECT_LE(holds.residual, 1e-14);
  EXPECT_FALSE(holds.unique_impulses) << "four rows in the plane";
  EXPECT_LE(lets_go.residual, 1e-14);
  EXPECT_TRUE(lets_go.unique_impulses);
  EXPECT_NEAR(lets_go.normals[0], 0.1, 1e-14);
  EXPECT_EQ(lets_go.normals[1], 0);
}

TEST_F(Corner, DoesNothingBetween) {
  // (0.5, 0) - w = (-0.5, 0.1) is 0.2 √2 away from the ray along (-1, 1)
  EXPECT_NEAR(judge(Vector2d(0.5, 0)).residual, 0.2 * std::sqrt(2) / std::sqrt(1.01), 1e-14);
  EXPECT_GE(judge(Vector2d(0.9, 1e-6)).residual, 1e-7) << "what opens has no impulse";
  EXPECT_NEAR(judge(Vector2d(0.9, -1e-6)).residual, 1e-6 / std::sqrt(1.01), 1e-8) << "and nothing closes";
  EXPECT_GE(judge(Vector2d(0.9 + 1e-8, 0)).residual, 1e-9);
}

TEST_F(Corner, HoldsNothingWithTooLittleFriction) {
  for (Block& block : step_.blocks) block.mu = 0.5;
  EXPECT_GE(judge(Vector2d(0, 0)).residual, 0.1);
  EXPECT_LE(judge(Vector2d(0.95, 0)).residual, 1e-14);
}

TEST_F(Corner, ReflectsWithRestitution) {
  step_.blocks.resize(1);
  step_.blocks[0].e = 0.5;  // u_n = 0.05, r_n = 0.15
  EXPECT_LE(judge(Vector2d(0.85, 0.05)).residual, 1e-14);
  EXPECT_GE(judge(Vector2d(0.9, 0)).residual, 1e-3);
  step_.restitution = coupled::Restitution::moreau;
  EXPECT_LE(judge(Vector2d(0.85, 0.05)).residual, 1e-14);
  step_.v_before = Vector2d(1, 0.1);
  EXPECT_TRUE(judge(Vector2d(0.85, 0.05)).maybe_two_parts);
}

// (H) pulled off a floor that holds with 1, along it with 1 and μ = 1/2
TEST_F(Corner, IsHeldByCohesion) {
  step_.blocks.resize(1);
  step_.blocks[0].mu = 0.5;
  step_.blocks[0].preload = 1;
  step_.w = Vector2d(1, 0.5);  // r_n = -0.5, friction 0.5 (r_n + 1)
  const auto held = judge(Vector2d(0.75, 0));
  EXPECT_LE(held.residual, 1e-14);
  EXPECT_NEAR(held.normals[0], -0.5, 1e-14);
  EXPECT_GE(judge(Vector2d(1, 0.5)).residual, 0.1) << "let go too early";
  EXPECT_GE(judge(Vector2d(1, 0)).residual, 0.1) << "held without friction";
  step_.w = Vector2d(1, 1.5);  // r_n = -1 all the same
  EXPECT_LE(judge(Vector2d(1, 0.5)).residual, 1e-14);
  EXPECT_GE(judge(Vector2d(1, 1.5)).residual, 0.1) << "let go without a pull";
  EXPECT_GE(judge(Vector2d(0.75, 0.5)).residual, 0.1) << "rubbed after it let go";
}

TEST(VelocityJudge, TakesAnyPointOfADisk) {
  // a block on a floor in space: what it needs of friction points between all corners
  Step step;
  step.mass = 2 * coupled::Matrix::Identity(3, 3);
  step.v_before = coupled::Vector::Zero(3);
  step.firm_rows = coupled::Matrix(0, 3);
  step.firm_drive = coupled::Vector(0);
  Block floor{Law::contact, (coupled::Matrix(3, 3) << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(), coupled::Vector::Zero(3)};
  floor.mu = 0.5;
  step.blocks = {floor};
  const coupled::Vector rest = coupled::Vector::Zero(3);
  for (const double angle : {0.1, 0.35, 1.234, 3.0, 5.5}) {
    const auto pushed = [&](double share) -> coupled::Vector {
      return Eigen::Vector3d(share * std::cos(angle), share * std::sin(angle), -1);
    };
    step.w = pushed(0.5 - 1e-11);
    EXPECT_LE(coupled::judge_velocity({step, step.blocks, act_in(step), rest}).residual, accepted_residual) << angle;
    step.w = pushed(0.5 + 1e-6);
    EXPECT_NEAR(coupled::judge_velocity({step, step.blocks, act_in(step), rest}).residual,
                1e-6 / std::sqrt(1.25) / std::sqrt(1.25), 1e-8)
        << angle;
  }
}

TEST(VelocityJudge, KnowsResistancesAndFirmRows) {
  // x is firm, y has a resistance of [-0.1, 0.3], (y, z) one in a disk of 0.2
  Step step;
  step.mass = coupled::Matrix::Identity(3, 3);
  step.v_before = coupled::Vector::Zero(3);
  step.firm_rows = Eigen::RowVector3d(1, 0, 0);
  step.firm_drive = coupled::Vector::Constant(1, 0.5);
  Block interval{Law::interval, Eigen::RowVector3d(0, 1, 0), coupled::Vector::Zero(1)};
  interval.low = -0.1, interval.high = 0.3;
  Block ball{Law::ball, (coupled::Matrix(2, 3) << 0, 1, 0, 0, 0, 1).finished(), coupled::Vector::Zero(2)};
  ball.high = 0.2;
  step.blocks = {interval, ball};
  const auto residual = [&](double w_y, double v_x, double v_y) {
    step.w = Eigen::Vector3d(7, w_y, 0);
    const coupled::Vector v = Eigen::Vector3d(v_x, v_y, 0);
    return coupled::judge_velocity({step, step.blocks, act_in(step), v}).residual * step.w.norm();
  };
  EXPECT_LE(residual(-0.5, 0.5, 0), 1e-14) << "0.3 + 0.2 hold it just so";
  EXPECT_LE(residual(-0.4, 0.5, 0), 1e-14) << "in many ways";
  EXPECT_GE(residual(-0.51, 0.5, 0), 1e-3) << "a bounded set gives no more than it has";
  EXPECT_LE(residual(-0.6, 0.5, -0.1), 1e-14);
  EXPECT_LE(residual(0.3, 0.5, 0), 1e-14);
  EXPECT_LE(residual(0.4, 0.5, 0.1), 1e-14);
  EXPECT_GE(residual(0.4, 0.5, 0.11), 9e-3);
  EXPECT_NEAR(residual(-0.4, 0.6, 0), 0.1, 1e-12) << "a firm row does not move";
}

// A limit that nobody knows leaves the direction of what slips, and says nothing of what sticks.
TEST(VelocityJudge, TakesAnyLimitThatIsNotKnown) {
  Step step;
  step.mass = coupled::Matrix::Identity(2, 2);
  step.v_before = coupled::Vector::Zero(2);
  step.firm_rows = coupled::Matrix(0, 2);
  step.firm_drive = coupled::Vector(0);
  Block ball{Law::ball, coupled::Matrix::Identity(2, 2), coupled::Vector::Zero(2)};
  ball.high = 0.2;
  step.blocks = {ball};
  step.w = Vector2d(3, 4);
  const auto residual = [&](double x, double y, std::vector<bool> any) {
    const coupled::Vector v = Vector2d(x, y);
    return coupled::judge_velocity({step, step.blocks, act_in(step), v, accepted_residual, std::move(any)}).residual;
  };
  EXPECT_LE(residual(2.88, 3.84, {}), 1e-14) << "0.2 of 5";
  EXPECT_GE(residual(1.5, 2, {}), 0.1);
  for (const double left : {0.0, 0.3, 0.9, 1.0}) EXPECT_LE(residual(3 * left, 4 * left, {true}), 1e-14) << left;
  EXPECT_GE(residual(3.3, 4.4, {true}), 0.05) << "friction does not push";
  EXPECT_GE(residual(1.5, 2.1, {true}), 1e-3) << "nor aside";
}

// Guides press on either side.
TEST(VelocityJudge, TellsWhatGuidesCarry) {
  Step step;
  step.mass = coupled::Matrix::Identity(2, 2);
  step.v_before = coupled::Vector::Zero(2);
  step.firm_rows = coupled::Matrix(0, 2);
  step.firm_drive = coupled::Vector(0);
  Block guide{Law::guide, (coupled::Matrix(2, 2) << 0, 1, 1, 0).finished(), coupled::Vector::Zero(2)};
  guide.mu = 0.5;
  step.blocks = {guide};
  for (const double side : {1.0, -1.0}) {
    step.w = Vector2d(3, -2 * side);
    const coupled::Vector v = Vector2d(2, 0);
    const auto judged = coupled::judge_velocity({step, step.blocks, act_in(step), v});
    EXPECT_LE(judged.residual, 1e-14);
    EXPECT_NEAR(judged.normals[0], 2 * side, 1e-12);
  }
}

}  // namespace
}  // namespace conesweep::executor::reference
