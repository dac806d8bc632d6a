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

#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

/// A block on a rough floor, or above it: x'' = -k x(t - τ), y'' = -G, y >= 0 with friction μ and restitution e. Past:
/// x = x0 + s t, y = H.
struct Block : step::BlankModel {
  enum Constant { gravity, mu, e, stiffness, tau, start_x, speed, height };
  static constexpr int dimension = 2, parameters = 8, constants = 8, contacts = 1;
  static constexpr int lags = 1, q_columns = 1;
  static constexpr int q_column[] = {0};
  static constexpr bool lag_q[][1] = {{true}};
  static constexpr bool rebounds[] = {true}, constant_gradient[] = {true}, defined_everywhere[] = {true};
  struct Standard : BlankModel::Standard {
    static constexpr bool impacts = true, stick_time = true, dissipated = true, impulse = true, variation = true,
                          penetration = true, work = true;
  };

  template <class Real>
  static CS_INLINE void prepare(const Real* parameter, Real* c) {
    for (int k = 0; k < constants; ++k) c[k] = parameter[k];
    c[mu] = law::check_coefficient(c[mu]);
    c[e] = law::check_restitution(c[e]);
  }
  template <class Real>
  static CS_INLINE void past(Real t, const Real* c, Real* q) {
    q[0] = c[start_x] + c[speed] * t, q[1] = c[height];
  }
  template <class Real>
  static CS_INLINE void past_velocity(Real, const Real* c, Real* v) {
    v[0] = c[speed], v[1] = Real(0);
  }
  template <class Real>
  static CS_INLINE void start_velocity(const Real* c, Real* v) {
    v[0] = c[speed], v[1] = Real(0);
  }
  template <int Lag, class Real>
  static CS_INLINE Real length(const Real* c) {
    return c[tau];
  }
  template <class Node, class Real>
  static CS_INLINE void force(const Node& node, Real* f) {
    f[0] = -(node.c[stiffness] * node.past_q[0][0]);
    f[1] = -node.c[gravity];
  }
  template <int P, class Real>
  static CS_INLINE Real constraint(const Real* q, const Real*, Real) {
    return -q[1];
  }
  template <int P, class Real>
  static CS_INLINE Real steepness(const Real*, const Real*, Real) {
    return Real(1);
  }
  template <int P, class Real>
  static CS_INLINE Real constraint_rate(const Real*, const Real*, Real, const Real* w) {
    return -w[1];
  }
  template <int P, class Real>
  static CS_INLINE Real along_normal(const Real*, const Real*, Real, const Real* w) {
    return w[1];
  }
  template <int P, class Real>
  static CS_INLINE void split(const Real*, const Real*, Real, const Real* w, Real& w_n, Real* w_t, Real& slip_speed) {
    w_n = w[1];
    w_t[0] = w[0], w_t[1] = Real(0);
    slip_speed = abs(w_t[0]);
  }
  template <int P, class Real>
  static CS_INLINE void join(const Real*, const Real*, Real, const Real* v_t, Real v_n, Real* v) {
    v[0] = v_t[0], v[1] = v_n;
  }
  template <int P, class Node>
  static CS_INLINE auto friction(const Node& node) {
    return node.c[mu];
  }
  template <int P, class Node>
  static CS_INLINE auto restitution(const Node& node) {
    return node.c[e];
  }
};

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

/// The same with one delay for all members, which all may know to be a whole number of steps; and with a second one,
/// three times as long.
struct SteadyBlock : Block {
  static constexpr bool lag_varies[] = {false};
};
struct TwiceSteadyBlock : Block {
  static constexpr int lags = 2;
  static constexpr bool lag_varies[] = {false, false}, lag_gathered[] = {false, false};
  static constexpr bool lag_q[][1] = {{true}, {true}}, lag_v[][1] = {{false}, {false}};

  template <int Lag, class Real>
  static CS_INLINE Real length(const Real* c) {
    return Lag == 0 ? c[tau] : Real(3) * c[tau];
  }
  template <class Node, class Real>
  static CS_INLINE void force(const Node& node, Real* f) {
    f[0] = -(node.c[stiffness] * node.past_q[0][0]) - node.past_q[1][0];
    f[1] = -node.c[gravity];
  }
};

struct Track {
  std::vector<double> x, y, vx, vy;  // by node; velocities after it
  std::vector<double> observed;      // in the order of the results
};

