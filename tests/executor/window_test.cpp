// Windows that are gathered (history/window.hpp) against windows that look through all their nodes: the same numbers,
// at a cost that does not grow with their length.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "executor/agreement.hpp"
#include "model/history_plan.hpp"

namespace conesweep::test {
namespace {

// Every window twice: as it is, and with a now(…) that changes nothing but makes it look through all nodes. Lengths
// from 0 to five times the run, another for each member and so for each lane of a pack; a past with a kink; values that
// are not numbers for a while.
const std::string both_ways = R"toml(title = "both ways"
[model]
coordinates = ["x", "y"]
force = ["-16 * x + 2 * sin(9 * t)", "-9 * y * abs(y)"]
[model.parameters]
delta = 0.1
[start]
x = "0.4 + 0.3 * t - 0.2 * abs(t + 0.1)"
y = "cos(3 * t)"
[time]
end = 2.0
step = 0.01
[ensemble]
members = 100
[vary]
delta = { choice = [0.0, 0.003, 0.01, 0.02, 0.025, 0.03, 0.1, 0.105, 0.5, 0.77, 1.0, 1.99, 2.0, 2.015, 5.0] }
[observe]
)toml";

struct Term {
  // seeing: the same, but seeing the present; with no second product in a sum, which would change its bits
  const char *functional, *expression, *seeing;
};
const std::vector<Term> terms = {
    {"window_max", "x", "x + 0 * now(x)"},
    {"window_min", "x * y - y", "x * y - y + (now(x) - now(x))"},
    {"window_mean", "x", "x + 0 * now(x)"},
    {"window_mean", "x^2 + y", "x^2 + y + 0 * now(x)"},
    {"window_max", "log(x)", "log(x) + 0 * now(x)"},
    {"window_min", "sqrt(y)", "sqrt(y) + 0 * now(x)"},
    {"window_mean", "log(y + 0.5)", "log(y + 0.5) + 0 * now(x)"},
    {"window_max", "abs(x - now(x))", "abs(x - now(x) + 0 * x * now(x))"},
    {"window_max", "abs(now(y + x) - x)", "abs(now(y + x) - x + 0 * x * now(x))"},
    {"window_max", "floor(9 * x)", "floor(9 * x) + 0 * now(x)"},
};

class Windows : public OnExecutor {};
ON_FAST_EXECUTORS(Windows);

TEST_P(Windows, GatheredAreWhatTheyAreLookedThrough) {
  std::string text = both_ways;
  const CompilerSettings quick("g++", "-O0");  // twenty windows in one model
  const std::vector<std::string> reducers = {"final", "min", "integral"};
  for (std::size_t k = 0; k < terms.size(); ++k)
    for (const auto& reducer : reducers) {
      const std::string name = reducer + std::to_string(k), call = std::string(terms[k].functional) + "(";
      text += name + "_gathered = { " + reducer + " = \"" + call + terms[k].expression + ", delta)\" }\n" + name +
              "_through = { " + reducer + " = \"" + call + terms[k].seeing + ", delta)\" }\n";
    }
  const scenario::Scenario scenario = parse_scenario(text);
  const auto outcome = run_first(scenario, backend(), scenario.ensemble.members);
  const auto names = observable_names(scenario);
  std::size_t numbers = 0;
  for (std::size_t k = 0; k < terms.size() * reducers.size(); ++k) {
    const bool exact = std::string(terms[k / reducers.size()].functional) != "window_mean";
    for (std::size_t m = 0; m < outcome.status.size(); ++m) {
      const double gathered = outcome.observables[2 * k][m], through = outcome.observables[2 * k + 1][m];
      if (exact) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(gathered), std::bit_cast<std::uint64_t>(through))
            << names[2 * k] << ", member " << m << ": " << gathered << " and " << through;
      } else {
        ASSERT_EQ(std::isnan(gathered), std::isnan(through)) << names[2 * k] << ", member " << m;
        if (!std::isnan(gathered)) {
          ASSERT_NEAR(gathered, through, 1e-13 * (1 + std::fabs(through))) << names[2 * k] << ", member " << m;
        }
      }
      numbers += std::isnan(gathered) ? 0 : 1;
    }
  }
  EXPECT_GT(numbers, terms.size() * reducers.size() * outcome.status.size() / 2) << "most are numbers";
  EXPECT_TRUE(agree(scenario, run_first(scenario, backend(), 10), run_first(scenario, "reference", 10), 1e-11));
}

TEST(WindowPlan, SaysWhichOfThemLookThroughAllNodes) {
  for (const auto& term : terms) {
    const auto read = [&](const std::string& expression) {
      const auto scenario =
          parse_scenario(both_ways + "w = { max = \"" + term.functional + "(" + expression + ", delta)\" }\n");
      return model::looks_through_all_nodes(scenario.observables[0].formula.tree);
    };
    EXPECT_FALSE(read(term.expression)) << term.expression;
    EXPECT_TRUE(read(term.seeing)) << term.seeing;
  }
}

}  // namespace
}  // namespace conesweep::test
