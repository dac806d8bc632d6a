#include "selftest/outcome_hash.hpp"

#include <bit>
#include <limits>

#include "support/hash.hpp"

namespace conesweep::selftest {
namespace {

static_assert(std::endian::native == std::endian::little, "the published hashes are of little-endian numbers");

std::uint64_t hash_numbers(std::vector<double> numbers, std::uint64_t before) {
  for (double& x : numbers)
    if (x != x) x = std::numeric_limits<double>::quiet_NaN();
  return checksum(numbers.data(), numbers.size() * sizeof(double), before);
}

}  // namespace

std::uint64_t hash_columns(const std::vector<std::vector<double>>& columns, std::uint64_t before) {
  for (const auto& column : columns) before = hash_numbers(column, before);
  return before;
}

std::uint64_t hash_run(const executor::Chunk& chunk, const executor::Outcome& outcome) {
  static_assert(sizeof(executor::Status) == 1);
  std::uint64_t hash = hash_columns(chunk.varied, fnv_basis);
  hash = checksum(outcome.status.data(), outcome.status.size(), hash);
  hash = hash_numbers(outcome.stop_time, hash);
  hash = hash_columns(outcome.observables, hash);
  hash = hash_columns(outcome.trajectories.columns, hash);
  return checksum(outcome.trajectories.mode.data(), outcome.trajectories.mode.size(), hash);
}

std::uint64_t hash_all(const std::vector<std::uint64_t>& hashes) {
  return checksum(hashes.data(), hashes.size() * sizeof(std::uint64_t));
}

}  // namespace conesweep::selftest
