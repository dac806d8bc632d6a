#include "sensitivity/design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>

#include "ensemble.hpp"
#include "sampling/parts.hpp"

namespace conesweep::sensitivity {
namespace {

/// Says which point and which axis was asked for.
class Telling final : public sampling::UnitPoints {
 public:
  double coordinate(std::int64_t member, std::size_t axis) const override {
    return static_cast<double>(member) + static_cast<double>(axis) / 10;
  }
};

std::vector<double> point(const SaltelliPoints& points, std::int64_t member) {
  std::vector<double> u;
  for (std::size_t i = 0; i < points.layout().parameters; ++i) u.push_back(points.coordinate(member, i));
  return u;
}

using Point = std::vector<double>;

TEST(SaltelliPoints, HaveAThenBThenAWithOneCoordinateOfB) {
  const SaltelliPoints points(std::make_unique<Telling>(), {3, false});
  EXPECT_EQ(points.layout().rows(), 5);
  EXPECT_EQ(points.layout().members(7), 35);
  EXPECT_EQ(point(points, 0), (Point{0.0, 0.1, 0.2}));
  EXPECT_EQ(point(points, 1), (Point{0.3, 0.4, 0.5}));
  EXPECT_EQ(point(points, 2), (Point{0.3, 0.1, 0.2}));
  EXPECT_EQ(point(points, 3), (Point{0.0, 0.4, 0.2}));
  EXPECT_EQ(point(points, 4), (Point{0.0, 0.1, 0.5}));
  EXPECT_EQ(point(points, 5), (Point{1.0, 1.1, 1.2}));  // the next base
  EXPECT_EQ(point(points, 38), (Point{7.0, 7.4, 7.2}));
}

TEST(SaltelliPoints, HaveBWithOneCoordinateOfAForSecondOrder) {
  const SaltelliPoints points(std::make_unique<Telling>(), {3, true});
  EXPECT_EQ(points.layout().rows(), 8);
  EXPECT_EQ(point(points, 8 + 0), (Point{1.0, 1.1, 1.2}));
  EXPECT_EQ(point(points, 8 + 1), (Point{1.3, 1.4, 1.5}));
  EXPECT_EQ(point(points, 8 + 3), (Point{1.0, 1.4, 1.2}));
  EXPECT_EQ(point(points, 8 + 5), (Point{1.0, 1.4, 1.5}));
  EXPECT_EQ(point(points, 8 + 6), (Point{1.3, 1.1, 1.5}));
  EXPECT_EQ(point(points, 8 + 7), (Point{1.3, 1.4, 1.2}));
}

TEST(SaltelliPoints, OfOneParameterExchangeAllOfIt) {
  const SaltelliPoints points(std::make_unique<Telling>(), {1, true});
  EXPECT_EQ(points.layout().rows(), 4);
  EXPECT_EQ(point(points, 2), point(points, 1));
  EXPECT_EQ(point(points, 3), point(points, 0));
}

TEST(SaltelliPoints, SayWhichMembersAreIndependentDraws) {
  const SaltelliLayout layout{2, true};
  std::vector<bool> independent;
  for (std::int64_t m = 0; m < 2 * layout.rows(); ++m) independent.push_back(layout.is_independent(m));
  EXPECT_EQ(independent,
            (std::vector<bool>{true, true, false, false, false, false, true, true, false, false, false, false}));
}

TEST(SaltelliPoints, StandOnTheTwoCopiesOfASampler) {
  const auto scenario = test::unit_scenario(2, 5);
  const SaltelliPoints points(sampling::make_points(scenario, 2), {2, false});
  const auto base = sampling::make_points(scenario, 2);
  for (std::int64_t j = 0; j < 10; ++j) {
    EXPECT_EQ(points.coordinate(4 * j, 0), base->coordinate(j, 0));
    EXPECT_EQ(points.coordinate(4 * j + 1, 0), base->coordinate(j, 2));
    EXPECT_EQ(points.coordinate(4 * j + 3, 1), base->coordinate(j, 3));
    EXPECT_NE(points.coordinate(4 * j, 0), points.coordinate(4 * j + 1, 0));
  }
}

TEST(InterleavedPoints, AreDealtOutInTurn) {
  std::vector<std::unique_ptr<sampling::UnitPoints>> parts;
  for (int r = 0; r < 3; ++r) parts.push_back(std::make_unique<Telling>());
  const sampling::InterleavedPoints points(std::move(parts));
  for (std::int64_t j = 0; j < 9; ++j) EXPECT_EQ(points.coordinate(j, 2), static_cast<double>(j / 3) + 0.2);
}

TEST(InterleavedPoints, HaveASeedForEachPart) {
  const auto scenario = test::unit_scenario(2, 5);
  const auto points = make_base_points(scenario, 4);
  const auto others = make_base_points(test::unit_scenario(2, 6), 4);
  std::set<double> seen;
  for (std::int64_t j = 0; j < 40; ++j)
    for (std::size_t axis = 0; axis < 4; ++axis) {
      seen.insert(points->coordinate(j, axis));
      seen.insert(others->coordinate(j, axis));
    }
  EXPECT_EQ(seen.size(), 2u * 40 * 4);
  EXPECT_EQ(make_base_points(scenario, 4)->coordinate(7, 3), points->coordinate(7, 3));
  EXPECT_EQ(make_base_points(scenario, 1)->coordinate(7, 3), sampling::make_points(scenario, 2)->coordinate(7, 3));
}

TEST(SobolBases, HaveNeighbouringAxesForTheTwoValuesOfAParameter) {
  const auto scenario = test::unit_scenario(3, 5, scenario::Sampler::sobol);
  const auto points = make_base_points(scenario, 1),
             axes = sampling::make_points(test::unit_scenario(6, 5, scenario::Sampler::sobol));
  for (std::int64_t j = 0; j < 20; ++j)
    for (std::size_t v = 0; v < 3; ++v) {
      EXPECT_EQ(points->coordinate(j, v), axes->coordinate(j, 2 * v));
      EXPECT_EQ(points->coordinate(j, v + 3), axes->coordinate(j, 2 * v + 1));
    }
}

TEST(SobolBases, AreNotWorseThanRandomOnesForAPhaseAmongEightParameters) {
  // the impulse of a shaken past, samples/random_past.toml: k ((1 + A cos phi) tau - A (sin phi - sin(phi - w tau)) /
  // w)
  const auto push = [](std::span<const double> u) {
    const double phi = 2 * std::numbers::pi * u[2], k = 3 + u[3], tau = 0.1 + 0.2 * u[4], A = 1.5 * u[5], w = 8;
    return k * ((1 - u[6] + A * std::cos(phi)) * tau - A * (std::sin(phi) - std::sin(phi - w * tau)) / w);
  };
  const std::int64_t bases = 1024;
  const auto scatter = [&](scenario::Sampler sampler) {
    double sum = 0, squares = 0;
    for (std::uint64_t seed = 1; seed <= 32; ++seed) {
      const SaltelliPoints points(make_base_points(test::unit_scenario(8, seed, sampler), 1), {8, false});
      const auto y = test::values_at(points, 8, 0, 10 * bases, push);
      double effect = 0, mean = 0, square = 0;
      for (std::size_t j = 0; j < static_cast<std::size_t>(bases); ++j) {
        const double a = y[10 * j], b = y[10 * j + 1], mixed = y[10 * j + 4];
        effect += (a - mixed) * (a - mixed) / 2;
        mean += (a + b) / 2;
        square += (a * a + b * b) / 2;
      }
      const double n = static_cast<double>(bases), total = effect / (square - mean * mean / n);
      sum += total;
      squares += total * total;
    }
    return std::sqrt((squares - sum * sum / 32) / 31);
  };
  const double random = scatter(scenario::Sampler::random), sobol = scatter(scenario::Sampler::sobol);
  std::printf("  total index of the phase: scatter %.4f with random, %.4f with Sobol points\n", random, sobol);
  EXPECT_LT(sobol, random / 2);
}

}  // namespace
}  // namespace conesweep::sensitivity
