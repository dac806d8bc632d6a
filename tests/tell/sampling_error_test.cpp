// Do the standard errors of means and shares tell the truth? Over many seeds, on functions of the cube whose means are
// known.
//
// By default few seeds; with CONESWEEP_ALL=1 a thousand, five sizes, and a table (docs/testing.md).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "../oracle/known_indices.hpp"
#include "../sampling/ensembles.hpp"
#include "statistics/hypercube_error.hpp"
#include "statistics/part_error.hpp"
#include "tell/summary.hpp"

namespace conesweep::tell {
namespace {

using executor::Status;
using scenario::Sampler;

bool run_all() { return std::getenv("CONESWEEP_ALL") != nullptr; }

enum class Kind { additive, smooth, rough, share };
struct Integrand {
  std::string name;
  std::size_t axes;
  std::function<double(std::span<const double>)> f;
  double mean;
  Kind kind;
};

double sum_of(std::span<const double> u) {
  double sum = 0;
  for (const double x : u) sum += x;
  return sum;
}

/// P(u_1 + … + u_n < x) of uniform numbers (Irwin and Hall).
double sum_below(int n, double x) {
  double sum = 0;
  for (int k = 0; k <= x; ++k)
    sum += (k % 2 == 0 ? 1 : -1) * std::pow(x - k, n) / (std::tgamma(k + 1.0) * std::tgamma(n - k + 1.0));
  return sum;
}

std::vector<Integrand> integrands() {
  const auto g = test::sobol_g({0, 1, 4.5, 9});
  const auto ishigami = test::ishigami();
  const auto product = [](double size) {
    return [size](std::span<const double> u) {
      double value = 1;
      for (const double x : u) value *= 1 + size * (x - 0.5);
      return value;
    };
  };
  const auto pairs = [](std::span<const double> u) {
    double sum = 0;
    for (std::size_t k = 0; k < u.size() / 2; ++k) sum += (u[k] - 0.5) * (u[u.size() - 1 - k] - 0.5);
    return sum;
  };
  return {
      {"exp", 1, [](auto u) { return std::exp(u[0]); }, std::numbers::e - 1, Kind::additive},
      {"sum of squares", 5,
       [](auto u) { return u[0] * u[0] + 2 * u[1] * u[1] + 3 * u[2] * u[2] + 4 * u[3] * u[3] + 5 * u[4] * u[4]; }, 5,
       Kind::additive},
      {"product", 3, product(1), 1, Kind::smooth},
      {"product", 20, product(0.5), 1, Kind::smooth},
      {"g", 4, g.f, g.mean, Kind::smooth},
      {"Ishigami", 3, ishigami.f, ishigami.mean, Kind::smooth},
      {"pairs", 40, pairs, 0, Kind::smooth},
      {"cos of a sum", 40, [](auto u) { return std::cos(2 * (sum_of(u) - 20)); }, std::pow(std::sin(1.0), 40),
       Kind::rough},
      {"step", 1, [](auto u) { return u[0] < 0.3 ? 1.0 : 0.0; }, 0.3, Kind::share},
      {"triangle", 2, [](auto u) { return u[0] + u[1] < 0.7 ? 1.0 : 0.0; }, 0.245, Kind::share},
      {"simplex", 6, [](auto u) { return sum_of(u) < 2 ? 1.0 : 0.0; }, sum_below(6, 2), Kind::share},
      {"ball", 5,
       [](auto u) {
         double r = 0;
         for (const double x : u) r += x * x;
         return r < 1 ? 1.0 : 0.0;
       },
       std::pow(std::numbers::pi, 2.5) / std::tgamma(3.5) / 32, Kind::share},
  };
}

/// What many seeds gave.
struct Coverage {
  int seeds = 0, covered = 0, by_interval = 0;
  // sums of squares: of the errors made, of those stated, of those that independent members would have
  double squares = 0, stated = 0, independent = 0;

