#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/executors.hpp"
#include "support/scenario_text.hpp"
#include "support/seen_members.hpp"
#include "support/text.hpp"

namespace conesweep::test {

inline constexpr double rounding = 1e-9;  // of a difference between two ways to write the same number

inline const std::filesystem::path samples_folder = CONESWEEP_SAMPLES;

/// A sample that was run, member by member.
class SampleRun {
 public:
  /// The file from the source tree, with fewer members where it says so (a grid keeps its levels).
  SampleRun(const std::string& name, const std::string& backend, std::int64_t members = 0) : backend_(backend) {
    scenario::Overrides overrides;
    if (members > 0) overrides.members = members;
    const auto examined = scenario::examine(scenario::load_source(samples_folder / (name + ".toml")), overrides);
    for (const auto& problem : examined.problems) ADD_FAILURE() << problem.to_text();
    if (!examined.scenario) throw std::runtime_error(name + " cannot be read");
    results_ = run_scenario(*examined.scenario, backend);
  }

  const scenario::Scenario& scenario() const { return results_.scenario; }
  double h() const { return scenario().h(); }
  double end() const { return scenario().end; }
  std::size_t members() const { return results_.outcome.status.size(); }
  executor::Status status(std::size_t m) const { return results_.outcome.status[m]; }
  double stop_time(std::size_t m) const { return results_.outcome.stop_time[m]; }
  double observed(const std::string& name, std::size_t m) const { return column(results_, name)[m]; }

  /// A parameter of member m, varied or not.
  double parameter(const std::string& name, std::size_t m) const {
    const auto& names = scenario().names.parameters;
    const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    for (std::size_t v = 0; v < scenario().vary.size(); ++v)
      if (static_cast<std::size_t>(scenario().vary[v].parameter) == index) return results_.parameters[v][m];
    return scenario().defaults.at(index);
  }

  /// Members once more, with every node.
  std::vector<SeenMember> see(const std::vector<std::size_t>& members) const {
    std::vector<std::vector<double>> rows;
    for (const std::size_t m : members) {
      rows.emplace_back();
      for (const auto& name : scenario().names.parameters) rows.back().push_back(parameter(name, m));
    }
    return see_members(scenario(), backend_, rows);
  }

 private:
  std::string backend_;
  io::Results results_;
};

struct Expected {
  double value;
  double tolerance;
};

/// Compares one quantity of every member; a failure tells how many differ, and the worst.
inline void expect_members(const SampleRun& run, const std::string& what,
                           const std::function<double(std::size_t)>& observed,
                           const std::function<Expected(std::size_t)>& exact, std::size_t may_differ = 0) {
  std::size_t wrong = 0, worst = 0;
  double worst_excess = 0;
  for (std::size_t m = 0; m < run.members(); ++m) {
    if (run.status(m) != executor::Status::ok) continue;
    const Expected expected = exact(m);
    const double difference = std::fabs(observed(m) - expected.value);
    if (difference <= expected.tolerance) continue;
    ++wrong;
    const double excess = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                                 : difference / std::max(expected.tolerance, 1e-300);
    if (excess > worst_excess) worst_excess = excess, worst = m;
  }
  if (wrong <= may_differ) return;
  const Expected expected = exact(worst);
  ADD_FAILURE() << what << ": " << wrong << " of " << run.members() << " members differ (" << may_differ
                << " may); worst is member " << worst << ": got " << format_number(observed(worst)) << ", exact "
                << format_number(expected.value) << " within " << format_number(expected.tolerance);
}

inline void expect_observable(const SampleRun& run, const std::string& name,
                              const std::function<Expected(std::size_t)>& exact, std::size_t may_differ = 0) {
  expect_members(
      run, name, [&](std::size_t m) { return run.observed(name, m); }, exact, may_differ);
}

inline void expect_all_fine(const SampleRun& run) {
  for (std::size_t m = 0; m < run.members(); ++m)
    ASSERT_EQ(to_name(run.status(m)), "ok") << "member " << m << " stopped at t = " << run.stop_time(m);
}

}  // namespace conesweep::test
