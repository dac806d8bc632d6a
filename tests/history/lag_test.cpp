// (P10): a delay in steps, and the ring it looks back into, over every number type.
#include <conesweep/history/lag.hpp>
#include <conesweep/history/ring.hpp>

#include <limits>
#include <random>

#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

using history::make_lag;

template <class Real>
class LagOf : public ::testing::Test {};
TYPED_TEST_SUITE(LagOf, Reals);

template <class Real>
using Rows = std::vector<std::vector<ScalarOf<Real>>>;

constexpr long many = 1000000;

/// share, rest, steps and D of each row's length, its first entry; h is the same for all.
template <class Real, class Check>
void for_lags(const Rows<Real>& rows, ScalarOf<Real> h, const Check& check) {
  for_rows<Real>(
      rows,
      [&](const auto& x) {
        const auto lag = make_lag<Real>(x[0], h, many);
        Real whole{};
        for (int l = 0; l < RealTraits<Real>::lanes; ++l) set_lane(whole, l, static_cast<ScalarOf<Real>>(lag.whole[l]));
        return std::vector<Real>{lag.share, lag.rest, lag.steps, whole, lag.reach().up};
      },
      check);
}

TYPED_TEST(LagOf, IsWhatTheEquationSaysByHand) {
  using Scalar = ScalarOf<TypeParam>;
  // length in steps of 1/4; share, rest, steps, D
  const Rows<TypeParam> rows = {{0, 1, 0, 0, 1},                                                // the present node
                                {Scalar(0.0625), Scalar(0.75), Scalar(0.25), Scalar(0.25), 1},  // within the last step
                                // a whole step: the older node alone
                                {Scalar(0.25), 0, 1, 1, 1},
                                {Scalar(0.3125), Scalar(0.75), Scalar(0.25), Scalar(1.25), 2},
                                {Scalar(0.5), 0, 1, 2, 2},
                                {Scalar(2.625), Scalar(0.5), Scalar(0.5), Scalar(10.5), 11},
                                {250, 0, 1, 1000, 1000}};
  for_lags<TypeParam>(rows, Scalar(0.25), [](const auto& row, const auto& got, const std::string& where) {
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(got[k], row[k + 1]) << where << ", result " << k;
    EXPECT_EQ(got[3], got[4]) << where;
  });
}

TYPED_TEST(LagOf, TakesAHairBesideAWholeNumberForIt) {
  using Scalar = ScalarOf<TypeParam>;
  const bool fine = sizeof(Scalar) == 8;
  // 1e-9 of a step in double; some units in the last place in float, where a quotient is no better
  const double inside = fine ? 0.9e-9 : 0.9 * std::pow(2, -21) * 3,
               outside = fine ? 1.1e-9 : 1.5 * std::pow(2, -21) * 3;
  const Rows<TypeParam> rows = {{static_cast<Scalar>(3 + inside), 1},
                                {static_cast<Scalar>(3 - inside), 1},
                                {3, 1},
                                {static_cast<Scalar>(3 + outside), 0},
                                {static_cast<Scalar>(3 - outside), 0}};
  for_lags<TypeParam>(rows, 1, [](const auto& row, const auto& got, const std::string& where) {
    EXPECT_EQ(got[2] == 3, row[1] == 1) << where << ": " << got[2];
    EXPECT_EQ(got[3], row[0] > 3 && row[1] == 0 ? 4 : 3) << where;
  });
}

TYPED_TEST(LagOf, FindsAnyPlaceOnAStraightLine) {
  using Scalar = ScalarOf<TypeParam>;
  // q_j = j: rest (i - D) + share (i - D + 1) = i - τ/h, seen from i = 0
  std::mt19937_64 random(3);
  Rows<TypeParam> rows;
  for (int k = 0; k < 500; ++k)
    rows.push_back({static_cast<Scalar>(std::pow(10, std::uniform_real_distribution<double>(-4, 2)(random)))});
  const Scalar h = Scalar(0.0123), eps = std::numeric_limits<Scalar>::epsilon();
  for_lags<TypeParam>(rows, h, [&](const auto& row, const auto& got, const std::string& where) {
    const Scalar share = got[0], rest = got[1], d = got[3], steps = row[0] / h;
    EXPECT_GE(share, 0) << where;
    EXPECT_LE(share, 1) << where;
    EXPECT_EQ(share + rest, 1) << where;
    EXPECT_GE(d, 1) << where;
    EXPECT_NEAR(rest * -d + share * (1 - d), -steps,
                (sizeof(Scalar) == 8 ? Scalar(1e-9) : 8 * eps) * std::max(steps, Scalar(1)))
        << where;
  });
}

TYPED_TEST(LagOf, AsksForNothingWhereALengthIsBad) {
  using Scalar = ScalarOf<TypeParam>;
  const Scalar inf = std::numeric_limits<Scalar>::infinity(), nan = std::numeric_limits<Scalar>::quiet_NaN();
  const Rows<TypeParam> rows = {
      {-1, 0}, {nan, 0}, {inf, 0}, {-inf, 0}, {0, 1}, {2, 1}, {std::numeric_limits<Scalar>::max(), 1}};
  for_rows<TypeParam>(
      rows,
      [](const auto& x) {
        return std::vector<TypeParam>{select(history::is_valid_length(x[0]), TypeParam(1), TypeParam(0)),
                                      make_lag<TypeParam>(x[0], 1, many).steps};
      },
      [](const auto& row, const auto& got, const std::string& where) {
        EXPECT_EQ(got[0], row[1]) << where;
        EXPECT_EQ(got[1], row[1] == 1 ? row[0] : 0) << where;
      });
}

