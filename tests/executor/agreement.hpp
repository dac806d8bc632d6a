#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "ensemble/compare.hpp"
#include "sampling/sampler.hpp"
#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/text.hpp"

namespace conesweep::test {

/// Other flags or another compiler for the models compiled while it lives.
class CompilerSettings {
 public:
  CompilerSettings(const std::string& compiler, const std::string& flags) {
    setenv("CONESWEEP_CXX", compiler.c_str(), 1);
    setenv("CONESWEEP_CXXFLAGS", flags.c_str(), 1);
  }
  ~CompilerSettings() { unsetenv("CONESWEEP_CXX"), unsetenv("CONESWEEP_CXXFLAGS"); }
  CompilerSettings(const CompilerSettings&) = delete;
  CompilerSettings& operator=(const CompilerSettings&) = delete;
};

inline std::unique_ptr<executor::Model> make(const scenario::Scenario& scenario, const std::string& backend,
                                             int threads = 1) {
  std::string reason;
  executor::Options options;
  options.threads = threads;
  return executor::make_model(backend, scenario, options, reason);
}

/// Members first … first + count - 1 on their own.
inline executor::Outcome run_some(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t first,
                                  std::int64_t count) {
  return model.run(scenario, {{scenario, first, count}, sampling::draw(scenario, first, count)}, {});
}

inline executor::Outcome run_first(const scenario::Scenario& scenario, const std::string& backend, std::int64_t count,
                                   int threads = 1) {
  return run_some(scenario, *make(scenario, backend, threads), 0, count);
}

/// The columns of members taken from an outcome; trajectories are left out.
inline executor::Outcome take(const executor::Outcome& all, const std::vector<std::int64_t>& which) {
  executor::Outcome some;
  for (const auto& column : all.observables) {
    some.observables.emplace_back();
    for (const auto m : which) some.observables.back().push_back(column[static_cast<std::size_t>(m)]);
  }
  for (const auto m : which) {
    const auto at = static_cast<std::size_t>(m);
    some.status.push_back(all.status[at]), some.flags.push_back(all.flags[at]);
    some.stop_time.push_back(all.stop_time[at]), some.residual.push_back(all.residual[at]);
  }
  return some;
}

inline executor::Outcome without_trajectories(executor::Outcome outcome) {
  outcome.trajectories = {};
  return outcome;
}

/// What a comparison found, for the message of a failed test.
inline std::string describe(const ensemble::Comparison& comparison) {
  std::string text;
  for (const auto& d : comparison.differences)
    if (!d.within)
      text += "  " + d.name + ": worst " + format_short(d.absolute.worst, 3) + ", scale " + format_short(d.scale, 3) +
              ", member " + std::to_string(d.worst_member) + ": " + format_number(d.a) + " and " + format_number(d.b) +
              "\n";
  for (const auto& g : comparison.grazing)
    text += "  member " + std::to_string(g.member) + ", not judged: " + g.what + "\n";
  for (const auto& w : comparison.wrong) text += "  member " + std::to_string(w.member) + ": " + w.what + "\n";
  for (const auto& u : comparison.unjudged) text += "  member " + std::to_string(u.member) + ": " + u.what + "\n";
  if (comparison.bits.differing > 0)
    text += "  " + std::to_string(comparison.bits.differing) + " values differ, first: " + comparison.bits.first + "\n";
  return text;
}

/// All bits of observables, statuses and trajectories.
inline ::testing::AssertionResult same_bits(const scenario::Scenario& scenario, const executor::Outcome& a,
                                            const executor::Outcome& b) {
  ensemble::CompareLimits limits;
  limits.bits = true;
  const auto comparison = ensemble::compare(scenario, a, b, limits);
  return comparison.passed ? ::testing::AssertionSuccess()
                           : ::testing::AssertionFailure() << "\n"
                                                           << describe(comparison);
}

/// Within the tolerance, and every member with the same history.
inline ::testing::AssertionResult agree(const scenario::Scenario& scenario, const executor::Outcome& a,
                                        const executor::Outcome& b, double tolerance, double grazing = 0) {
  ensemble::CompareLimits limits;
  limits.tolerance = tolerance;
  limits.grazing = grazing;
  const auto comparison = ensemble::compare(scenario, a, b, limits);
  return comparison.passed ? ::testing::AssertionSuccess()
                           : ::testing::AssertionFailure() << "\n"
                                                           << describe(comparison);
}

}  // namespace conesweep::test
