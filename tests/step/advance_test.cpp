// The step of include/conesweep/step as executors compile it, with models written by hand: (P1) … (P5) against closed
// forms of the scheme itself and a plain recomputation, for every number type, every lane with parameters of its own.
#include <conesweep/step/blank_model.hpp>
#include <conesweep/step/finish.hpp>
#include <conesweep/step/is_model.hpp>
#include <conesweep/step/start.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stepped_block.hpp"
#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

// What the step asks of a model is known before anything is instantiated.
static_assert(step::IsModel<Block, double> && step::IsModel<Block, float>);
struct WithoutForce : step::BlankModel {
  static constexpr int dimension = 1;
};
static_assert(!step::HasForce<WithoutForce, double> && !step::IsModel<WithoutForce, double>);
struct WithAnotherWall : Block {
  static constexpr int contacts = 1;
  template <int P, class Real>
  static CS_INLINE Real constraint(const Real* q, const Real*) {  // as it was before walls moved
    return -q[1];
  }
};
static_assert(step::HasForce<WithAnotherWall, double> && !step::HasWall<WithAnotherWall, double, 0> &&
              !step::IsModel<WithAnotherWall, double>);
struct WithMovingWall : Block {
  static constexpr bool moves[] = {true};  // and no wall_velocity
};
static_assert(!step::IsModel<WithMovingWall, double>);
struct WithCondition : Block {
  static constexpr int observables = 1;
  static constexpr int reducers[] = {observe::reduce_count};
  template <int Number, class Node>
  static CS_INLINE auto condition(const Node& node) {
    return node.q[0];  // a number, where the reducer takes a condition
  }
};
static_assert(!step::IsModel<WithCondition, double>);

template <class Real>
class Step : public ::testing::Test {
 protected:
  using Scalar = ScalarOf<Real>;
  static constexpr std::size_t lanes = RealTraits<Real>::lanes;
  static constexpr double eps = std::numeric_limits<Scalar>::epsilon();

  // the numbers as a member of this precision has them
  static std::vector<std::vector<double>> round(std::vector<std::vector<double>> members) {
    for (auto& member : members)
      for (double& x : member) x = static_cast<double>(Scalar(x));
    return members;
  }
  static std::vector<std::vector<double>> take(const std::vector<std::vector<double>>& all, std::size_t first) {
    std::vector<std::vector<double>> some;
    for (std::size_t l = 0; l < lanes; ++l) some.push_back(all[(first + l) % all.size()]);
    return some;
  }
};
TYPED_TEST_SUITE(Step, Reals);

// A block with speed s0 loses μGh a step and then lies still: v_i = max(0, s0 - (i + 1) μGh), and not one bit moves
// afterwards.
TYPED_TEST(Step, SlidesAndSticksByTheClosedForm) {
  const double h = 1.0 / 64;
  const long steps = 96;
  const auto all = this->round({{8, 0.25, 0, 0, 0, 1, 1, 0},
                                {8, 0.5, 0, 0, 0, 1, -1, 0},
                                {4, 0.125, 0, 0, 0, 0, 0.75, 0},
                                {8, 0, 0, 0, 0, 0, 1, 0},
                                {8, 4, 0, 0, 0, 2, 1, 0}});
  for (std::size_t first = 0; first < all.size(); ++first) {
    const auto members = this->take(all, first);
    const auto tracks = step_side_by_side<TypeParam>(members, h, steps);
    for (std::size_t l = 0; l < tracks.size(); ++l) {
      // dyadic: every step is exact
      const double loss = members[l][Block::mu] * members[l][Block::gravity] * h, s0 = members[l][Block::speed];
      for (long i = 0; i < steps; ++i) {
        const double speed = std::max(0.0, std::fabs(s0) - static_cast<double>(i + 1) * loss);
        ASSERT_EQ(tracks[l].vx[static_cast<std::size_t>(i)], std::copysign(speed, s0) + 0.0)
            << "step " << i << ", lane " << l;
        ASSERT_EQ(tracks[l].vy[static_cast<std::size_t>(i)], 0);
      }
      EXPECT_EQ(tracks[l].y.back(), 0);
      // impacts, stick_time, dissipated, impulse, variation, penetration, work
      const double left = std::max(0.0, std::fabs(s0) - static_cast<double>(steps) * loss);
      EXPECT_EQ(tracks[l].observed[0], 0);
      EXPECT_EQ(tracks[l].observed[2], (s0 * s0 - left * left) / 2);
      EXPECT_EQ(tracks[l].observed[3], members[l][Block::gravity] * h * static_cast<double>(steps));
      EXPECT_EQ(tracks[l].observed[4], std::fabs(s0) - left);
      EXPECT_EQ(tracks[l].observed[6], 0);
    }
  }
}

