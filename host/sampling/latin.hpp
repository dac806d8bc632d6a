#pragma once

#include <cstdint>

namespace conesweep::sampling {

/// A pseudorandom permutation of 0 … n - 1, evaluated by index; nothing is stored.
///
/// A Feistel network on pairs [BlackRogaway2002]. k = L b + R with L < a, R < b and a b >= n, nearly square:
///
///   (1)  L <- L + F(R) mod a,   R <- R + F(L) mod b,   and so on,
///
/// with F from Philox at (half, round, name) under the seed. Each round is a bijection of the pairs. A result of n or
/// more walks on through the network until it is less: a cycle through k ends at k at the latest. Since a b - n < a,
/// one walk in sqrt(n) goes on. a is even: shifts of odd lengths alone would give even permutations alone.
class Permutation {
 public:
  Permutation(std::uint64_t n, std::uint64_t seed, std::uint64_t name);  // 1 <= n <= 2^42
  std::uint64_t operator()(std::uint64_t k) const;                       // k < n

 private:
  std::uint64_t n_, seed_, name_;
  std::uint64_t a_ = 0, b_ = 0;  // a b >= n
  unsigned rounds_;
};

/// Point of a stratum: (stratum + u)/n, kept inside the stratum against rounding.
double stratum_point(std::uint64_t stratum, double u, std::uint64_t n);

}  // namespace conesweep::sampling
