#include <algorithm>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <cmath>
#include <limits>

#include "sampling/normal.hpp"
#include "sampling/sampler.hpp"
#include "support/error.hpp"

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
/// Solved below the mean, where Φ keeps its relative precision: an interval that lies more above it is mirrored. So tails
/// are good as far as Φ is a number (a reader of scenarios refuses what lies beyond 37).
double cut_quantile(double a, double b, double u) {
  if (a + b > 0) return -cut_quantile(-b, -a, 1 - u);
  return normal_quantile(std::lerp(normal_probability(a), normal_probability(b), u));
}

/// x, or the nearest end; nan becomes the lower one.
double within(double lower, double upper, double x) { return x > lower ? (x < upper ? x : upper) : lower; }

}  // namespace

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
      return within(p[2], p[3], std::isfinite(x) ? x : std::fma(p[1], z, p[0]));  // what overflows between is a number in the end
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
