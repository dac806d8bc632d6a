// (O1), (O2): every reducer over nodes with hand-made values, for every number type; every lane has values of its own.
#include <conesweep/observe/reducers.hpp>
#include <conesweep/step/blank_model.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

/// The coordinate itself, by every reducer; for conditions: is it positive?
struct EveryReducer : step::BlankModel {
  static constexpr int dimension = 1;
  static constexpr int observables = 11;
  static constexpr int reducers[] = {observe::reduce_final,     observe::reduce_min,      observe::reduce_max,
                                     observe::reduce_mean,      observe::reduce_integral, observe::reduce_first_time,
                                     observe::reduce_last_time, observe::reduce_count,    observe::reduce_share,
                                     observe::reduce_crossings, observe::reduce_period};

  template <int Number, class Node>
  static CS_INLINE auto value(const Node& node) {
    return node.q[0];
  }
  template <int Number, class Node>
  static CS_INLINE auto condition(const Node& node) {
    return node.q[0] > typename Node::Number(0);
  }
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Nodes 0 … N of one lane at t = 0, h, 2h, …, and what the reducers make of them, in the order above. Small dyadic
/// numbers: every sum is exact.
struct Row {
  std::vector<double> nodes;
  std::vector<double> expected;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      // integral: 0.5 (1 + 2 - 1 + 4); true at 0, 1 and again at 3
      {{1, 2, -1, 4, -8}, {-8, -8, 4, 1.5, 3, 0, 1.5, 2, 0.75, 3, nan}},
      {{-1, -2, -1, -4, -8}, {-8, -8, -1, -2, -4, nan, nan, 0, 0, 0, nan}},  // never
      // only at the last node, which no integral sees
      {{-1, -1, -1, -1, 2}, {2, -1, 2, -1, -2, 2, 2, 1, 0, 1, nan}},
      {{3, 3, 3, 3, 3}, {3, 3, 3, 3, 6, 0, 2, 1, 1, 0, nan}},          // always: one beginning
      {{0, 1, 0, 1, 0}, {0, 0, 1, 0.5, 1, 0.5, 1.5, 2, 0.5, 0, nan}},  // 0 has no sign: it never changes
      // up at 0.25 and, a quarter of the step after t = 1, at 1.125
      {{-1, 1, -1, 3, 1}, {1, -1, 3, 0.5, 1, 0.5, 2, 2, 0.5, 3, 0.875}},
      {{-2, 0, 2, -1, 1}, {1, -2, 2, -0.25, -0.5, 1, 2, 2, 0.25, 3, 1.25}},  // leaves 0 upward at 0.5; then 1.75
  };
  return all;
}

template <class Real>
class Reducers : public ::testing::Test {};
TYPED_TEST_SUITE(Reducers, Reals);

TYPED_TEST(Reducers, GiveHandValuesInEveryLane) {
  using Real = TypeParam;
  using Scalar = ScalarOf<Real>;
  constexpr std::size_t lanes = RealTraits<Real>::lanes;
  const state::Clock<Scalar> clock = {Scalar(0.5), Scalar(2), 4};
  for (std::size_t first = 0; first < rows().size(); ++first) {
    const auto row_of = [&](std::size_t lane) -> const Row& { return rows()[(first + lane) % rows().size()]; };
    observe::Reduced<Real, EveryReducer> reduced;
    reduced.start(nullptr, {});
    state::Node<Real, EveryReducer> node{};
    for (std::size_t i = 0; i <= 4; ++i) {
      node.t = Real(Scalar(0.5 * static_cast<double>(i)));
      for (std::size_t l = 0; l < lanes; ++l) set_lane(node.q[0], static_cast<int>(l), Scalar(row_of(l).nodes[i]));
      if (i < 4)
        reduced.see(node, Real(Scalar(i)), Real(clock.h));
      else
        reduced.see_last(node, Real(Scalar(i)), Real(clock.h));
    }
    unroll<EveryReducer::observables>([&](auto k) {
      const Real result = reduced.template result<k>(node, clock);
      for (std::size_t l = 0; l < lanes; ++l) {
        const double got = get_lane(result, static_cast<int>(l)),
                     wanted = row_of(l).expected[static_cast<std::size_t>(int(k))];
        EXPECT_TRUE(got == wanted || (got != got && wanted != wanted))
            << "reducer " << int(k) << ", lane " << l << ": " << got << ", not " << wanted;
      }
    });
  }
}

TYPED_TEST(Reducers, SkipNodesWhereTheExpressionIsNaN) {
  using Real = TypeParam;
  using Scalar = ScalarOf<Real>;
  observe::Reduced<Real, EveryReducer> reduced;
  reduced.start(nullptr, {});
  state::Node<Real, EveryReducer> node{};
  for (const double x : {nan, 2.0, nan, -3.0, nan}) {
    node.q[0] = Real(Scalar(x));
    reduced.see(node, Real(0), Real(1));
  }
  EXPECT_EQ(get_lane(reduced.template number<1>(), 0), -3);
  EXPECT_EQ(get_lane(reduced.template number<2>(), 0), 2);
}

// In float a plain sum of 10^5 times 0.1 is off by about 1 %; what rounding takes is kept.
TYPED_TEST(Reducers, SumsOfManyTermsKeepTheirDigits) {
  using Real = TypeParam;
  using Scalar = ScalarOf<Real>;
  constexpr long steps = 100000;
  observe::Reduced<Real, EveryReducer> reduced;
  reduced.start(nullptr, {});
  state::Node<Real, EveryReducer> node{};
  node.q[0] = Real(Scalar(0.1));
  for (long i = 0; i < steps; ++i) reduced.see(node, Real(Scalar(i)), Real(1));
  const state::Clock<Scalar> clock = {Scalar(1) / steps, Scalar(1), steps};
  const double exact = static_cast<double>(Scalar(0.1)) * static_cast<double>(steps) * static_cast<double>(clock.h);
  const double eps = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  EXPECT_NEAR(get_lane(reduced.template result<4>(node, clock), 0), exact, (is_double<Real> ? 1e-11 : 4 * eps) * exact);
}

// ---- what a model does not use takes no room ----

struct OnlyFinal : step::BlankModel {
  static constexpr int dimension = 1, observables = 1;
  static constexpr int reducers[] = {observe::reduce_final};
};
struct OneMax : step::BlankModel {
  static constexpr int dimension = 1, observables = 2;
  static constexpr int reducers[] = {observe::reduce_final, observe::reduce_max};
};
static_assert(__is_empty(observe::Reduced<double, OnlyFinal>));
static_assert(sizeof(observe::Reduced<double, OneMax>) == sizeof(double));
// no final; count and crossings keep two numbers, a period five
static_assert(sizeof(observe::Reduced<double, EveryReducer>) == 16 * sizeof(double));
// and two sums keep what rounding takes
static_assert(sizeof(observe::Reduced<float, EveryReducer>) == 18 * sizeof(float));

}  // namespace
}  // namespace conesweep::test
