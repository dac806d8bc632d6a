// Messages about an ensemble: distributions, levels, correlations, and members that would stop.
#include <gtest/gtest.h>

#include <string>

#include "support/scenario_text.hpp"
#include "valid_scenario.hpp"

namespace conesweep::test {
namespace {

TEST(ScenarioMessages, CheckADistributionsNumbers) {
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, 0.1]"}}, R"~(
test.toml:27:18: uniform: lower must be less than upper, got 0.6 and 0.1
    mu = { uniform = [0.6, 0.1] }
                     ^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, 0.6]"}}, R"~(
test.toml:27:18: uniform: lower must be less than upper, got 0.6 and 0.6
    mu = { uniform = [0.6, 0.6] }
                     ^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6]"}}, R"~(
test.toml:27:18: uniform takes [lower, upper]
    mu = { uniform = [0.6] }
                     ^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = 0.6"}}, R"~(
test.toml:27:18: uniform takes [lower, upper]
    mu = { uniform = 0.6 }
                     ^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, \"x\"]"}}, R"~(
test.toml:27:24: a number of uniform must be a finite number
    mu = { uniform = [0.6, "x"] }
                           ^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [0.6, inf]"}}, R"~(
test.toml:27:24: a number of uniform must be a finite number
    mu = { uniform = [0.6, inf] }
                           ^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "normal = [0.6, 0]"}}, R"~(
test.toml:27:17: normal: the standard deviation must be greater than 0, got 0
    mu = { normal = [0.6, 0] }
                    ^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "normal = [0.6, -1, 3]"}}, R"~(
test.toml:27:17: normal takes [mean, standard deviation]
    mu = { normal = [0.6, -1, 3] }
                    ^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "lognormal = [0.6, -1]"}}, R"~(
test.toml:27:20: lognormal: the standard deviation must be greater than 0, got -1
    mu = { lognormal = [0.6, -1] }
                       ^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "loguniform = [0, 1]"}}, R"~(
test.toml:27:21: loguniform: lower must be greater than 0, got 0
    mu = { loguniform = [0, 1] }
                        ^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "loguniform = [2, 1]"}}, R"~(
test.toml:27:21: loguniform: lower must be less than upper, got 2 and 1
    mu = { loguniform = [2, 1] }
                        ^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "triangular = [0, 2, 1]"}}, R"~(
test.toml:27:21: triangular: lower <= mode <= upper must hold, got 0, 2, 1
    mu = { triangular = [0, 2, 1] }
                        ^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "triangular = [1, 1, 1]"}}, R"~(
test.toml:27:21: triangular: lower must be less than upper, got 1 and 1
    mu = { triangular = [1, 1, 1] }
                        ^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "truncated_normal = [0, 0, 0, 1]"}}, R"~(
test.toml:27:27: truncated_normal: the standard deviation must be greater than 0, got 0
    mu = { truncated_normal = [0, 0, 0, 1] }
                              ^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "truncated_normal = [0, 1, 1, 0]"}}, R"~(
test.toml:27:27: truncated_normal: lower must be less than upper, got 1 and 0
    mu = { truncated_normal = [0, 1, 1, 0] }
                              ^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "truncated_normal = [0, 1, 40, 50]"}}, R"~(
test.toml:27:27: truncated_normal: the interval lies more than 37 standard deviations from the mean; nothing is left of the distribution
    mu = { truncated_normal = [0, 1, 40, 50] }
                              ^^^^^^^^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "choice = []"}}, R"~(
test.toml:27:17: choice takes a list of values
    mu = { choice = [] }
                    ^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "table = \"a.csv\""}}, R"~(
test.toml:27:16: table takes "file.csv:column"
    mu = { table = "a.csv" }
                   ^^^^^^^)~");
  expect_problems({{"uniform = [0.1, 0.6]", "table = 3"}}, R"~(
test.toml:27:16: table takes "file.csv:column"
    mu = { table = 3 }
                   ^)~");
}