// Falling and bouncing with friction and a delayed spring; delays shorter than a step, of whole steps, in between, and
// longer than the run.
TYPED_TEST(Step, IsThePlainRecomputation) {
  const double h = 1.0 / 64;
  const long steps = 60;  // short enough that rounding does not decide an event
  const auto all = this->round({{9.5, 0.3, 0.5, 2, 0.3, 1, 0.4, 0.25},
                                {9.5, 0.3, 0.5, 2, 0.003, 1, 0.4, 0.25},
                                {9.5, 0.3, 0, 2, 0, 1, 0.4, 0.25},
                                {5.5, 0.05, 0.75, 6, 0.15625, -1, 0.7, 0.11},
                                {5.5, 0.05, 1, 6, 0.2001, -1, 0.7, 0.11},
                                {3.5, 0, 0.2, 1, 7.5, 1, -0.2, 0.02},
                                {9.5, 0.6, 0, 9, 0.1, 0.5, 0, 0}});
  const double tolerance = 400 * this->eps;  // 60 steps of a few roundings each, of numbers up to 4
  for (std::size_t first = 0; first < all.size(); ++first) {
    const auto members = this->take(all, first);
    const auto tracks = step_side_by_side<TypeParam>(members, h, steps);
    for (std::size_t l = 0; l < tracks.size(); ++l) {
      const Track exact = recompute(members[l], h, steps);
      for (std::size_t i = 0; i <= static_cast<std::size_t>(steps); ++i) {
        ASSERT_NEAR(tracks[l].x[i], exact.x[i], tolerance) << "node " << i << ", lane " << l << " of " << first;
        ASSERT_NEAR(tracks[l].y[i], exact.y[i], tolerance) << "node " << i << ", lane " << l << " of " << first;
        if (i == static_cast<std::size_t>(steps)) break;
        ASSERT_NEAR(tracks[l].vx[i], exact.vx[i], tolerance) << "node " << i << ", lane " << l << " of " << first;
        ASSERT_NEAR(tracks[l].vy[i], exact.vy[i], tolerance) << "node " << i << ", lane " << l << " of " << first;
      }
    }
  }
}

// Where all members have one delay of a whole number of steps the past is a node, and steps that know it find the same
// bits as those that do not. Steps of both kinds may follow each other.
TYPED_TEST(Step, LooksAtNodesWhereDelaysAreWhole) {
  const double h = 1.0 / 64;
  const long steps = 200;
  for (const double tau : {h, 2 * h, 10 * h, 10.5 * h, 0.0}) {
    const auto all = this->round({{9.5, 0.3, 0.5, 2, tau, 1, 0.4, 0.25},
                                  {5.5, 0.05, 1, 6, tau, -1, 0.7, 0.11},
                                  {9.5, 0.6, 0, 9, tau, -0.0, -0.0, 0}});
    for (std::size_t first = 0; first < all.size(); ++first) {
      const auto members = this->take(all, first);
      const auto expect_equal = [&](const std::vector<Track>& tracks, const std::vector<Track>& wanted) {
        for (std::size_t l = 0; l < tracks.size(); ++l)
          for (const auto quantity : {&Track::x, &Track::y, &Track::vx, &Track::vy, &Track::observed})
            ASSERT_TRUE(std::ranges::equal(tracks[l].*quantity, wanted[l].*quantity, same_bits<double>))
                << "lane " << l << " of " << first << ", " << tau / h << " steps";
      };
      expect_equal(step_side_by_side<TypeParam, SteadyBlock>(members, h, steps),
                   step_side_by_side<TypeParam, SteadyBlock>(members, h, steps, 1));
      expect_equal(step_side_by_side<TypeParam, TwiceSteadyBlock>(members, h, steps, 7),
                   step_side_by_side<TypeParam, TwiceSteadyBlock>(members, h, steps, 1));
      const Track exact = recompute(members[0], h, 60),
                  track = step_side_by_side<TypeParam, SteadyBlock>(members, h, 60)[0];
      for (std::size_t i = 0; i <= 60; ++i)
        ASSERT_NEAR(track.x[i], exact.x[i], 400 * this->eps) << "node " << i << ", " << tau / h << " steps";
    }
  }
}

