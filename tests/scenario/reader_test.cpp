#include "scenario/reading/reader.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "base_scenario.hpp"
#include "scenario/writer.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

// ---- what a scenario is ----

TEST(ScenarioReader, FillsInDefaults) {
  const auto s = parse_scenario(base);
  EXPECT_EQ(s.title, "test");  // the file's name
  EXPECT_EQ(s.contacts.at(0).name, "contact1");
  EXPECT_FALSE(s.contacts.at(0).restitution);
  EXPECT_FALSE(s.start.at(0).velocity);
  EXPECT_EQ(s.ensemble.members, 1);
  EXPECT_EQ(s.ensemble.seed, 1U);
  EXPECT_EQ(s.ensemble.sampler, scenario::Sampler::random);
  EXPECT_EQ(s.standard.size(), 9U);
  EXPECT_TRUE(s.observables.empty());
  EXPECT_EQ(s.record.members, 0);
  EXPECT_EQ(s.record.every, 1);
}

TEST(ScenarioReader, KeepsTheOrderOfTheFile) {
  const auto s = parse_scenario(base + R"([vary]
tau = { uniform = [0, 1] }
g = { uniform = [1, 2] }
k = { uniform = [1, 2] }
[observe]
zz = { max = "x" }
aa = { min = "x" }
mm = { count = "x > 0" }
)");
  EXPECT_EQ(s.names.parameters, (std::vector<std::string>{"g", "k", "tau", "mu"}));
  ASSERT_EQ(s.vary.size(), 3U);
  EXPECT_EQ(s.names.parameters[static_cast<std::size_t>(s.vary[0].parameter)], "tau");
  EXPECT_EQ(s.names.parameters[static_cast<std::size_t>(s.vary[1].parameter)], "g");
  EXPECT_EQ(s.names.parameters[static_cast<std::size_t>(s.vary[2].parameter)], "k");
  const auto names = observable_names(s);
  EXPECT_EQ((std::vector<std::string>{names.begin(), names.begin() + 3}), (std::vector<std::string>{"zz", "aa", "mm"}));
  EXPECT_EQ((std::vector<std::string>{names.end() - 4, names.end()}),
            (std::vector<std::string>{"final.x", "final.y", "final.vx", "final.vy"}));
}

TEST(ScenarioReader, TakesDottedKeysAndInlineTables) {
  const auto s = parse_scenario(R"(
model = { coordinates = ["q"], force = ["-c * q"], parameters = { c = 2 } }
start.q = "1"
time.end = 1
time.step = 0.5
vary.c.choice = [1, 2]
)");
  EXPECT_EQ(s.steps, 2);
  EXPECT_EQ(s.vary.at(0).distribution.values, (std::vector<double>{1, 2}));
}

TEST(ScenarioReader, TakesNumbersForExpressions) {
  const auto s = parse_scenario(R"(
[model]
coordinates = ["x"]
force = [-9]
[[model.contact]]
inside = "x >= 0"
friction_angle = 0.25
restitution = 1
[start]
x = 1.5
vx = -2e-3
[time]
end = 2
step = 1
[observe]
c = { max = 7 }
)");
  EXPECT_EQ(s.force.at(0).text, "-9");
  EXPECT_EQ(s.contacts.at(0).friction->text, "0.25");
  EXPECT_EQ(s.contacts.at(0).restitution->text, "1");
  EXPECT_EQ(s.start.at(0).past.text, "1.5");
  EXPECT_EQ(s.start.at(0).velocity->text, "-0.002");
  EXPECT_EQ(s.observables.at(0).formula.text, "7");
}

TEST(ScenarioReader, ReadsEveryInequalityAsGAtMostZero) {
  const auto g_of = [](const std::string& inside) {
    const auto s = parse_scenario("[model]\ncoordinates = [\"x\"]\nforce = [\"0\"]\n[[model.contact]]\ninside = \"" +
                                  inside + "\"\n[start]\nx = \"0\"\n[time]\nend = 1\nstep = 1\n");
    return to_text(s.contacts.at(0).g, s.names);
  };
  EXPECT_EQ(g_of("x <= 3"), "x - 3");
  EXPECT_EQ(g_of("x < 3"), "x - 3");
  EXPECT_EQ(g_of("3 >= x"), "x - 3");
  EXPECT_EQ(g_of("3 > x"), "x - 3");
  EXPECT_EQ(g_of("x >= -1"), "-1 - x");
}