TEST(ScenarioMessages, CheckTheLevelsOfAGrid) {
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\""}}, R"~(
test.toml:27:1: the grid needs levels for 'mu', for example levels = { mu = 20 } in [ensemble]
    mu = { uniform = [0.1, 0.6] }
    ^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"random\"\nlevels = { mu = 3 }"}}, R"~(
test.toml:26:10: levels belong to sampler = "grid"
    levels = { mu = 3 }
             ^^^^^^^^^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = { mu = 3 }"}}, R"~(
test.toml:23:11: the grid has 3 members (the product of its levels), not 100; leave members out or change levels
    members = 100
              ^^^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = { mu = 100, k = 2 }"}}, R"~(
test.toml:26:22: levels names 'k', which does not vary
    levels = { mu = 100, k = 2 }
                         ^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = { mu = 0 }"}}, R"~(
test.toml:26:17: levels of 'mu' must be a whole number between 1 and 1099511627776, got 0
    levels = { mu = 0 }
                    ^)~");
  expect_problems({{"sampler = \"random\"", "sampler = \"grid\"\nlevels = 3"}}, R"~(
test.toml:26:10: 'levels' must be a table: write levels = { alpha = 20, tau = 10 }
    levels = 3
             ^
test.toml:28:1: the grid needs levels for 'mu', for example levels = { mu = 20 } in [ensemble]
    mu = { uniform = [0.1, 0.6] }
    ^^)~");
  expect_problems({{"members = 100\nseed = 7\nsampler = \"random\"",
                    "sampler = \"grid\"\nlevels = { mu = 1_000_000_000_000_000 }"}},
                  R"~(
test.toml:24:17: levels of 'mu' must be a whole number between 1 and 1099511627776, got 1000000000000000
    levels = { mu = 1_000_000_000_000_000 }
                    ^^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"members = 100\nseed = 7\nsampler = \"random\"",
                    "sampler = \"grid\"\nlevels = { mu = 1_000_000, k = 1_000_000, g = 1_000_000 }"},
                   {"mu = { uniform = [0.1, 0.6] }",
                    "mu = { uniform = [0.1, 0.6] }\nk = { uniform = [1, 2] }\ng = { uniform = [1, 2] }"}},
                  R"~(
test.toml: the grid has 1e+18 members; take fewer levels)~");
}

// Three parameters vary, and a section of the test's own says how they go together.
Replacements correlated(const std::string& section, const std::string& sampler = "random") {
  return {{"[observe]",
           "k = { normal = [4, 0.1] }\ntau = { uniform = [0.1, 0.3] }\n[correlation]\n" + section + "\n[observe]"},
          {"sampler = \"random\"", "sampler = \"" + sampler + "\""}};
}