// Such a node is seen as it is, by steps of both kinds: with a weight of 0 for the next one a zero would lose its sign,
// and an infinity would be felt a step early.
TYPED_TEST(Step, SeesANodeAsItIs) {
  using Number = ScalarOf<TypeParam>;
  constexpr int count = RealTraits<TypeParam>::lanes;
  const state::Clock<Number> clock = {Number(0.25), Number(8), 32};
  const TypeParam parameters[] = {TypeParam(9),   TypeParam(0),    TypeParam(0),    TypeParam(1),
                                  TypeParam(0.5), TypeParam(-0.0), TypeParam(-0.0), TypeParam(1)};
  step::Member<TypeParam, SteadyBlock> m;
  step::start_member(m, parameters, clock);
  for (const Number next : {Number(1), std::numeric_limits<Number>::infinity()}) {
    std::vector<Number> memory(2 * count, Number(-0.0));  // node 4, and node 5 behind it
    std::fill_n(memory.begin() + count, count, next);
    const history::Ring<Number> ring = {memory.data(), 2, count};
    const history::Moment<Number> at = {6, 0, ring, clock};
    state::Node<TypeParam, SteadyBlock> plain, full;
    history::look_at_nodes(m.past(), plain, at);
    history::find_older(m.past(), at);
    history::look_back<history::Look::early>(m.past(), full, at);
    for (int l = 0; l < count; ++l) {
      EXPECT_TRUE(same_bits(get_lane(plain.past_q[0][0], l), Number(-0.0))) << l;
      EXPECT_TRUE(same_bits(get_lane(full.past_q[0][0], l), Number(-0.0))) << l;
    }
  }
}

// (O6) K_N - K_0 = work - dissipated
TYPED_TEST(Step, BalancesItsEnergy) {
  const auto all = this->round({{9.5, 0.3, 0.5, 2, 0.3, 1, 0.4, 0.25},
                                {5.5, 0.05, 1, 6, 0.2001, -1, 0.7, 0.11},
                                {9.5, 0.6, 0, 9, 0.1, 0.5, 0, 0}});
  for (std::size_t first = 0; first < all.size(); ++first) {
    const auto members = this->take(all, first);
    const auto tracks = step_side_by_side<TypeParam>(members, 1.0 / 64, 400);
    for (std::size_t l = 0; l < tracks.size(); ++l) {
      const double before = members[l][Block::speed] * members[l][Block::speed] / 2;
      const double after = (tracks[l].vx.back() * tracks[l].vx.back() + tracks[l].vy.back() * tracks[l].vy.back()) / 2;
      // each step rounds a velocity of the order of 4, whose square changes by 8 eps; sums keep what rounding takes
      EXPECT_NEAR(after - before, tracks[l].observed[6] - tracks[l].observed[2], 400 * 8 * this->eps)
          << "lane " << l << " of " << first;
    }
  }
}

// What one member does does not depend on its neighbours: the same bits in every lane, beside others.
TYPED_TEST(Step, DoesNotDependOnNeighbours) {
  const auto all = this->round({{9.5, 0.3, 0.5, 2, 0.3, 1, 0.4, 0.25},
                                {9.5, 0.3, 0, 2, 0, 1, 0.4, 0.25},
                                {5.5, 0.05, 1, 6, 0.2001, -1, 0.7, 0.11}});
  std::vector<Track> alone;
  for (const auto& member : all)
    alone.push_back(step_side_by_side<TypeParam>(std::vector(this->lanes, member), 1.0 / 64, 200)[0]);
  for (std::size_t first = 0; first < all.size(); ++first) {
    const auto tracks = step_side_by_side<TypeParam>(this->take(all, first), 1.0 / 64, 200);
    for (std::size_t l = 0; l < tracks.size(); ++l) {
      EXPECT_EQ(tracks[l].x, alone[(first + l) % all.size()].x);
      EXPECT_EQ(tracks[l].vy, alone[(first + l) % all.size()].vy);
      EXPECT_EQ(tracks[l].observed, alone[(first + l) % all.size()].observed);
    }
  }
}

// A member that cannot start or whose law has no answer is NaN from there on, and its neighbours are not.
TYPED_TEST(Step, ABadMemberIsNaNAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& bad : std::vector<std::vector<double>>{{9.5, -1, 0, 2, 0, 1, 0.4, 0},
                                                          {9.5, 0.3, 2, 2, 0, 1, 0.4, 0},
                                                          {9.5, 0.3, 0, 2, -1, 1, 0.4, 0},
                                                          {9.5, 0.3, 0, 2, 0, 1, 0.4, -1},
                                                          {9.5, nan, 0, 2, 0, 1, 0.4, 0}}) {
    std::vector<std::vector<double>> members(this->lanes, {9.5, 0.3, 0, 2, 0, 1, 0.4, 0});
    members.back() = bad;
    const auto tracks = step_side_by_side<TypeParam>(members, 1.0 / 64, 8);
    EXPECT_TRUE(std::isnan(tracks.back().x.back()));
    for (std::size_t l = 0; l + 1 < tracks.size(); ++l) EXPECT_FALSE(std::isnan(tracks[l].x.back()));
  }
}

}  // namespace
}  // namespace conesweep::test
