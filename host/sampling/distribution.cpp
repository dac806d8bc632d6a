#include "sampling/distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <cmath>
#include <limits>

#include "sampling/normal.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::sampling {

namespace {

using scenario::Distribution;
using scenario::DistributionKind;
namespace math = boost::math;

using Lognormal = math::lognormal_distribution<double, Policy>;
using Triangular = math::triangular_distribution<double, Policy>;

/// The standard normal distribution cut to [a, b]:
///
///   (1)  Φ(x) = (1 - u) Φ(a) + u Φ(b)
///
/// Solved below the mean, where Φ keeps its relative precision: an interval that lies more above it is mirrored. So
/// tails are good as far as Φ is a number (find_fault refuses what lies beyond 37).
double cut_quantile(double a, double b, double u) {
  if (a + b > 0) return -cut_quantile(-b, -a, 1 - u);
  return normal_quantile(std::lerp(normal_probability(a), normal_probability(b), u));
}

/// x, or the nearest end; nan becomes the lower one.
double within(double lower, double upper, double x) { return x > lower ? (x < upper ? x : upper) : lower; }

}  // namespace

std::string find_fault(const Distribution& d) {
  const auto& x = d.values;
  if (d.kind == DistributionKind::table) return {};
  const std::size_t wanted = scenario::distributions[d.kind].count;
  CS_ASSERT(wanted == 0 ? !x.empty() : x.size() == wanted);
  const auto ordered = [](double lower, double upper) {
    return lower < upper
               ? std::string()
               : "lower must be less than upper, got " + format_number(lower) + " and " + format_number(upper);
  };
  const auto positive = [](double sd) {
    return sd > 0 ? std::string() : "the standard deviation must be greater than 0, got " + format_number(sd);
  };
  switch (d.kind) {
    case DistributionKind::uniform: return ordered(x[0], x[1]);
    case DistributionKind::normal:
    case DistributionKind::lognormal: {
      if (const std::string wrong = positive(x[1]); !wrong.empty()) return wrong;
      constexpr double far = 9;  // standard deviations: a draw of 53 bits reaches 8.3
      // log(1.8e308)
      const double largest = d.kind == DistributionKind::normal ? std::numeric_limits<double>::max() : 709;
      const bool fits =
          x[0] + far * x[1] <= largest && (d.kind == DistributionKind::lognormal || x[0] - far * x[1] >= -largest);
      return fits ? std::string()
                  : "draws would leave the range of numbers, 1.8e308: nine standard deviations from the mean must lie "
                    "inside";
    }
    case DistributionKind::loguniform:
      return x[0] > 0 ? ordered(x[0], x[1]) : "lower must be greater than 0, got " + format_number(x[0]);
    case DistributionKind::triangular:
      if (!(x[0] <= x[1] && x[1] <= x[2]))
        return "lower <= mode <= upper must hold, got " + format_number(x[0]) + ", " + format_number(x[1]) + ", " +
               format_number(x[2]);
      return ordered(x[0], x[2]);
    case DistributionKind::truncated_normal: {
      if (const std::string wrong = positive(x[1]); !wrong.empty()) return wrong;
      if (const std::string wrong = ordered(x[2], x[3]); !wrong.empty()) return wrong;
      constexpr double far = 37;  // beyond so many standard deviations a double holds no probability
      const bool empty = (x[2] - x[0]) / x[1] > far || (x[3] - x[0]) / x[1] < -far;
      return empty ? "the interval lies more than 37 standard deviations from the mean; nothing is left of the "
                     "distribution"
                   : std::string();
    }
    case DistributionKind::choice: return {};
    case DistributionKind::table: break;
  }
  throw InternalError("every distribution can be judged", __FILE__, __LINE__);
}

double quantile(const Distribution& distribution, double u) {
  CS_ASSERT(u >= 0 && u <= 1);
  const auto& p = distribution.values;
  switch (distribution.kind) {
    case DistributionKind::uniform: return std::lerp(p[0], p[1], u);
    case DistributionKind::normal: return math::quantile(Normal(p[0], p[1]), u);
    case DistributionKind::lognormal: return math::quantile(Lognormal(p[0], p[1]), u);
    case DistributionKind::loguniform:
      if (u == 0 || u == 1) return p[u == 0 ? 0 : 1];
      return within(p[0], p[1], std::exp(std::lerp(std::log(p[0]), std::log(p[1]), u)));
    case DistributionKind::triangular: {
      // on [0, 1] first, where nothing overflows
      const double width = p[2] - p[0];
      const double share = std::isfinite(width) ? (p[1] - p[0]) / width : (p[1] / 2 - p[0] / 2) / (p[2] / 2 - p[0] / 2);
      const double mode = within(0, 1, share);
      return within(p[0], p[2], std::lerp(p[0], p[2], math::quantile(Triangular(0, mode, 1), u)));
    }
    case DistributionKind::truncated_normal: {
      if (u == 0 || u == 1) return p[u == 0 ? 2 : 3];
      const double z = cut_quantile((p[2] - p[0]) / p[1], (p[3] - p[0]) / p[1], u), x = p[0] + p[1] * z;
      // what overflows between is a number in the end
      return within(p[2], p[3], std::isfinite(x) ? x : std::fma(p[1], z, p[0]));
    }
    case DistributionKind::choice: {
      CS_ASSERT(!p.empty());
      const auto index = static_cast<std::size_t>(u * static_cast<double>(p.size()));
      return p[std::min(index, p.size() - 1)];
    }
    case DistributionKind::table: break;
  }
  throw InternalError("a table has rows, not quantiles", __FILE__, __LINE__);
}

Support support(const Distribution& distribution) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto& p = distribution.values;
  switch (distribution.kind) {
    case DistributionKind::uniform:
    case DistributionKind::loguniform: return {p[0], p[1]};
    case DistributionKind::normal: return {-infinity, infinity};
    case DistributionKind::lognormal: return {0, infinity};
    case DistributionKind::triangular: return {p[0], p[2]};
    case DistributionKind::truncated_normal: return {p[2], p[3]};
    case DistributionKind::choice:
    case DistributionKind::table: {
      CS_ASSERT(!p.empty());
      const auto [lower, upper] = std::minmax_element(p.begin(), p.end());
      return {*lower, *upper};
    }
  }
  throw InternalError("every distribution has a support", __FILE__, __LINE__);
}

}  // namespace conesweep::sampling
