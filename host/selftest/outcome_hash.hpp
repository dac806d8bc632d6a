#pragma once

#include <cstdint>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::selftest {

/// A name for bits: equal numbers have equal hashes on every machine. Every NaN counts as the same one.
std::uint64_t hash_columns(const std::vector<std::vector<double>>& columns, std::uint64_t before);

/// Of the parameters that went in, and of everything that came out: statuses, stop times, observables, trajectories and
/// modes.
std::uint64_t hash_run(const executor::Chunk& chunk, const executor::Outcome& outcome);

/// One hash of several, in their order.
std::uint64_t hash_all(const std::vector<std::uint64_t>& hashes);

}  // namespace conesweep::selftest