/// The scheme once more in plain long double, from the numbers as the member has them.
Track recompute(const std::vector<double>& p, double step, long steps) {
  using Number = long double;
  const Number G = p[0], mu = p[1], e = p[2], k = p[3], tau = p[4], h = step;
  const auto past = [&](Number t) { return Number(p[5]) + Number(p[6]) * t; };
  std::vector<Number> xs = {past(0)};
  Number y = p[7], vx = p[6], vy = 0;
  Track track;
  for (long i = 0;; ++i) {
    track.x.push_back(static_cast<double>(xs.back())), track.y.push_back(static_cast<double>(y));
    if (i == steps) break;
    const Number back = static_cast<Number>(i) - tau / h;  // where it looks, in steps
    const auto node = static_cast<long>(std::floor(back));
    const Number share = back - static_cast<Number>(node);
    const Number then = back < 0     ? past(back * h)
                        : share == 0 ? xs[static_cast<std::size_t>(node)]
                                     : (1 - share) * xs[static_cast<std::size_t>(node)] +
                                           share * xs[static_cast<std::size_t>(node + 1)];
    const Number wx = vx - h * k * then, wy = vy - h * G;
    if (y <= 0 && wy < 0) {
      const Number up = std::max(-e * vy, Number(0)), r = up - wy, grip = mu * r;
      vx = std::fabs(wx) <= grip ? 0 : wx - std::copysign(grip, wx);
      vy = up;
    } else {
      vx = wx, vy = wy;
    }
    track.vx.push_back(static_cast<double>(vx)), track.vy.push_back(static_cast<double>(vy));
    xs.push_back(xs.back() + h * vx), y += h * vy;
  }
  return track;
}

/// As many members as there are lanes, side by side, stepped by the text that all executors share: the first steps and
/// every `full`th one as if some member could look back before t = 0, the others knowing what they can know.
template <class Real, class Model = Block>
std::vector<Track> step_side_by_side(const std::vector<std::vector<double>>& members, double h, long steps,
                                     long full = 1000000) {
  using Scalar = ScalarOf<Real>;
  constexpr int lanes = RealTraits<Real>::lanes;
  Real parameters[Model::parameters];
  for (int k = 0; k < Model::parameters; ++k)
    for (int l = 0; l < lanes; ++l)
      set_lane(parameters[k], l, Scalar(members[static_cast<std::size_t>(l)][static_cast<std::size_t>(k)]));
  const state::Clock<Scalar> clock = {Scalar(h), Scalar(h * static_cast<double>(steps)), steps};
  step::Member<Real, Model> m;
  step::start_member(m, parameters, clock);
  const long slots = m.count_slots();
  std::vector<Scalar> memory(static_cast<std::size_t>(slots * history::ring_columns<Model> * lanes));
  const history::Ring<Scalar> ring = {memory.data(), slots, lanes};
  step::fill_ring(m, ring);

  std::vector<Track> tracks(static_cast<std::size_t>(lanes));
  const auto keep = [&](const auto& node, bool last) {
    for (int l = 0; l < lanes; ++l) {
      Track& track = tracks[static_cast<std::size_t>(l)];
      track.x.push_back(get_lane(node.q[0], l)), track.y.push_back(get_lane(node.q[1], l));
      if (!last) track.vx.push_back(get_lane(node.v[0], l)), track.vy.push_back(get_lane(node.v[1], l));
    }
  };
  long i = 0, now = 0;
  for (; i < steps; ++i, now = now + 1 == slots ? 0 : now + 1) {
    const history::Moment<Scalar> at = {i, now, ring, clock};
    const auto record = [&](const auto& node, Real) { keep(node, false); };
    if (i < slots || i % full == 0) {
      step::advance<history::Look::early, false>(m, at, true, record);
    } else if (!m.past().looks_at_nodes()) {
      step::advance<history::Look::between, false>(m, at, true, record);
    } else if constexpr (history::may_look_at_nodes<Model>()) {
      step::advance<history::Look::at_nodes, false>(m, at, true, record);
      if ((i + 1) % full == 0 || i + 1 == steps)
        history::find_older(m.past(), {i + 1, now + 1 == slots ? 0 : now + 1, ring, clock});
    }
  }
  state::Node<Real, Model> last;
  step::make_last_node(m, last, {i, now, ring, clock});
  keep(last, true);
  m.finish(last, clock, [&](int, Real x) {
    for (int l = 0; l < lanes; ++l) tracks[static_cast<std::size_t>(l)].observed.push_back(get_lane(x, l));
  });
  return tracks;
}

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