TYPED_TEST(LagOf, CountsNoFurtherThanNodesAreAskedFor) {
  using Scalar = ScalarOf<TypeParam>;
  constexpr int lanes = RealTraits<TypeParam>::lanes;
  TypeParam length{};
  for (int l = 0; l < lanes; ++l) set_lane(length, l, static_cast<Scalar>(l + 5));
  auto lag = make_lag<TypeParam>(length, 1, 100);
  for (int l = 0; l < lanes; ++l) EXPECT_EQ(lag.whole[l], l + 5);
  EXPECT_EQ(lag.longest(), lanes + 4);
  EXPECT_EQ(lag.is_common(), lanes == 1);
  lag = make_lag<TypeParam>(length, 1, 3);
  for (int l = 0; l < lanes; ++l) EXPECT_EQ(lag.whole[l], 3);
  EXPECT_EQ(lag.longest(), 3);
  EXPECT_TRUE(lag.is_common());
  EXPECT_EQ(lag.reach().furthest, lanes + 4) << "windows see the past also where no node is reached";
  // farther than a long counts
  lag = make_lag<TypeParam>(TypeParam(std::numeric_limits<Scalar>::max()), Scalar(0.5), 100);
  EXPECT_EQ(lag.longest(), 100);
}

TYPED_TEST(LagOf, LimitsWindowsButNoDelays) {
  using Scalar = ScalarOf<TypeParam>;
  const Scalar h = Scalar(0.5), most = static_cast<Scalar>(history::most_window_steps);
  const Rows<TypeParam> rows = {{0, 1},
                                {most * h, 1},
                                {(most + 2) * h, 0},
                                {-1, 0},
                                {std::numeric_limits<Scalar>::infinity(), 0},
                                {std::numeric_limits<Scalar>::quiet_NaN(), 0}};
  for_rows<TypeParam>(
      rows,
      [&](const auto& x) {
        return std::vector<TypeParam>{select(history::is_valid_window(x[0], h), TypeParam(1), TypeParam(0))};
      },
      [](const auto& row, const auto& got, const std::string& where) { EXPECT_EQ(got[0], row[1]) << where; });
}

// ---- the ring ----

TEST(Ring, FindsTheSlotOfAnEarlierNode) {
  for (const long slots : {1L, 2L, 3L, 7L, 64L})
    for (long i = 0; i < 200; ++i)
      for (long back = 0; back <= slots && back <= i; ++back)
        EXPECT_EQ(history::slot_before(i % slots, back, slots), (i - back) % slots);
}

TYPED_TEST(LagOf, KeepsMembersApartInTheRing) {
  using Scalar = ScalarOf<TypeParam>;
  constexpr int lanes = RealTraits<TypeParam>::lanes;
  // [slot][member], more members beside this pack
  const long stride = lanes + 3, slots = 5;
  std::vector<Scalar> data(static_cast<std::size_t>(slots * stride), Scalar(-1));
  for (long slot = 0; slot < slots; ++slot) {
    TypeParam x{};
    for (int l = 0; l < lanes; ++l) set_lane(x, l, static_cast<Scalar>(100 * slot + l));
    history::store_members<TypeParam>(data.data() + slot * stride, x);
  }
  for (long slot = 0; slot < slots; ++slot) {
    const TypeParam x = history::load_members<TypeParam>(data.data() + slot * stride);
    for (int l = 0; l < lanes; ++l) EXPECT_EQ(get_lane(x, l), static_cast<Scalar>(100 * slot + l));
    for (long beside = lanes; beside < stride; ++beside)
      EXPECT_EQ(data[static_cast<std::size_t>(slot * stride + beside)], Scalar(-1)) << "a neighbour's number";
  }
  // a slot of its own for every lane
  const Scalar* at[lanes];
  for (int l = 0; l < lanes; ++l) at[l] = data.data() + (3 * l % slots) * stride + l;
  const TypeParam x = history::load_scattered<TypeParam>(at, 0);
  for (int l = 0; l < lanes; ++l) EXPECT_EQ(get_lane(x, l), static_cast<Scalar>(100 * (3 * l % slots) + l));
}

TEST(Ring, KeepsRowsOfMembersThatLookBackToDifferentNodes) {
  // [slot][member][column], another pack behind this one
  using Real = math::Pack<double, 8>;
  constexpr int length = history::row_length;
  const long slots = 5, stride = 2 * 8 * length;
  const auto number = [](long slot, int lane, int column) {
    return static_cast<double>(1000 * slot + 10 * lane + column);
  };
  std::vector<double> data(static_cast<std::size_t>(slots * stride), -1);
  for (long slot = 0; slot < slots; ++slot) {
    Real column[length];
    for (int c = 0; c < length; ++c)
      for (int l = 0; l < 8; ++l) set_lane(column[c], l, number(slot, l, c));
    history::store_rows(data.data() + slot * stride, column[0], column[1], column[2], column[3]);
    for (long beside = 8 * length; beside < stride; ++beside)
      EXPECT_EQ(data[static_cast<std::size_t>(slot * stride + beside)], -1) << "a neighbour's number";
  }
  const double* at[8];
  const auto slot_of = [](int lane) { return 3L * lane % 5; };
  for (int l = 0; l < 8; ++l) {
    at[l] = data.data() + slot_of(l) * stride + history::row_of_lane(l) * length;
    for (int c = 0; c < length; ++c) EXPECT_EQ(at[l][c], number(slot_of(l), l, c)) << "a row stands together";
  }
  Real column[length];
  history::load_rows(at, column);
  for (int c = 0; c < length; ++c)
    for (int l = 0; l < 8; ++l)
      EXPECT_EQ(get_lane(column[c], l), number(slot_of(l), l, c)) << "column " << c << ", lane " << l;
}

}  // namespace
}  // namespace conesweep::test
