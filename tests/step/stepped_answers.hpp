#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/observed_order.hpp"
#include "samples/sample_run.hpp"

namespace conesweep::test {

using Row = std::vector<double>;

/// A scenario with all of its members, run with another step.
class Stepped {
 public:
  Stepped(const scenario::Source& source, const std::string& backend, double step, double end = 0) {
    scenario::Overrides overrides;
    overrides.step = step;
    if (end > 0) overrides.end = end;
    const auto examined = scenario::examine(source, overrides);
    for (const auto& problem : examined.problems) ADD_FAILURE() << problem.to_text();
    if (!examined.scenario) throw std::runtime_error("cannot be read");
    results_ = run_scenario(*examined.scenario, backend);
  }
  std::size_t members() const { return results_.outcome.status.size(); }
  executor::Status status(std::size_t m) const { return results_.outcome.status[m]; }
  bool ok(std::size_t m) const { return status(m) == executor::Status::ok; }
  double observed(const std::string& name, std::size_t m) const { return column(results_, name)[m]; }
  double parameter(const std::string& name, std::size_t m) const {
    const auto& scenario = results_.scenario;
    const auto index = std::find(scenario.names.parameters.begin(), scenario.names.parameters.end(), name) -
                       scenario.names.parameters.begin();
    for (std::size_t v = 0; v < scenario.vary.size(); ++v)
      if (scenario.vary[v].parameter == index) return results_.parameters[v][m];
    return scenario.defaults.at(static_cast<std::size_t>(index));
  }
  double end() const { return results_.scenario.end; }
  double h() const { return results_.scenario.h(); }

 private:
  io::Results results_;
};

/// Answers that hold for all members of a scenario, with many steps.
class SteppedAnswers : public ::testing::TestWithParam<std::string> {
 protected:
  const std::string& backend() const { return GetParam(); }

  /// Orders over nine steps from end/coarsest on (the reference, which is slow, from twice that); `errors(run, m)` of
  /// member m, empty: it does not count.
  template <class Errors>
  void expect_first_order(const std::string& title, const scenario::Source& source,
                          const std::vector<std::string>& quantities, double end, long coarsest, const Errors& errors,
                          std::size_t least_members = 8) const {
    const auto orders =
        oracle::observe_order(title + " on " + backend(), quantities, end,
                              oracle::step_ladder(backend() == "reference" ? coarsest / 2 : coarsest), [&](long steps) {
                                const Stepped run(source, backend(), end / static_cast<double>(steps), end);
                                std::vector<Row> all;
                                for (std::size_t m = 0; m < run.members(); ++m) {
                                  EXPECT_TRUE(run.ok(m)) << title << ", member " << m << ": " << to_name(run.status(m));
                                  const Row found = errors(run, m);
                                  if (!found.empty()) all.push_back(found);
                                }
                                EXPECT_GE(all.size(), least_members) << title;
                                return all;
                              });
    for (const auto& o : orders) EXPECT_GE(o.order, 0.9) << title << ": " << o.quantity;
  }
  static void replace(std::string& text, const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
  }
  static scenario::Source sample(const std::string& name) {
    return scenario::load_source(samples_folder / (name + ".toml"));
  }
};

/// The end of a scenario's text: how long, with which step, and how many members.
inline std::string time_and_members(double end, double step = 0.0125, int members = 16) {
  return "[time]\nend = " + format_number(end) + "\nstep = " + format_number(step) +
         "\n[ensemble]\nmembers = " + std::to_string(members) + "\nsampler = \"latin\"\n";
}

// their bits on devices are those of the cpu executor: tests/cuda
#define ON_REFERENCE_AND_CPU(Suite) \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values("reference", "cpu"), ::conesweep::test::name_of_executor)

}  // namespace conesweep::test
