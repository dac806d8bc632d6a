#include "sampling/sobol.hpp"

#include <bit>
#include <boost/random/sobol.hpp>

#include "sampling/philox.hpp"
#include "support/error.hpp"

namespace conesweep::sampling {

namespace {

constexpr unsigned levels = 7;  // of a piece of the tree: 2^7 - 1 nodes, one bit each of Philox's 128
static_assert(SobolSequence::bits % levels == 0);

}  // namespace

SobolSequence::SobolSequence(std::size_t axes) : directions_(axes * bits) {
  CS_ASSERT(axes <= most_axes);
  static_assert(most_axes == boost::random::default_sobol_table::max_dimension);
  if (axes == 0) return;
  // the Gray code of 2^(k+1) - 1 is 2^k alone; Boost leaves the origin out, so its numbers are one less
  boost::random::sobol_engine<std::uint64_t, bits> engine(axes);
  for (unsigned k = 0; k < bits; ++k) {
    engine.seed((std::uint64_t{2} << k) - 2);
    for (std::size_t axis = 0; axis < axes; ++axis) directions_[axis * bits + k] = engine();
  }
}

std::uint64_t SobolSequence::digits(std::uint64_t index, std::size_t axis) const {
  CS_ASSERT(index >> bits == 0);
  const std::uint64_t* directions = &directions_[axis * bits];
  std::uint64_t x = 0;
  for (std::uint64_t code = index ^ index >> 1; code != 0; code &= code - 1) x ^= directions[std::countr_zero(code)];
  return x;
}

std::uint64_t scramble(std::uint64_t digits, std::uint64_t seed, std::size_t axis) {
  std::uint64_t flips = 0;
  for (unsigned above = 0; above < SobolSequence::bits; above += levels) {
    const unsigned below = SobolSequence::bits - above - levels;
    const std::uint64_t prefix = digits >> (below + levels);
    const auto piece = static_cast<unsigned>(digits >> below & ((1U << levels) - 1));
    const Words random = random_words(seed, marked(prefix, above), axis);
    unsigned flip = 0;
    for (unsigned level = 0; level < levels; ++level) {
      // the root is 1, the children of i are 2i and 2i + 1
      const unsigned node = 1U << level | piece >> (levels - level);
      flip = flip << 1 | (random[node / 32] >> node % 32 & 1);
    }
    flips = flips << levels | flip;
  }
  constexpr unsigned rest = 52 - SobolSequence::bits;
  return (digits ^ flips) << rest | random_words(seed, marked(digits, SobolSequence::bits), axis)[0] >> (32 - rest);
}

}  // namespace conesweep::sampling