TEST(ScenarioReader, ChoosesStandardQuantitiesInTheirOwnOrder) {
  EXPECT_EQ(parse_scenario(base + "[observe]\nstandard = [\"variation\", \"impacts\", \"impacts\"]\n").standard,
            (std::vector{scenario::Standard::impacts, scenario::Standard::variation}));
  EXPECT_TRUE(parse_scenario(base + "[observe]\nstandard = []\n").standard.empty());
}

TEST(ScenarioReader, TakesWholeNumbersWrittenAsPowersOfTen) {
  EXPECT_EQ(parse_scenario(base + "[ensemble]\nmembers = 1e4\nseed = 3e0\n").ensemble.members, 10000);
  EXPECT_EQ(parse_scenario(base + "[ensemble]\nmembers = 25.0\n").ensemble.members, 25);
  EXPECT_EQ(said(base + "[ensemble]\nmembers = 1e-4\n"),
            "\ntest.toml:20:11: members must be a whole number between 1 and 1099511627776");
}

// an ensemble may grow; who records asks how many there are
TEST(ScenarioReader, KeepsTheNumberOfRecordedMembersThatWasAskedFor) {
  EXPECT_EQ(parse_scenario(base + "[ensemble]\nmembers = 10\n[record]\nmembers = 64\n").record.members, 64);
}

TEST(ScenarioReader, ReadsEveryDistribution) {
  const auto values_of = [](const std::string& distribution) {
    const auto s = parse_scenario(base + "[vary]\nk = { " + distribution + " }\n");
    return std::pair(std::string(to_name(s.vary.at(0).distribution.kind)), s.vary.at(0).distribution.values);
  };
  using Read = std::pair<std::string, std::vector<double>>;
  EXPECT_EQ(values_of("uniform = [1, 2]"), (Read{"uniform", {1, 2}}));
  EXPECT_EQ(values_of("normal = [1, 2]"), (Read{"normal", {1, 2}}));
  EXPECT_EQ(values_of("lognormal = [1, 2]"), (Read{"lognormal", {1, 2}}));
  EXPECT_EQ(values_of("loguniform = [1, 2]"), (Read{"loguniform", {1, 2}}));
  EXPECT_EQ(values_of("triangular = [1, 1, 2]"), (Read{"triangular", {1, 1, 2}}));
  EXPECT_EQ(values_of("truncated_normal = [0, 1, -1, 2]"), (Read{"truncated_normal", {0, 1, -1, 2}}));
  EXPECT_EQ(values_of("choice = [3, 1.5, 3]"), (Read{"choice", {3, 1.5, 3}}));
}

// ---- time ----

TEST(ScenarioReader, ReadsCorrelationsInAnyForm) {
  using Pairs = std::vector<std::tuple<int, int, double>>;  // g k tau mu
  const auto pairs = [](const std::string& section) {
    Pairs list;
    for (const auto& pair : parse_scenario(three + section).correlation)
      list.emplace_back(pair.first, pair.second, pair.value);
    return list;
  };
  const Pairs all = {{3, 1, 0.5}, {3, 2, -0.25}, {1, 2, 0}};
  EXPECT_EQ(pairs("[correlation]\nmu = { k = 0.5, tau = -0.25 }\nk = { tau = 0 }\n"), all);
  EXPECT_EQ(pairs("[correlation]\nmu.k = 0.5\nk.tau = 0\nmu.tau = -0.25\n"), all);
  EXPECT_EQ(pairs("[correlation.mu]\nk = 0.5\ntau = -0.25\n[correlation.k]\ntau = 0\n"), all);
  EXPECT_EQ(pairs("[correlation]\n"), Pairs{});
  EXPECT_EQ(pairs("[correlation]\nmu = {}\n"), Pairs{});
}

