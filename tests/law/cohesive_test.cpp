#include <gtest/gtest.h>
#include <conesweep/law/dispatch.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <string>

#include "contact/families.hpp"
#include "oracle/contact_modes.hpp"
#include "oracle/differences.hpp"
#include "oracle/law_check.hpp"

// (H) A contact that holds fast, alone: by hand, by its inequalities, in the plane beside all modes.
namespace conesweep {
namespace {

using families::Random;
using law::Cohesive;
using Limits = law::Limits<double>;

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

template <int K>
struct Answer {
  double r[K];
};
template <int K>
Answer<K> solve(const double (&w)[K][K], const double (&b)[K], double mu, double a) {
  Answer<K> answer;
  Cohesive::solve<double, K>(w, b, Limits{-a, mu}, answer.r);
  return answer;
}

TEST(Cohesive, HoldsUntilItIsPulledByMore) {
  const double w[1][1] = {{2}};
  EXPECT_EQ(solve<1>(w, {-3.0}, 0, 1).r[0], 1.5);  // pressed
  EXPECT_EQ(solve<1>(w, {1.0}, 0, 1).r[0], -0.5);  // pulled and held
  EXPECT_EQ(solve<1>(w, {2.0}, 0, 1).r[0], -1);    // by just as much
  EXPECT_EQ(solve<1>(w, {10.0}, 0, 1).r[0], -1);   // opens, u = 8
  EXPECT_EQ(solve<1>(w, {10.0}, 0, 100).r[0], -5);
}

TEST(Cohesive, RubsByWhatPressesAndHolds) {
  const double w[2][2] = {{1, 0}, {0, 1}};
  const auto sticks = solve<2>(w, {0.0, 0.9}, 0.5, 2);  // nothing presses, μ a = 1
  EXPECT_EQ(sticks.r[0], 0);
  EXPECT_EQ(sticks.r[1], -0.9);
  const auto slips = solve<2>(w, {0.5, 3.0}, 0.5, 2);  // pulled by 0.5: μ (-0.5 + 2)
  EXPECT_EQ(slips.r[0], -0.5);
  EXPECT_NEAR(slips.r[1], -0.75, 1e-15);
  const auto opens = solve<2>(w, {2.5, 3.0}, 0.5, 2);
  EXPECT_EQ(opens.r[0], -2);
  EXPECT_EQ(opens.r[1], 0);
}

TEST(Cohesive, WithoutCohesionIsCoulombs) {
  oracle::Differences off("a = 0");
  for (int number = 0; number < 300; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 31);
    const Eigen::MatrixXd m = families::random_mass(random, 3, 30);
    double w[3][3], b[3], r[3], coulomb[3];
    for (int i = 0; i < 3; ++i) {
      b[i] = random.normal();
      for (int j = 0; j < 3; ++j) w[i][j] = m(std::max(i, j), std::min(i, j));
    }
    const double mu = random.uniform(0, 1.5);
    Cohesive::solve<double, 3>(w, b, Limits{0, mu}, r);
    law::Coulomb::solve<double, 3>(w, b, Limits{0, mu}, coulomb);
    for (int k = 0; k < 3; ++k) off.compare_bits(r[k], coulomb[k], "number " + std::to_string(number));
  }
  EXPECT_TRUE(off.none());
}

/// What was drawn, and how it ended.
struct Counted {
  int opened = 0, held = 0, stuck = 0;
};

template <int K>
Counted compare_with_inequalities() {
  oracle::Differences off("contact that holds, " + std::to_string(K) + " rows");
  Counted counted;
  for (int number = 0; number < 2000; ++number) {
    Random random(static_cast<std::uint64_t>(number) + 500);
    const Eigen::MatrixXd m = families::random_mass(random, K, 30);
    double w[K][K], b[K], r[K];
    for (int i = 0; i < K; ++i) {
      b[i] = random.normal();
      for (int j = 0; j < K; ++j) w[i][j] = m(std::max(i, j), std::min(i, j));
    }
    const Eigen::MatrixXd matrix = Eigen::MatrixXd(m.selfadjointView<Eigen::Lower>());
    const double mu = random.uniform(0, 1), a = random.log_uniform(1e-3, 10) / m(0, 0);
    const Limits limits{-a, mu};
    Cohesive::solve<double, K>(w, b, limits, r);
    const std::string where = "number " + std::to_string(number);
    const Eigen::VectorXd found = Eigen::Map<const Eigen::VectorXd>(r, K),
                          free = Eigen::Map<const Eigen::VectorXd>(b, K), u = free + matrix * found;
    off.at_most(oracle::miss_contact(matrix, found, u, mu, a), 0, 1e-12 * (1 + m.trace() * a), where + ", law");

    // the natural map leaves it where it is
    law::Nearest<double> to;
    double x[3] = {0, 0, 0};
    for (int k = 0; k < K; ++k) x[k] = r[k] - u[k] / m.trace();
    Cohesive::project(limits, K, x, to);
    for (int k = 0; k < K; ++k)
      off.compare(to.p[k], r[k], 1e-11 * (1 + a), where + ", P(r - u), row " + std::to_string(k));

    const bool opens = r[0] == -a;
    off.require(Cohesive::presses(limits, r[0]) == !opens && (!opens || to.mode == law::Mode::flight),
                where + ", open");
    counted.opened += opens;
    counted.held += r[0] > -a && r[0] < 0;
    counted.stuck += !opens && (K == 1 || to.mode == law::Mode::stick);

    if constexpr (K == 2) {
      const bool among = oracle::find_among_modes(
          matrix, free, {mu}, 1e-11,
          [&](const oracle::ModeSolution& other) { return (other.r - found).norm() <= 1e-9 * (1 + a); }, {a});
      off.require(among, where + ", among all modes");
    }
  }
  EXPECT_TRUE(off.none());
  return counted;
}

TEST(Cohesive, ObeysItsLaw) {
  for (const Counted& counted :
       {compare_with_inequalities<1>(), compare_with_inequalities<2>(), compare_with_inequalities<3>()}) {
    EXPECT_GT(counted.opened, 200);
    EXPECT_GT(counted.held, 200);
    EXPECT_GT(counted.stuck, 100);
  }
}

TEST(Cohesive, SlipsOnTheBorderOfItsDisk) {
  // in a given slip along h, r_t + lean h r_n = border: what the search starts from (5)
  const Limits limits{-2, 0.5};
  const double r_n = -0.5, h = -1;
  EXPECT_EQ(Cohesive::border(limits, h) - Cohesive::lean(limits, 1.0) * h * r_n, -0.5 * (r_n + 2) * h);
}

TEST(Cohesive, TakesNumbersFromZeroOn) {
  EXPECT_TRUE(Cohesive::are_valid(Limits{-1, 0.5}));
  EXPECT_TRUE(Cohesive::are_valid(Limits{0, 0.5}));
  for (const double low : {1.0, -inf, inf, nan}) EXPECT_FALSE(Cohesive::are_valid(Limits{low, 0.5})) << low;
  // it takes part also where nothing closes it
  EXPECT_TRUE(Cohesive::takes_part(Limits{-1, 0.5}, 3.0));
  EXPECT_FALSE(law::Coulomb::takes_part(Limits{0, 0.5}, 3.0));
}

TEST(Laws, AreToldApartByTheirKind) {
  using law::Kind;
  for (const Kind kind : {Kind::coulomb, Kind::persistent, Kind::cohesive}) EXPECT_TRUE(law::is_contact(kind));
  for (const Kind kind : {Kind::coulomb, Kind::cohesive}) EXPECT_TRUE(law::opens(kind));
  for (const Kind kind : {Kind::interval, Kind::ball, Kind::guide}) EXPECT_FALSE(law::is_contact(kind));
  EXPECT_FALSE(law::persists(Kind::cohesive));
}

}  // namespace
}  // namespace conesweep
