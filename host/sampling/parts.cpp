#include "sampling/parts.hpp"

#include "sampling/philox.hpp"
#include "support/error.hpp"

namespace conesweep::sampling {

InterleavedPoints::InterleavedPoints(std::vector<std::unique_ptr<UnitPoints>> parts) : parts_(std::move(parts)) {
  CS_ASSERT(!parts_.empty());
}

double InterleavedPoints::coordinate(std::int64_t member, std::size_t axis) const {
  const auto parts = static_cast<std::int64_t>(parts_.size());
  return parts_[static_cast<std::size_t>(member % parts)]->coordinate(member / parts, axis);
}

std::uint64_t part_seed(std::uint64_t seed, int part) {
  const auto words = random_words(seed, static_cast<std::uint64_t>(part), hash_name("seed of a part"));
  return std::uint64_t{words[1]} << 32 | words[0];
}

}  // namespace conesweep::sampling