TEST(ScenarioReader, TakesAsManyParametersAsTheSamplerHasAxes) {
  const auto text = [](int count, const std::string& sampler) {
    std::string parameters, vary;
    for (int i = 0; i < count; ++i)
      parameters += "a" + std::to_string(i) + " = 1\n", vary += "a" + std::to_string(i) + " = { uniform = [0, 1] }\n";
    return "[model]\ncoordinates = ['x']\nforce = ['0']\n[start]\nx = 0\n[time]\nend = 1\nstep = "
           "1\n[ensemble]\nsampler = '" +
           sampler + "'\n[vary]\n" + vary + "[model.parameters]\n" + parameters;
  };
  EXPECT_EQ(said(text(3667, "sobol")), "");
  EXPECT_EQ(
      said(text(3668, "sobol")),
      "\ntest.toml:10:11: sobol points have at most 3667 axes, and 3668 parameters vary; use \"latin\" or \"random\"");
  EXPECT_EQ(said(text(3668, "latin")), "");
}

TEST(ScenarioReader, TakesAnEndThatIsAWholeNumberOfStepsUpToRounding) {
  EXPECT_EQ(parse_scenario(with_time("4.0", "1e-3")).steps, 4000);
  EXPECT_EQ(parse_scenario(with_time("0.3", "0.1")).steps, 3);
  EXPECT_EQ(parse_scenario(with_time("1", "0.3333333333333333")).steps, 3);
  EXPECT_EQ(parse_scenario(with_time("1.0000000005", "0.1")).steps, 10);
  EXPECT_EQ(said(with_time("1.00000002", "0.1")),
            "\ntest.toml:7:7: end = 1.00000002 is not a whole number of steps of 0.1; nearest: end = 1 or 1.1");
  // h is T/N, so that the last node is the end
  EXPECT_EQ(parse_scenario(with_time("1", "0.3333333333333333")).h(), 1.0 / 3);
}

TEST(ScenarioReader, NamesTheNearestEnds) {
  EXPECT_EQ(said(with_time("1", "0.3")),
            "\ntest.toml:7:7: end = 1 is not a whole number of steps of 0.3; nearest: end = 0.9 or 1.2");
  EXPECT_EQ(said(with_time("0.1", "0.25")),
            "\ntest.toml:7:7: end = 0.1 is not a whole number of steps of 0.25; nearest: end = 0.25");
  // and what it names is taken
  for (const char* end : {"0.9", "1.2"}) EXPECT_EQ(said(with_time(end, "0.3")), "");
  EXPECT_EQ(said(with_time("0.25", "0.25")), "");
}

// end, step and every as expressions
const std::string swinging = R"~([model]
coordinates = ["x"]
force = ["-w^2*x"]
[model.parameters]
w = 2.0
n = 50
period = "2*pi/w"
c = 1.0
[start]
x = 1
[time]
end = "5*period"
step = "period/n"
[record]
members = 1
every = "n/10"
)~";

TEST(ScenarioReader, TakesTimesThatAreExpressions) {
  const scenario::Scenario s = parse_scenario(swinging);
  EXPECT_EQ(s.end, 5 * (2 * std::numbers::pi / 2.0));
  EXPECT_EQ(s.step, 2 * std::numbers::pi / 2.0 / 50);
  EXPECT_EQ(s.steps, 250);
  EXPECT_EQ(s.record.every, 5);
  EXPECT_EQ(parse_scenario(with_time("\"2*pi\"", "\"2*pi/1000\"")).steps, 1000);
  EXPECT_EQ(parse_scenario(with_time("\"2*pi\"", "\"2*pi/1000\"")).end, 2 * std::numbers::pi);
  // what is written is the same run, to the bit
  const scenario::Scenario again = parse_scenario(scenario::write_scenario(s));
  EXPECT_EQ(again.end, s.end);
  EXPECT_EQ(again.step, s.step);
  EXPECT_EQ(again.h(), s.h());
  EXPECT_EQ(again.steps, s.steps);
  EXPECT_EQ(again.record.every, s.record.every);
  EXPECT_EQ(scenario::write_scenario(again), scenario::write_scenario(s));
  // --set is followed, --end and --step override
  Overrides overrides;
  overrides.set = {{"w", 4}};
  EXPECT_EQ(parse_scenario(swinging, overrides).end, 5 * (2 * std::numbers::pi / 4.0));
  EXPECT_EQ(parse_scenario(swinging, overrides).steps, 250);
  overrides.set = {{"period", 1}};
  EXPECT_EQ(parse_scenario(swinging, overrides).step, 0.02);
  overrides.end = 3, overrides.step = 0.5;
  EXPECT_EQ(parse_scenario(swinging, overrides).steps, 6);
}