TEST(ScenarioMessages, CheckCorrelations) {
  for (const std::string sampler : {"random", "latin", "sobol"}) {
    expect_problems(correlated("", sampler), "");
    expect_problems(correlated("mu = { k = 0.5, tau = -0.2 }\nk.tau = 0.3", sampler), "");
  }
  expect_problems(correlated("mu = { kk = 0.5 }"), R"~(
test.toml:31:8: [correlation] names an unknown parameter 'kk'; did you mean 'k'?
    mu = { kk = 0.5 }
           ^^)~");
  expect_problems(correlated("friction = { k = 0.5 }"), R"~(
test.toml:31:1: [correlation] names an unknown parameter 'friction'; parameters that vary are in [vary]
    friction = { k = 0.5 }
    ^^^^^^^^)~");
  expect_problems(correlated("mu = { g = 0.5 }"), R"~(
test.toml:31:8: [correlation] names 'g', which does not vary; give it a distribution in [vary] or leave it out
    mu = { g = 0.5 }
           ^)~");
  expect_problems(correlated("mu = { mu = 1 }"), R"~(
test.toml:31:8: the correlation of 'mu' with itself is 1; leave it out
    mu = { mu = 1 }
           ^^)~");
  expect_problems(correlated("mu = { k = 0.5 }\nk = { tau = 0.1, mu = 0.5 }"), R"~(
test.toml:32:18: the correlation of 'k' and 'mu' stands in line 31 already; give each pair once
    k = { tau = 0.1, mu = 0.5 }
                     ^^)~");
  expect_problems(correlated("mu = { k = 1.0 }\ntau = { k = -1.5 }"), R"~(
test.toml:31:12: the correlation of 'mu' and 'k' must lie between -1 and 1, both excluded, got 1
    mu = { k = 1.0 }
               ^^^
test.toml:32:13: the correlation of 'tau' and 'k' must lie between -1 and 1, both excluded, got -1.5
    tau = { k = -1.5 }
                ^^^^)~");
  expect_problems(correlated("mu = { k = \"strong\" }\ntau = 0.5"), R"~(
test.toml:31:12: a correlation must be a finite number
    mu = { k = "strong" }
               ^^^^^^^^
test.toml:32:7: the correlations of 'tau' must be a table, for example { other = 0.5 }
    tau = 0.5
          ^^^)~");
  Replacements grid = correlated("mu = { k = 0.5 }", "grid");
  grid.push_back({"seed = 7", "seed = 7\nlevels = { mu = 2, k = 2, tau = 25 }"});
  expect_problems(grid, R"~(
test.toml:31:2: a grid is all combinations of its levels and cannot be correlated; use sampler = "random", "latin" or "sobol"
    [correlation]
     ^^^^^^^^^^^)~");
  expect_problems(
      {{"[observe]", "[observe]\nc = { max = \"x\" }"}, {"title = \"Test\"", "title = \"Test\"\ncorrelation = 0.5"}},
      R"~(
test.toml:2:15: 'correlation' must be a table: write [correlation]
    correlation = 0.5
                  ^^^)~");
}

TEST(ScenarioMessages, SayHowFarCorrelationsContradictEachOther) {
  // eigenvalues 1 - ρ, 1 - ρ and 1 + 2ρ with ρ = -0.9
  expect_problems(correlated("mu = { k = -0.9, tau = -0.9 }\nk = { tau = -0.9 }"), R"~(
test.toml:30:2: these correlations cannot hold together: the smallest eigenvalue of their matrix is -0.8 and must be greater than 0; take all of them times 0.55 or less, or give pairs that were left out (they count as 0)
    [correlation]
     ^^^^^^^^^^^)~");
  expect_problems(correlated("mu = { k = -0.495, tau = -0.495 }\nk = { tau = -0.495 }"), "");
  // 1 ± sqrt(ρ² + ρ²): two strong pairs and a third left out
  expect_problems(correlated("mu = { k = 0.8, tau = 0.8 }"), R"~(
test.toml:30:2: these correlations cannot hold together: the smallest eigenvalue of their matrix is -0.131 and must be greater than 0; take all of them times 0.88 or less, or give pairs that were left out (they count as 0)
    [correlation]
     ^^^^^^^^^^^)~");
  expect_problems(correlated("mu = { k = 0.8, tau = 0.8 }\nk.tau = 0.6"), "");
  // singular: the factor takes them away from 0
  expect_problems(correlated("mu = { k = 0.6, tau = 0.8 }"), R"~(
test.toml:30:2: these correlations cannot hold together: the smallest eigenvalue of their matrix is 0 and must be greater than 0; take all of them times 0.99 or less, or give pairs that were left out (they count as 0)
    [correlation]
     ^^^^^^^^^^^)~");
}

TEST(ScenarioMessages, SayNothingOfCorrelationsWhereADistributionIsWrong) {
  Replacements replacements = correlated("mu = { k = 0.5, tau = 0.1 }");
  replacements.push_back({"uniform = [0.1, 0.6]", "uniform = [0.6, 0.1]"});
  expect_problems(replacements, R"~(
test.toml:27:18: uniform: lower must be less than upper, got 0.6 and 0.1
    mu = { uniform = [0.6, 0.1] }
                     ^^^^^^^^^^)~");
}

