#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "scenario/scenario.hpp"
#include "selftest/published.hpp"

namespace conesweep::selftest {

/// One of the samples inside the library, with the members that selftest runs of it.
///
/// The members stand evenly spread over the sample's ensemble. Their parameters are drawn, then rounded to single
/// precision: quantile functions go through the C library, whose last places differ between versions, and so would
/// every result. After rounding (2^29 last places wide) such a difference is gone, up to a chance of some 2^-29 a
/// value.
struct Sample {
  std::string name;
  scenario::Scenario scenario;
  executor::Chunk chunk;         // the members, with rounded parameters
  std::uint64_t parameters = 0;  // hash of the parameters as drawn
};

/// All of them, by name. Executors refer to the scenarios, so samples stay where they are.
using SampleSet = std::vector<std::unique_ptr<const Sample>>;
inline constexpr std::int64_t hashed_members = 64;
SampleSet read_samples(std::int64_t members = hashed_members);

/// One of them.
const Sample& find_sample(const SampleSet& samples, const std::string& name);

/// One executor a sample, in their order.
using Executors = std::vector<std::unique_ptr<executor::Model>>;

/// Compiles on all threads, and calls `made` after each, from any of them. Throws what the executors throw, Interrupted
/// when asked to stop.
Executors make_executors(const SampleSet& samples, const std::string& backend, const executor::Options& options,
                         const executor::Watch& watch, const std::function<void()>& made);

/// What each sample's executor gives for its members.
std::vector<executor::Outcome> run_samples(const SampleSet& samples, const Executors& executors,
                                           const executor::Watch& watch);

/// The lines of samples/hashes.txt for these outcomes.
std::vector<SampleHash> hash_samples(const SampleSet& samples, const std::vector<executor::Outcome>& outcomes);

}  // namespace conesweep::selftest