TEST(ScenarioReader, RefusesTimesThatAreNotTheSameForAllMembers) {
  EXPECT_EQ(said(swinging + "[vary]\nw = { uniform = [1, 2] }\n"),
            "\ntest.toml:12:10: 'w' is varied; end is the same for all members: use parameters that are not varied, or "
            "a number"
            "\ntest.toml:13:9: 'w' is varied; step is the same for all members: use parameters that are not varied, or "
            "a number");
  EXPECT_EQ(said(swinging + "[sweep]\nn = { values = [50, 100] }\n"),
            "\ntest.toml:13:16: 'n' is swept; step is the same at every point for now: use parameters that are not "
            "swept, or a number"
            "\ntest.toml:16:10: 'n' is swept; every in [record] is the same at every point for now: use parameters "
            "that are not swept, or a number");
  EXPECT_EQ(said(swinging + "[vary]\nc = { uniform = [1, 2] }\n"), "");
  // what --set fixes does not vary
  Overrides overrides;
  overrides.set = {{"w", 4}};
  EXPECT_EQ(parse_scenario(swinging + "[vary]\nw = { uniform = [1, 2] }\n", overrides).steps, 250);
  overrides.set = {};
  overrides.vary = {{"period", "uniform:1:2"}};
  EXPECT_THROW(parse_scenario(swinging, overrides), std::runtime_error);
}

TEST(ScenarioReader, SaysWhatIsWrongWithTimesThatAreExpressions) {
  EXPECT_EQ(said(with_time("\"2*pi\"", "1e-3")),
            "\ntest.toml:7:7: end = 6.283185307179586 is not a whole number of steps of 0.001; nearest: end = 6.283 or "
            "6.284, or "
            "step = \"(2*pi)/6283\"");
  EXPECT_EQ(parse_scenario(with_time("\"2*pi\"", "\"(2*pi)/6283\"")).steps, 6283);
  EXPECT_EQ(said(with_time("\"2*x\"", "1e-3")), "\ntest.toml:7:10: 'x' cannot be used in end: only parameters can");
  EXPECT_EQ(said(with_time("\"2*t\"", "1e-3")), "\ntest.toml:7:10: 't' cannot be used in end: only parameters can");
  EXPECT_EQ(said(with_time("1", "\"-1e-3\"")), "\ntest.toml:8:8: step must be greater than 0, got -0.001");
  EXPECT_EQ(said(with_time("1", "\"1/0\"")), "\ntest.toml:8:8: step must be a finite number, got inf");
  EXPECT_EQ(said(with_time("1", "\"1 > 0\"")),
            "\ntest.toml:8:9: step needs a number, got a condition; write if(condition, 1, 0)");
  std::string text = swinging;
  text.replace(text.find("n/10"), 4, "n/11");
  EXPECT_EQ(said(text),
            "\ntest.toml:16:9: every in [record] must be a whole number of steps between 1 and 2000000000, got "
            "4.545454545454546");
}

TEST(ScenarioReader, BoundsTheNumberOfSteps) {
  EXPECT_EQ(said(with_time("1e300", "1e-300")),
            "\ntest.toml:7:7: end / step is inf steps; at most 2,000,000,000 are possible");
  EXPECT_EQ(parse_scenario(with_time("2e9", "1")).steps, 2'000'000'000);
}

}  // namespace
}  // namespace conesweep::test
