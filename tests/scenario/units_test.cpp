// [units]: texts for labels, which change nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "scenario/quantities.hpp"
#include "scenario/writer.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string base = R"~([model]
coordinates = ["x"]
force = ["-k * x"]
[model.parameters]
k = 4.0
omega = "sqrt(k)"
[start]
x = "1"
[time]
end = 1.0
step = 0.01
[observe]
reach = { max = "x" }
)~";

std::string problems_of(const std::string& more) {
  std::string text;
  for (const auto& problem : find_problems(base + more)) text += problem.to_text() + "\n";
  return text;
}

TEST(Units, AreTextsOfEveryQuantity) {
  const auto scenario = parse_scenario(base + R"~([units]
t = "s"
x = "m"
vx = "m/s"
k = "s⁻²"
omega = "1/s"
reach = "mm \"about\""
"final.vx" = "km/h"
)~");
  EXPECT_EQ(unit_of(scenario, "t"), "s");
  EXPECT_EQ(unit_of(scenario, "omega"), "1/s");
  EXPECT_EQ(unit_of(scenario, "reach"), "mm \"about\"");
  EXPECT_EQ(unit_of(scenario, "impacts"), "");
  // what a coordinate ends with has the coordinate's unit, unless it is given another
  EXPECT_EQ(unit_of(scenario, "final.x"), "m");
  EXPECT_EQ(unit_of(scenario, "final.vx"), "km/h");
  // times have the unit of t
  EXPECT_EQ(unit_of(scenario, "stick_time"), "s");
  // written and read back
  const std::string written = write_scenario(scenario);
  EXPECT_THAT(written, HasSubstr("\n[units]\nt = \"s\"\nx = \"m\"\n"));
  EXPECT_THAT(written, HasSubstr("\"final.vx\" = \"km/h\"\n"));
  EXPECT_EQ(parse_scenario(written).units, scenario.units);
}

TEST(Units, OfWhatIsMadeOfAQuantityAreThoseOfTheQuantity) {
  const auto scenario = parse_scenario(base + R"~(low = { min = "vx" }
far = { max = "2*x" }
path = { integral = "x" }
when = { first_time = "x < 0" }
swing = { period = "x" }
swings = { crossings = "x" }
x = { mean = "x" }
[units]
t = "s"
x = "m"
vx = "m/s"
)~");
  EXPECT_EQ(unit_of(scenario, "reach"), "m");
  EXPECT_EQ(unit_of(scenario, "low"), "m/s");
  EXPECT_EQ(unit_of(scenario, "when"), "s");
  EXPECT_EQ(unit_of(scenario, "swing"), "s");
  EXPECT_EQ(unit_of(scenario, "x"), "m");
  // a formula is not looked into
  for (const char* name : {"far", "path", "swings", "nothing"}) EXPECT_EQ(unit_of(scenario, name), "") << name;
}

TEST(Quantities, SayWhatTheyAre) {
  auto scenario = parse_scenario(base + "late = { last_time = \"x > 0.5\", after = 0.1, before = \"end/2\" }\n");
  const auto names = observable_names(scenario);
  const auto meaning = [&](const std::string& name) {
    return meaning_of(scenario, static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
  };
  EXPECT_EQ(meaning("reach"), "max of x");
  EXPECT_EQ(meaning("late"), "last time at which x > 0.5, after 0.1, before end/2");
  EXPECT_EQ(meaning("impacts"), "number of impacts");
  EXPECT_EQ(meaning("final.x"), "x at the end");
  EXPECT_EQ(meaning("final.vx"), "vx at the end");
  for (std::size_t k = 0; k < names.size(); ++k) EXPECT_NE(meaning_of(scenario, k), "") << names[k];
}

TEST(Units, LeaveAScenarioWithoutThemAsItWas) {
  EXPECT_THAT(write_scenario(parse_scenario(base)), Not(HasSubstr("units")));
}

TEST(Units, AreRefusedWithTheirPlace) {
  EXPECT_THAT(problems_of("[units]\nreich = \"m\"\n"),
              HasSubstr("test.toml:15:1: unknown name 'reich' in [units]; did you mean 'reach'?"));
  EXPECT_THAT(problems_of("[units]\nx = 1\n"),
              HasSubstr("test.toml:15:5: the unit of 'x' must be a text of 1 to 40 bytes in quotes"));
  EXPECT_THAT(problems_of("[units]\nx = \"\"\n"), HasSubstr("must be a text of 1 to 40 bytes"));
  EXPECT_THAT(problems_of("[units]\nx = \"" + std::string(41, 'm') + "\"\n"),
              HasSubstr("must be a text of 1 to 40 bytes"));
  EXPECT_THAT(problems_of("[unit]\nx = \"m\"\n"),
              HasSubstr("unknown key 'unit' at the top level; did you mean 'units'?"));
}

}  // namespace
}  // namespace conesweep::test
