#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <string_view>

#include "support/hash.hpp"

namespace conesweep::sampling {

/// What a parameter's name contributes to its random numbers.
inline std::uint64_t hash_name(std::string_view name) { return fnv1a(name); }

inline std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
inline std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

/// Philox4x32-10 at a counter of 128 bits, under the key seed: four random words, a function of its arguments and
/// nothing else.
///
/// Who counts what, as (first, second): random (member, name); latin's permutations (place | 2^63 | round 2^56, name);
/// sobol's scrambling (prefix | 2^63 | level 2^56, axis). Members end at 2^40, so no two meet.
using Words = r123::Philox4x32::ctr_type;
inline Words random_words(std::uint64_t seed, std::uint64_t first, std::uint64_t second) {
  return r123::Philox4x32()(Words{{low_word(first), high_word(first), low_word(second), high_word(second)}},
                            {{low_word(seed), high_word(seed)}});
}

/// What marks a counter of a permutation or a scrambling, and its round or level.
inline std::uint64_t marked(std::uint64_t number, unsigned round) {
  return number | std::uint64_t{1} << 63 | std::uint64_t{round} << 56;
}

/// u = (k + 1/2) 2^-52 for k = 0 … 2^52 - 1.
///
/// 52 bits and not 53: with 53 the largest k + 1/2 is no double and rounds to u = 1, whose quantile may be infinite.
/// Every u is exact, and so is 1 - u.
inline double to_unit(std::uint64_t k) { return (static_cast<double>(k) + 0.5) * 0x1p-52; }

/// The random point of a member on the axis of a name: 52 leading bits of Philox at (member, name).
inline double random_unit(std::uint64_t seed, std::uint64_t member, std::uint64_t name) {
  const Words words = random_words(seed, member, name);
  return to_unit((std::uint64_t{words[1]} << 32 | words[0]) >> 12);
}

}  // namespace conesweep::sampling