  double share() const { return static_cast<double>(covered) / seeds; }
  double too_large() const { return std::sqrt(stated / squares); }
};

Coverage cover(Sampler sampler, const Integrand& one, std::int64_t members, int seeds) {
  Coverage found;
  std::vector<double> values(static_cast<std::size_t>(members)), u(one.axes);
  const std::vector<Status> ok(values.size(), Status::ok);
  for (found.seeds = 0; found.seeds < seeds; ++found.seeds) {
    const auto scenario = test::make_ensemble(sampler, one.axes, members, static_cast<std::uint64_t>(found.seeds) + 1);
    const auto columns = sampling::draw(scenario, 0, members, 1);
    std::vector<std::uint8_t> codes;
    for (std::size_t m = 0; m < values.size(); ++m) {
      for (std::size_t axis = 0; axis < one.axes; ++axis) u[axis] = columns[axis][m];
      values[m] = one.f(u);
      codes.push_back(values[m] == 1 ? 1 : 0);
    }
    const Draws draws = ensemble_draws(scenario);
    const double independent = test::deviation_of(values) / std::sqrt(static_cast<double>(members));
    const double error = draws.error ? draws.error(values, ok) : independent;
    const double off = test::mean_of(values) - one.mean;
    found.squares += off * off, found.stated += error * error, found.independent += independent * independent;
    found.covered += std::fabs(off) <= 1.96 * error + 1e-15 ? 1 : 0;
    const auto interval = keep::share_interval(codes, 1, draws.error);
    found.by_interval += interval.lower <= one.mean && one.mean <= interval.upper ? 1 : 0;
  }
  return found;
}

class Errors : public testing::TestWithParam<Sampler> {
 protected:
  std::vector<std::int64_t> sizes() const {
    return run_all() ? std::vector<std::int64_t>{64, 256, 1000, 1024, 4096} : std::vector<std::int64_t>{256, 500};
  }
  int seeds(const Integrand& one) const {
    return run_all() ? (one.axes > 10 ? 400 : 1000) : (one.axes > 10 ? 50 : 150);
  }
  /// 93 %, less what so many seeds leave open.
  double least(int seeds) const { return 0.93 - 3 * std::sqrt(0.93 * 0.07 / seeds); }
};
INSTANTIATE_TEST_SUITE_P(Of, Errors, testing::Values(Sampler::random, Sampler::latin, Sampler::sobol),
                         [](const auto& which) { return std::string(to_name(which.param)); });

TEST_P(Errors, CoverTheTruthAndAreSmallWhereTheSamplerIsGood) {
  for (const std::int64_t n : sizes())
    for (const Integrand& one : integrands()) {
      if (n == 64 && one.axes > 20) continue;   // fewer members than these axes need: Sobol points repeat in planes
      if (n == 500 && one.axes > 10) continue;  // takes long, and 256 has it
      const Coverage found = cover(GetParam(), one, n, seeds(one));
      const std::string what =
          one.name + " in " + std::to_string(one.axes) + " axes, " + std::to_string(n) + " members";
      if (run_all())
        std::printf(
            "%-7s %5ld  %-16s %2zu  rmse %-9.2g covered %5.1f %%, shares %5.1f %%, stated / made %6.2f, independent / "
            "made %6.1f\n",
            std::string(to_name(GetParam())).c_str(), static_cast<long>(n), one.name.c_str(), one.axes,
            std::sqrt(found.squares / found.seeds), 100 * found.share(), 100.0 * found.by_interval / found.seeds,
            found.too_large(), std::sqrt(found.independent / found.squares));
      if (one.kind != Kind::share || n >= 256) {  // of a few members it is the interval of the share that tells
        EXPECT_GE(found.share(), least(found.seeds)) << what;
      }
      if (one.kind == Kind::share) {
        EXPECT_GE(static_cast<double>(found.by_interval) / found.seeds, least(found.seeds)) << what;
      }
      if (n < 256) continue;
      const double gain = std::sqrt(found.stated / found.independent);
      if (GetParam() == Sampler::latin) {
        EXPECT_LE(gain, one.kind == Kind::additive ? 0.1 : 1.05) << what;
        if (one.kind == Kind::smooth || one.kind == Kind::rough) {
          EXPECT_LE(found.too_large(), 1.35) << what;
        }
      }
      if (GetParam() == Sampler::sobol) {
        EXPECT_LE(gain, one.kind == Kind::additive ? 0.3 : one.axes <= 6 ? 1.05 : 2.5) << what;
      }
    }
}

// ---- by hand ----

std::vector<std::vector<float>> places_of(const scenario::Scenario& scenario) {
  const auto points = sampling::make_points(scenario);
  const std::int64_t n = scenario.ensemble.members;
  std::vector<std::vector<float>> places(scenario.vary.size());
  for (std::size_t axis = 0; axis < places.size(); ++axis)
    for (std::int64_t m = 0; m < n; m += statistics::HypercubeError::stride(n))
      places[axis].push_back(static_cast<float>(points->coordinate(m, axis)));
  return places;
}

TEST(HypercubeError, OfAStraightLineIsThatOfThePointsWithinTheirStrata) {
  const auto scenario = test::make_ensemble(Sampler::latin, 2, 300);
  const auto u = sampling::draw(scenario, 0, 300);
  std::vector<double> x;
  for (std::size_t m = 0; m < 300; ++m) x.push_back(5 + 3 * u[0][m] - 4 * u[1][m]);
  const statistics::HypercubeError error(300, places_of(scenario));
  EXPECT_NEAR(error(x, std::vector<Status>(300, Status::ok)) / std::sqrt((9 + 16) / (12 * 2.7e7)), 1, 1e-4);
}

TEST(HypercubeError, OfWhatNoAxisExplainsIsThatOfIndependentMembers) {
  for (const std::int64_t n : {200, 100'000}) {  // all members are fitted, and one of seven
    const auto scenario = test::make_ensemble(Sampler::latin, 2, n);
    const auto u = sampling::draw(scenario, 0, n);
    std::vector<double> x, with_more;
    for (std::size_t m = 0; m < static_cast<std::size_t>(n); ++m) {
      x.push_back((u[0][m] - 0.5) * (u[1][m] - 0.5));
      with_more.push_back(x.back() + 3 * u[0][m] - std::sin(u[1][m]));
    }
    const std::vector<Status> ok(x.size(), Status::ok);
    const statistics::HypercubeError error(n, places_of(scenario));
    const double independent = 1.0 / 12 / std::sqrt(static_cast<double>(n));
    EXPECT_NEAR(error(x, ok) / independent, 1, n < 1000 ? 0.2 : 0.03);
    EXPECT_NEAR(error(with_more, ok) / error(x, ok), 1, n < 1000 ? 0.2 : 0.02);
  }
}

TEST(HypercubeError, LeavesOutMembersThatStoppedOrHaveNoValue) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto scenario = test::make_ensemble(Sampler::latin, 1, 400);
  const auto u = sampling::draw(scenario, 0, 400);
  // half of the members, by the first axis, have a value of 1 or 3: as a ratio of two sums its error falls with the
  // strata, too
  std::vector<double> x;
  std::vector<Status> status;
  for (std::size_t m = 0; m < 400; ++m) {
    x.push_back(u[0][m] < 0.25 ? 1 : u[0][m] < 0.5 ? 3 : u[0][m] < 0.75 ? nan : 1e300);
    status.push_back(u[0][m] < 0.75 ? Status::ok : Status::non_finite);
  }
  const statistics::HypercubeError error(400, places_of(scenario));
  EXPECT_LT(error(x, status), 1e-6);
  EXPECT_TRUE(std::isnan(error(std::vector<double>(400, nan), status)));
  x[0] = std::numeric_limits<double>::infinity(), status[0] = Status::ok;
  EXPECT_TRUE(std::isnan(error(x, status)));
}

TEST(HypercubeError, KeepsItsDigitsFarFromZeroAndAtTheEndsOfTheRange) {
  const auto scenario = test::make_ensemble(Sampler::latin, 2, 128);
  const auto u = sampling::draw(scenario, 0, 128);
  std::vector<double> x, far, huge;
  for (std::size_t m = 0; m < 128; ++m) {
    x.push_back(u[0][m] * u[1][m]);
    far.push_back(x.back() + 0x1p30), huge.push_back(x.back() * 0x1p1000);
  }
  const statistics::HypercubeError error(128, places_of(scenario));
  const std::vector<Status> ok(128, Status::ok);
  EXPECT_NEAR(error(far, ok), error(x, ok), 1e-6 * error(x, ok));
  EXPECT_EQ(error(huge, ok), error(x, ok) * 0x1p1000);
}

TEST(EnsembleDraws, TakeMembersAsIndependentWhereAHypercubeHasTooManyAxes) {
  EXPECT_FALSE(ensemble_draws(test::make_ensemble(Sampler::latin, 40, 300)).error);
  EXPECT_TRUE(ensemble_draws(test::make_ensemble(Sampler::latin, 40, 320)).error);
  EXPECT_FALSE(ensemble_draws(test::make_ensemble(Sampler::random, 2, 300)).error);
}

TEST(ErrorByRuns, IsThatOfConsecutiveNets) {
  // 0 in every other run of 4, of 256 members: runs of 16 and of 8 have equal means, and only the shortest see it
  std::vector<double> x;
  for (int m = 0; m < 256; ++m) x.push_back(m / 4 % 2);
  const std::vector<Status> ok(256, Status::ok);
  EXPECT_NEAR(statistics::error_by_runs(x, ok), std::sqrt(64.0 / 63 / 4) / 8, 1e-14);
  EXPECT_EQ(statistics::error_by_runs(x, ok), statistics::error_by_parts(x, ok, {4, 0}));
}

}  // namespace
}  // namespace conesweep::tell
