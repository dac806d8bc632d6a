// Standard errors of members that are not independent, by hand.
#include "statistics/part_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sampling/ensembles.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::test {
namespace {

using executor::Status;
using statistics::error_by_parts;
using statistics::Parts;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double error_of(const std::vector<double>& values, const Parts& parts) {
  return error_by_parts(values, std::vector<Status>(values.size(), Status::ok), parts);
}

TEST(ErrorByParts, IsThatOfTheMeanWhereEveryMemberIsAPart) {
  const std::vector<double> x = {1, 4, 2, 8, 5, 7};
  EXPECT_NEAR(error_of(x, {}), deviation_of(x) / std::sqrt(6), 1e-15);
  EXPECT_NEAR(error_of(x, {1, 6}), deviation_of(x) / std::sqrt(6), 1e-15);
}

TEST(ErrorByParts, IsThatOfTheMeansOfEqualParts) {
  const std::vector<double> x = {1, 4, 2, 8, 5, 9};
  // in turn over three: means 4.5, 4.5, 5.5; in runs of two: 2.5, 5, 7
  EXPECT_NEAR(error_of(x, {1, 3}), deviation_of({4.5, 4.5, 5.5}) / std::sqrt(3), 1e-15);
  EXPECT_NEAR(error_of(x, {2, 0}), deviation_of({2.5, 5, 7}) / std::sqrt(3), 1e-15);
  // unequal parts {1, 4, 5, 9} and {2, 8}: their sums lie 1/3 off four and two times the mean 29/6
  EXPECT_NEAR(error_of(x, {2, 2}), std::sqrt(2.0 * 2 / 9) / 6, 1e-15);
}

TEST(ErrorByParts, LeavesOutMembersThatStoppedOrHaveNoValue) {
  const std::vector<double> x = {1, 4, nan, 8, 5, 1e300};
  std::vector<Status> status(6, Status::ok);
  status[5] = Status::non_finite;
  // parts in turn over two: {1, 5}, {4, 8}; the mean is 4.5
  EXPECT_NEAR(error_by_parts(x, status, {1, 2}), std::sqrt(2.0 * (9 + 9)) / 4, 1e-15);
}

TEST(ErrorByParts, IsUnknownOfOnePart) {
  EXPECT_TRUE(std::isnan(error_of({1, 2, 3}, {1, 1})));
  EXPECT_TRUE(std::isnan(error_of({}, {})));
  EXPECT_TRUE(std::isnan(error_of({nan, nan}, {})));
  EXPECT_TRUE(std::isnan(error_of({1, 2, std::numeric_limits<double>::infinity()}, {})));
}

TEST(ErrorByParts, KeepsItsDigitsFarFromZeroAndAtTheEndsOfTheRange) {
  const std::vector<double> x = {1, 4, 2, 8, 5, 7};
  const double plain = error_of(x, {1, 2});
  std::vector<double> far = x, huge = x, tiny = x;
  for (std::size_t k = 0; k < x.size(); ++k) far[k] += 0x1p40, huge[k] *= 0x1p1000, tiny[k] *= 0x1p-1000;
  EXPECT_NEAR(error_of(far, {1, 2}), plain, 1e-12);
  EXPECT_EQ(error_of(huge, {1, 2}), plain * 0x1p1000);
  EXPECT_EQ(error_of(tiny, {1, 2}), plain * 0x1p-1000);
}

}  // namespace
}  // namespace conesweep::test
