#include "sampling/latin.hpp"

#include <algorithm>
#include <cmath>

#include "sampling/philox.hpp"
#include "support/error.hpp"

namespace conesweep::sampling {

namespace {

// Nobody who sees less than about sqrt(n) places can tell five rounds or more from a random permutation [Patarin2004].
// A small ensemble is seen whole: of 6 places six rounds miss the uniform distribution over all orders by 0.2 (total
// variation), and each two more halve that.
constexpr std::uint64_t small = 4096;
unsigned count_rounds(std::uint64_t n) { return n < small ? 32 : 6; }

/// A random number below `bound` <= 2^21: of the 43 leading bits, scaled; no value is preferred by more than 2^-22.
std::uint64_t below(std::uint64_t bound, const Words& words) {
  return ((std::uint64_t{words[1]} << 32 | words[0]) >> 21) * bound >> 43;
}

}  // namespace

Permutation::Permutation(std::uint64_t n, std::uint64_t seed, std::uint64_t name)
    : n_(n), seed_(seed), name_(name), rounds_(count_rounds(n)) {
  CS_ASSERT(n >= 1 && n <= std::uint64_t{1} << 42);
  a_ = 2 * static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(n)) / 2));
  b_ = (n + a_ - 1) / a_;
}

std::uint64_t Permutation::operator()(std::uint64_t k) const {
  CS_ASSERT(k < n_);
  do {
    std::uint64_t left = k / b_, right = k % b_;
    for (unsigned round = 0; round < rounds_; round += 2) {
      left += below(a_, random_words(seed_, marked(right, round), name_));
      if (left >= a_) left -= a_;
      right += below(b_, random_words(seed_, marked(left, round + 1), name_));
      if (right >= b_) right -= b_;
    }
    k = left * b_ + right;
  } while (k >= n_);
  return k;
}

double stratum_point(std::uint64_t stratum, double u, std::uint64_t n) {
  // a sum and a quotient are rounded: together by less than n 2^-52 strata
  const auto count = static_cast<double>(n);
  const double margin = count * 0x1p-51;
  return (static_cast<double>(stratum) + std::clamp(u, margin, 1 - margin)) / count;
}

}  // namespace conesweep::sampling
