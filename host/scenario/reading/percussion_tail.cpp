#include "scenario/reading/percussion_tail.hpp"

#include <algorithm>
#include <cmath>

namespace conesweep::scenario {
namespace {

constexpr double summed = 4096;            // atoms that are summed one by one
constexpr double furthest = 0x1p24;        // j up to which sizes are asked: beyond, a_j/a_{j+1} - 1 is lost in rounding
constexpr double settled = 1e-3;           // share of p - 1 by which p may still change over the last factor of 16
constexpr double rounding_errors = 1e-12;  // of all these sums

// Raabe's j (a_j/a_{j+1} - 1)
double fall_at(const std::function<double(double)>& size, double j) { return j * (size(j) / size(j + 1) - 1); }

}  // namespace

std::optional<double> bound_tail(const std::function<double(double)>& size, double count) {
  double sum = 0, last = 0;
  for (double j = count + 1; j <= count + summed; ++j) {
    last = size(j);
    if (!(last >= 0 && std::isfinite(last))) return {};
    sum += last;
    if (last <= 0x1p-54 * sum) return sum * (1 + rounding_errors);
  }
  const double from = count + summed;
  double least = fall_at(size, from);
  for (double j = from; j < furthest; j *= 2)
    for (const double further : {0.0, 1.0, 0.37 * j}) least = std::min(least, fall_at(size, std::floor(j + further)));
  const double end = fall_at(size, furthest), before = fall_at(size, furthest / 16);
  least = std::min({least, end, before}) - std::fabs(end - before);
  if (!(least > 1 && std::isfinite(least)) || std::fabs(end - before) > settled * (least - 1)) return {};
  return (sum + from * last / (least - 1)) * (1 + rounding_errors);
}

}  // namespace conesweep::scenario