TEST(ScenarioMessages, CountTheMembersThatWouldStop) {
  expect_problems({{"uniform = [0.1, 0.6]", "uniform = [-0.1, 0.6]"}}, R"~(
test.toml:14:13: warning: 11 of the first 100 members: friction is -0.0643204; allowed: friction >= 0 (member 1: mu = -0.0643204); such members stop with status bad_angle
    friction = "mu"
                ^^)~");
  expect_problems({{"friction = \"mu\"", "friction_angle = \"3 * mu\""}}, R"~(
test.toml:14:19: warning: 13 of the first 100 members: friction_angle is 1.69684; allowed: 0 <= friction_angle < pi/2 (in radians) (member 4: mu = 0.565612); such members stop with status bad_angle
    friction_angle = "3 * mu"
                      ^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"mu - 0.3\""}}, R"~(
test.toml:13:11: warning: 36 of the first 100 members: the start lies outside 'floor' by 0.174515; allowed: 1e-09 (1 + |q|) (member 1: mu = 0.125485); such members stop with status start_outside
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"1e-4*mu - 3e-5\""}}, R"~(
test.toml:13:11: warning: 36 of the first 100 members: the start lies outside 'floor' by 1.74515e-05; allowed: 1e-09 (1 + |q|); [start] settle = true puts it there (member 1: mu = 0.125485); such members stop with status start_outside
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"1e-4*mu - 3e-5\"\nsettle = true"}}, "");
  expect_problems({{"y = \"0\"", "y = \"mu - 0.3\"\nsettle = true"}}, R"~(
test.toml:13:11: warning: 36 of the first 100 members: the start lies outside 'floor' by 0.174515; allowed with settle = true: 1e-04 (1 + |q|) (member 1: mu = 0.125485); such members stop with status start_outside
    inside = "y >= 0"
              ^^^^^^)~");
  expect_problems({{"tau = 0.2", "tau = 0.2"}, {"\"k * (1 - delay(x, tau))\"", "\"k * (1 - delay(x, mu - 0.2))\""}},
                  R"~(
test.toml:4:29: warning: 18 of the first 100 members: the length of delay is -0.0745146; allowed: a finite number >= 0 (member 1: mu = 0.125485); such members stop with status bad_delay
    force = ["k * (1 - delay(x, mu - 0.2))", "-g"]
                                ^^^^^^^^)~");
  expect_problems({{"x = \"0.5 * t\"", "x = \"log(t + mu)\""}}, R"~(
test.toml:17:6: warning: 18 of the first 100 members: the past of x is not a number at t = -0.128125; it must be defined back to the longest delay, 0.2 (member 1: mu = 0.125485); such members stop with status non_finite
    x = "log(t + mu)"
         ^^^^^^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"0\"\nvy = \"1 / max(0, mu - 0.2)\""}}, R"~(
test.toml:19:7: warning: 18 of the first 100 members: the start velocity vy is inf (member 1: mu = 0.125485); such members stop with status non_finite
    vy = "1 / max(0, mu - 0.2)"
          ^^^^^^^^^^^^^^^^^^^^)~");
  expect_problems({{"y = \"0\"", "y = \"mu * t\"\nvy = \"0\""}}, R"~(
test.toml:13:11: warning: 100 of the first 100 members: the past leaves 'floor' at t = -0.003125 by 0.00154143; the theory wants it inside (delays still see it) (member 0: mu = 0.493258)
    inside = "y >= 0"
              ^^^^^^)~");
}

TEST(ScenarioMessages, SayWhatSettleMeans) {
  expect_problems({{"y = \"0\"", "y = \"0\"\nsettle = 1"}}, R"~(
test.toml:19:10: settle must be true or false: are starts that miss walls and constraints by little put on them?
    settle = 1
             ^)~");
  const std::string contact =
      valid.substr(valid.find("[[model.contact]]"), valid.find("[start]") - valid.find("[[model.contact]]"));
  expect_problems({{contact, ""}, {"y = \"0\"", "y = \"0\"\nsettle = true"}}, R"~(
test.toml:14:10: settle = true needs something to put starts on: add a [[model.contact]] or a [[model.bilateral]], or leave settle out
    settle = true
             ^^^^)~");
  expect_problems({{contact, ""}, {"y = \"0\"", "y = \"0\"\nsettle = false"}}, "");
}

}  // namespace
}  // namespace conesweep::test
