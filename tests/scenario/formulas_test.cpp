#include "scenario/formulas.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using scenario::Formula;

// A scenario with a formula in every place there is; each holds a number of its own, by which it is found.
const char* everywhere = R"toml(
[model]
coordinates = ["x", "y"]
force = ["1 + delay(x, a)", "2 + window_max(y, a)"]
[model.parameters]
a = 0.1
[[model.contact]]
inside = "y >= 3 - 3"
friction_angle = "0.4 + 0 * delay(x, 2 * a)"
restitution = "0.5 + 0 * delay(x, 3 * a)"
[[model.contact]]
inside = "x >= -6"
friction = "7 + 0 * delay(x, 4 * a)"
[start]
x = "8"
y = "9 + t"
vx = "10"
[time]
end = 1
step = 0.1
[observe]
standard = []
top = { max = "11 + delay(y, 5 * a)" }
late = { last_time = "x > 12 * delay(y, 6 * a)" }
)toml";

TEST(Formulas, AreWalkedEachOnceInTheOrderInWhichTheyAreWritten) {
  const auto scenario = parse_scenario(everywhere);
  std::vector<std::string> met;
  scenario::for_each_formula(scenario, [&](std::string_view key, const Formula& formula) {
    met.push_back(std::string(key) + " = " + formula.text);
  });
  const std::vector<std::string> expected = {
      "force = 1 + delay(x, a)",
      "force = 2 + window_max(y, a)",
      "inside = y >= 3 - 3",
      "friction_angle = 0.4 + 0 * delay(x, 2 * a)",
      "restitution = 0.5 + 0 * delay(x, 3 * a)",
      "inside = x >= -6",
      "friction = 7 + 0 * delay(x, 4 * a)",
      "x = 8",
      "y = 9 + t",
      "vx = 10",
      "max = 11 + delay(y, 5 * a)",
      "last_time = x > 12 * delay(y, 6 * a)",
  };
  EXPECT_EQ(met, expected);
  EXPECT_EQ(count_formulas(scenario), expected.size());
}

TEST(Formulas, GiveEveryDelayAndWindowWithTheFormulaWhereItStands) {
  const auto scenario = parse_scenario(everywhere);
  std::vector<std::string> places;
  for (const scenario::Length& length : history_lengths(scenario))
    places.push_back(length.formula->text.substr(length.node->span.offset, length.node->span.length));
  const std::vector<std::string> expected = {
      "delay(x, a)",     "window_max(y, a)", "delay(x, 2 * a)", "delay(x, 3 * a)",
      "delay(x, 4 * a)", "delay(y, 5 * a)",  "delay(y, 6 * a)",
  };
  EXPECT_EQ(places, expected);
}

TEST(Formulas, ThatWereNotUnderstoodAreLeftOut) {
  auto scenario = parse_scenario(everywhere);
  const std::size_t all = count_formulas(scenario);
  scenario.contacts[0].inside = {};
  scenario.contacts[0].friction.reset();
  scenario.start[1].past = {};
  EXPECT_EQ(count_formulas(scenario), all - 3);
}

}  // namespace
}  // namespace conesweep::test
