#pragma once

#include <cmath>
#include <cstdint>

namespace conesweep::statistics {

/// Where a share lies that was estimated from a sample.
struct ShareInterval {
  double lower = 0;
  double upper = 1;

  double half_width() const { return (upper - lower) / 2; }
};

/// Wilson's 95 % interval of a share, of which `hits` of `members` independent members are: all p with |hits/members - p| <= z √(p (1 - p) / members).
///
///   (p̂ + z²/2n ± z √(p̂ (1 - p̂)/n + z²/4n²)) / (1 + z²/n)
///
/// Never empty, never beyond 0 and 1; without a hit it reaches from 0 to z²/(n + z²), some 3.84/n.
inline ShareInterval wilson_interval(std::int64_t hits, std::int64_t members) {
  constexpr double z = 1.9599639845400545;  // Φ(z) = 0.975
  const auto n = static_cast<double>(members), k = static_cast<double>(hits);
  if (members == 0) return {};
  const double center = (k + z * z / 2) / (n + z * z);
  const double reach = z * std::sqrt(k * (n - k) / n + z * z / 4) / (n + z * z);
  return {hits == 0 ? 0 : center - reach, hits == members ? 1 : center + reach};
}

}  // namespace conesweep::statistics
