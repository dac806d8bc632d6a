#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace conesweep::statistics {

/// Where a share lies that was estimated from a sample.
struct ShareInterval {
  double lower = 0;
  double upper = 1;

  double half_width() const { return (upper - lower) / 2; }
};

/// Wilson's 95 % interval of a share, of which `hits` of `members` independent members are: all p with |hits/members -
/// p| <= z √(p (1 - p) / members).
///
///   (p̂ + z²/2n ± z √(p̂ (1 - p̂)/n + z²/4n²)) / (1 + z²/n)
///
/// Never empty, never beyond 0 and 1; without a hit it reaches from 0 to z²/(n + z²), some 3.84/n.
inline ShareInterval wilson_bounds(double hits, double members) {
  constexpr double z = 1.9599639845400545;  // Φ(z) = 0.975
  if (members == 0) return {};
  const double center = (hits + z * z / 2) / (members + z * z);
  const double reach = z * std::sqrt(hits * (members - hits) / members + z * z / 4) / (members + z * z);
  return {hits == 0 ? 0 : center - reach, hits == members ? 1 : center + reach};
}
inline ShareInterval wilson_interval(std::int64_t hits, std::int64_t members) {
  return wilson_bounds(static_cast<double>(hits), static_cast<double>(members));
}

/// A share is known by counting: whatever the scatter of such samples shows, half a member is the least that its
/// standard error is taken to be.
inline double least_share_error(double members) { return 0.5 / members; }

/// The same of members that are not independent, whose share has this standard error: as many independent members are
/// counted as would give it, p̂ (1 - p̂) / error². Where the error is not known, or all members are alike and so show
/// none, they are counted as independent.
inline ShareInterval wilson_interval(std::int64_t hits, std::int64_t members, double error) {
  if (std::isnan(error) || hits == 0 || hits == members) return wilson_interval(hits, members);
  const double n = static_cast<double>(members), share = static_cast<double>(hits) / n;
  const double alike = share * (1 - share) / std::pow(std::max(error, least_share_error(n)), 2);
  return wilson_bounds(share * alike, alike);
}

}  // namespace conesweep::statistics
