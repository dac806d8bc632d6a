#include "statistics/central_sums.hpp"

#include <algorithm>
#include <cmath>

#include "statistics/merge_tree.hpp"

namespace conesweep::statistics {

double CentralSums::variance() const { return count > 1 ? second / static_cast<double>(count - 1) : 0; }
double CentralSums::kurtosis() const {
  return second > 0 ? std::max(1.0, static_cast<double>(count) * fourth / (second * second)) : 1;
}

/// [Pebay2008], with δ = mean_b - mean_a, n = n_a + n_b:
///
///   second = second_a + second_b + δ² n_a n_b / n
///   third  = third_a + third_b + δ³ n_a n_b (n_a - n_b) / n² + 3 δ (n_a second_b - n_b second_a) / n
///   fourth = fourth_a + fourth_b + δ⁴ n_a n_b (n_a² - n_a n_b + n_b²) / n³ + 6 δ² (n_a² second_b + n_b² second_a) / n²
///   + 4 δ (n_a third_b - n_b third_a) / n
CentralSums merge(const CentralSums& a, const CentralSums& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const auto n_a = static_cast<double>(a.count), n_b = static_cast<double>(b.count);
  const double n = n_a + n_b, delta = b.mean - a.mean;
  const double share_a = n_a / n, share_b = n_b / n, step = delta * delta * n_a * share_b;
  CentralSums both;
  both.count = a.count + b.count;
  both.mean = a.mean + delta * share_b;
  both.second = a.second + b.second + step;
  both.third =
      a.third + b.third + step * delta * (share_a - share_b) + 3 * delta * (share_a * b.second - share_b * a.second);
  both.fourth = a.fourth + b.fourth +
                step * delta * delta * (share_a * share_a - share_a * share_b + share_b * share_b) +
                6 * delta * delta * (share_a * share_a * b.second + share_b * share_b * a.second) +
                4 * delta * (share_a * b.third - share_b * a.third);
  return both;
}

CentralSums sum_block(std::span<const double> values) {
  CentralSums sums;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    ++sums.count;
    sums.mean += (x - sums.mean) / static_cast<double>(sums.count);
  }
  for (const double x : values) {
    if (std::isnan(x)) continue;
    const double d = x - sums.mean;
    sums.second += d * d, sums.third += d * d * d, sums.fourth += d * d * (d * d);
  }
  return sums;
}

CentralSums merge_blocks(const std::vector<CentralSums>& blocks) { return merge_in_tree(blocks); }

}  // namespace conesweep::statistics
