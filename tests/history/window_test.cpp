// (P11): windows that are gathered, against the same windows looked through, over every number type. Values are small
// whole numbers: sums are exact, and every comparison is one of bits.
#include <conesweep/history/window.hpp>

#include <algorithm>
#include <limits>
#include <random>

#include "support/lanes.hpp"

namespace conesweep::test {
namespace {

using history::window_max;
using history::window_mean;
using history::window_min;

/// A value of every member at every node from -before on: [member][node + before].
template <class Scalar>
struct Motion {
  long before, steps;
  std::vector<std::vector<Scalar>> values;

  Scalar at(std::size_t member, long j) const { return values[member][static_cast<std::size_t>(j + before)]; }
};

/// One in `odd` values is none: NaN, or an infinity; 0: all are numbers.
template <class Scalar>
Motion<Scalar> draw_motion(std::size_t members, long before, long steps, int odd, unsigned seed) {
  std::mt19937 random(seed);
  Motion<Scalar> motion{before, steps, {}};
  for (std::size_t m = 0; m < members; ++m) {
    motion.values.emplace_back();
    for (long j = -before; j <= steps; ++j) {
      Scalar x = static_cast<Scalar>(static_cast<int>(random() % 200) - 100);
      if (odd > 0 && static_cast<int>(random() % static_cast<unsigned>(odd)) == 0) {
        const Scalar none[] = {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity(),
                               -std::numeric_limits<Scalar>::infinity()};
        x = none[random() % 3];
      }
      motion.values.back().push_back(x);
    }
  }
  return motion;
}

/// Over the D nodes i-D+1 … i, or the D-1 areas between them.
template <int Kind, class Scalar>
Scalar look_through(const Motion<Scalar>& motion, std::size_t member, long i, long d) {
  if (Kind == window_mean) {
    Scalar sum = 0;
    for (long j = i - d + 2; j <= i; ++j) sum += Scalar(0.5) * (motion.at(member, j - 1) + motion.at(member, j));
    return sum;
  }
  Scalar best = Kind == window_max ? -std::numeric_limits<Scalar>::infinity() : std::numeric_limits<Scalar>::infinity();
  for (long j = i - d + 1; j <= i; ++j) {
    const Scalar x = motion.at(member, j);
    if (Kind == window_max ? x > best : x < best) best = x;  // a NaN counts for nothing
  }
  return best;
}

/// Lengths in steps, one a lane, in a ring with some slots more than the longest takes.
template <int Kind, class Real>
void expect_gathered(const std::vector<long>& lengths, long more_slots, int odd, unsigned seed) {
  using Scalar = ScalarOf<Real>;
  constexpr int lanes = RealTraits<Real>::lanes;
  Real length{};
  for (int l = 0; l < lanes; ++l)
    set_lane(length, l, static_cast<Scalar>(lengths[static_cast<std::size_t>(l) % lengths.size()]));
  const auto lag = history::make_lag<Real>(length, 1, history::most_window_steps + 1);
  const long slots = lag.longest() + more_slots, stride = lanes + 2, steps = 3 * lag.longest() + 20;
  const auto motion = draw_motion<Scalar>(lanes, lag.longest() + 1, steps, odd, seed);
  const auto value_at = [&](long j) {
    Real x{};
    for (int l = 0; l < lanes; ++l) set_lane(x, l, motion.at(static_cast<std::size_t>(l), j));
    return x;
  };
  // what is never written shows
  std::vector<Scalar> ring(static_cast<std::size_t>(slots * stride), std::numeric_limits<Scalar>::quiet_NaN());
  history::Window<Real> window;
  const history::WindowColumn<Real> column = {ring.data(), slots, stride};
  history::start_window<Kind>(window, lag, column, value_at);
  for (long i = 0; i <= steps; ++i) {
    const Real gathered = history::advance_window<Kind>(window, lag, column, i % slots, value_at(i));
    for (int l = 0; l < lanes; ++l) {
      const Scalar got = get_lane(gathered, l),
                   expected = look_through<Kind>(motion, static_cast<std::size_t>(l), i, lag.whole[l]);
      ASSERT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected)))
          << "node " << i << ", lane " << l << " with " << lag.whole[l] << " nodes in " << slots << " slots: " << got
          << ", looked through " << expected;
    }
  }
}

template <class Real>
class GatheredWindow : public ::testing::Test {
 protected:
  /// All kinds, with one length for all lanes and with another for each.
  static void expect_all(int odd) {
    unsigned seed = 1;
    for (const long more_slots : {0L, 1L, 5L}) {
      for (const long length : {0L, 1L, 2L, 3L, 7L, 16L, 33L}) expect_kinds({length}, more_slots, odd, seed++);
      expect_kinds({1, 2, 3, 4, 5, 6, 7, 8}, more_slots, odd, seed++);
      expect_kinds({40, 0, 1, 13, 2, 40, 39, 3, 17, 1, 25}, more_slots, odd, seed++);
      expect_kinds({5, 5, 5, 6}, more_slots, odd, seed++);
    }
  }

  static void expect_kinds(const std::vector<long>& lengths, long more_slots, int odd, unsigned seed) {
    expect_gathered<window_max, Real>(lengths, more_slots, odd, seed);
    expect_gathered<window_min, Real>(lengths, more_slots, odd, seed);
    expect_gathered<window_mean, Real>(lengths, more_slots, odd, seed);
  }
};
TYPED_TEST_SUITE(GatheredWindow, Reals);

TYPED_TEST(GatheredWindow, IsWhatItIsLookedThrough) { this->expect_all(0); }

TYPED_TEST(GatheredWindow, ForgetsWhatIsNoNumberWhenItLeaves) { this->expect_all(9); }

TYPED_TEST(GatheredWindow, GathersByHand) {
  const TypeParam a(3), b(5), nan(std::numeric_limits<ScalarOf<TypeParam>>::quiet_NaN());
  const auto first = [](TypeParam x) { return get_lane(x, 0); };
  EXPECT_EQ(first(history::gather<window_max>(a, b)), 5);
  EXPECT_EQ(first(history::gather<window_min>(a, b)), 3);
  EXPECT_EQ(first(history::gather<window_mean>(a, b)), 8);
  EXPECT_EQ(first(history::make_item<window_mean>(a, b)), 4);  // the area of a step
  EXPECT_EQ(first(history::make_item<window_max>(a, b)), 5);
  EXPECT_EQ(first(history::make_item<window_max>(a, nan)), -std::numeric_limits<ScalarOf<TypeParam>>::infinity());
  EXPECT_EQ(first(history::make_item<window_min>(a, nan)), std::numeric_limits<ScalarOf<TypeParam>>::infinity());
  EXPECT_TRUE(std::isnan(first(history::make_item<window_mean>(a, nan))));
}

}  // namespace
}  // namespace conesweep::test
