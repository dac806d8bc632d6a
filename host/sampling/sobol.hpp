#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace conesweep::sampling {

/// Sobol points by index, with the direction numbers of Joe and Kuo that Boost brings [JoeKuo2008].
///
///   (1)  x(i) = XOR of v_k over the bits k that are set in the Gray code i XOR i/2,   i = 0, 1, …
///
/// So point 0 is the origin, point i is the i-th that Boost's engine gives, and 2^m consecutive points from a multiple
/// of 2^m on have one in each interval of length 2^-m of each axis.
class SobolSequence {
 public:
  static constexpr unsigned bits = 42;            // of a coordinate, and of an index
  static constexpr std::size_t most_axes = 3667;  // Boost's table ends there

  explicit SobolSequence(std::size_t axes);

  /// The coordinate's binary digits, the first one at bit `bits` - 1.
  std::uint64_t digits(std::uint64_t index, std::size_t axis) const;

 private:
  std::vector<std::uint64_t> directions_;  // [axis][k]
};

/// Owen's nested uniform scrambling of one axis, exact [Owen1995].
///
///   (2)  y_1 = x_1 + π,   y_2 = x_2 + π(x_1),   y_3 = x_3 + π(x_1, x_2),   …   mod 2,
///
/// with an independent random bit π for each prefix. The prefixes form a binary tree, cut into pieces of seven levels:
/// one Philox of (prefix at the piece's root, axis) under the seed has the bits of its 127 nodes. No two of 2^42 points
/// share 42 digits; so what follows them is new for each point and comes from one more Philox of all of them.
///
/// Returns 52 digits, uniformly distributed for each point; a net stays a net.
std::uint64_t scramble(std::uint64_t digits, std::uint64_t seed, std::size_t axis);

}  // namespace conesweep::sampling
