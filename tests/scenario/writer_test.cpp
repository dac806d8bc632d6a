#include "scenario/writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "law_scenario.hpp"
#include "sampling/sampler.hpp"
#include "scenario/formulas.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using scenario::Formula;
using scenario::Scenario;

// ---- identity of two scenarios: everything but places in a file ----

void expect_same(const Formula& a, const Formula& b, const std::string& what) {
  EXPECT_EQ(a.text, b.text) << what;
  EXPECT_TRUE(expression::same_tree(a.tree, b.tree)) << what;
}

void expect_same(const std::optional<Formula>& a, const std::optional<Formula>& b, const std::string& what) {
  ASSERT_EQ(a.has_value(), b.has_value()) << what;
  if (a) expect_same(*a, *b, what);
}

void expect_same(const std::vector<Formula>& a, const std::vector<Formula>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i], what);
}

void expect_same_tree(const expression::Expr& a, const expression::Expr& b, const std::string& what) {
  ASSERT_EQ(a == nullptr, b == nullptr) << what;
  EXPECT_TRUE(a == nullptr || expression::same_tree(a, b)) << what;
}

void expect_same_laws(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(a.names.laws, b.names.laws);
  EXPECT_EQ(a.restitution_law, b.restitution_law);
  EXPECT_EQ(a.impacts, b.impacts);
  expect_same(a.mass, b.mass, "mass");
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    expect_same(a.contacts[i].belt, b.contacts[i].belt, "belt");
    expect_same(a.contacts[i].point, b.contacts[i].point, "point");
    expect_same(a.contacts[i].slip, b.contacts[i].slip, "slip");
    expect_same_tree(a.contacts[i].in_space, b.contacts[i].in_space, "inside, in space");
    EXPECT_EQ(a.contacts[i].persistent, b.contacts[i].persistent);
    expect_same(a.contacts[i].cohesion, b.contacts[i].cohesion, "cohesion");
  }
  ASSERT_EQ(a.bilaterals.size(), b.bilaterals.size());
  for (std::size_t i = 0; i < a.bilaterals.size(); ++i) {
    EXPECT_EQ(a.bilaterals[i].name, b.bilaterals[i].name);
    EXPECT_EQ(a.bilaterals[i].holonomic, b.bilaterals[i].holonomic);
    expect_same(a.bilaterals[i].equation, b.bilaterals[i].equation, "equation");
    expect_same_tree(a.bilaterals[i].value, b.bilaterals[i].value, "value");
    expect_same(a.bilaterals[i].friction, b.bilaterals[i].friction, "friction");
    expect_same(a.bilaterals[i].slip, b.bilaterals[i].slip, "slip");
  }
  ASSERT_EQ(a.resistances.size(), b.resistances.size());
  for (std::size_t i = 0; i < a.resistances.size(); ++i) {
    const auto &one = a.resistances[i], &other = b.resistances[i];
    EXPECT_EQ(one.name, other.name);
    expect_same(one.slip, other.slip, "slip");
    expect_same(one.drive, other.drive, "drive");
    expect_same(one.limit, other.limit, "limit");
    ASSERT_EQ(one.percussions.has_value(), other.percussions.has_value());
    if (!one.percussions) continue;
    expect_same(one.percussions->time, other.percussions->time, "time");
    expect_same(one.percussions->size, other.percussions->size, "size");
    expect_same(one.percussions->count, other.percussions->count, "count");
    expect_same(one.percussions->limit, other.percussions->limit, "percussions.limit");
  }
  EXPECT_EQ(a.units, b.units);
  ASSERT_EQ(a.of_laws.size(), b.of_laws.size());
  for (std::size_t i = 0; i < a.of_laws.size(); ++i) {
    EXPECT_EQ(a.of_laws[i].law, b.of_laws[i].law);
    EXPECT_EQ(a.of_laws[i].kind, b.of_laws[i].kind);
  }
}

// What the walk meets: "key = text".
std::vector<std::string> list_formulas(const Scenario& scenario) {
  std::vector<std::string> list;
  scenario::for_each_formula(scenario, [&](std::string_view key, const Formula& formula) {
    list.push_back(std::string(key) + " = " + formula.text);
  });
  return list;
}

// longer than 60 lines: a field a line
void expect_same(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(list_formulas(a), list_formulas(b));
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.names.coordinates, b.names.coordinates);
  EXPECT_EQ(a.names.parameters, b.names.parameters);
  EXPECT_EQ(a.defaults, b.defaults);
  ASSERT_EQ(a.definitions.size(), b.definitions.size());
  for (std::size_t i = 0; i < a.definitions.size(); ++i) {
    EXPECT_EQ(a.names.definitions[i].name, b.names.definitions[i].name);
    expect_same(a.definitions[i], b.definitions[i], "definition");
  }
  ASSERT_EQ(a.force.size(), b.force.size());
  for (std::size_t i = 0; i < a.force.size(); ++i) expect_same(a.force[i], b.force[i], "force");
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    EXPECT_EQ(a.contacts[i].name, b.contacts[i].name);
    expect_same(a.contacts[i].inside, b.contacts[i].inside, "inside");
    EXPECT_TRUE(expression::same_tree(a.contacts[i].g, b.contacts[i].g));
    EXPECT_EQ(a.contacts[i].friction_law, b.contacts[i].friction_law);
    expect_same(a.contacts[i].friction, b.contacts[i].friction, "friction");
    expect_same(a.contacts[i].restitution, b.contacts[i].restitution, "restitution");
  }
  expect_same_laws(a, b);
  ASSERT_EQ(a.start.size(), b.start.size());
  for (std::size_t i = 0; i < a.start.size(); ++i) {
    expect_same(a.start[i].past, b.start[i].past, "past");
    expect_same(a.start[i].velocity, b.start[i].velocity, "start velocity");
  }
  EXPECT_EQ(a.settle, b.settle);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.steps, b.steps);
  expect_same(a.stop, b.stop, "stop");
  EXPECT_EQ(a.ensemble.members, b.ensemble.members);
  EXPECT_EQ(a.ensemble.seed, b.ensemble.seed);
  EXPECT_EQ(a.ensemble.sampler, b.ensemble.sampler);
  ASSERT_EQ(a.vary.size(), b.vary.size());
  for (std::size_t i = 0; i < a.vary.size(); ++i) {
    EXPECT_EQ(a.vary[i].parameter, b.vary[i].parameter);
    EXPECT_EQ(a.vary[i].levels, b.vary[i].levels);
    EXPECT_EQ(a.vary[i].distribution.kind, b.vary[i].distribution.kind);
    EXPECT_EQ(a.vary[i].distribution.values, b.vary[i].distribution.values);
    EXPECT_EQ(a.vary[i].distribution.table, b.vary[i].distribution.table);
  }
  ASSERT_EQ(a.correlation.size(), b.correlation.size());
  for (std::size_t i = 0; i < a.correlation.size(); ++i) {
    EXPECT_EQ(a.correlation[i].first, b.correlation[i].first);
    EXPECT_EQ(a.correlation[i].second, b.correlation[i].second);
    EXPECT_EQ(a.correlation[i].value, b.correlation[i].value);
  }
  ASSERT_EQ(a.observables.size(), b.observables.size());
  for (std::size_t i = 0; i < a.observables.size(); ++i) {
    EXPECT_EQ(a.observables[i].name, b.observables[i].name);
    EXPECT_EQ(a.observables[i].reducer, b.observables[i].reducer);
    expect_same(a.observables[i].formula, b.observables[i].formula, a.observables[i].name);
    expect_same(a.observables[i].after, b.observables[i].after, "after");
    expect_same(a.observables[i].before, b.observables[i].before, "before");
  }
  EXPECT_EQ(a.standard, b.standard);
  EXPECT_EQ(a.record.members, b.record.members);
  EXPECT_EQ(a.record.every, b.record.every);
}

void expect_reads_back(const Scenario& first) {
  const std::string text = write_scenario(first);
  SCOPED_TRACE(text);
  const Scenario second = parse_scenario(text);
  expect_same(first, second);
  EXPECT_EQ(write_scenario(second), text) << "written twice, it differs";
}

// ---- scenarios ----

TEST(ScenarioWriter, ReadsBackEverySample) {
  int samples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CONESWEEP_SAMPLES)) {
    if (entry.path().extension() != ".toml") continue;
    ++samples;
    expect_reads_back(parse_scenario(scenario::load_source(entry.path()).text));
  }
  EXPECT_GE(samples, 11);
}

// A scenario with a line of the test's own in each section.
std::string odd(const std::string& title, const std::string& parameters, const std::string& contact,
                const std::string& rest) {
  return "title = " + title + "\n[model]\ncoordinates = [\"x\", \"Y_2\"]\nforce = [\"-x\", '0']\n[model.parameters]\n" +
         parameters + "\n[[model.contact]]\n" + contact +
         "\n[start]\nx = 0\nY_2 = '''\n1 +\n\tt'''\nvY_2 = 0\n[time]\nend = 1\nstep = 0.1\n" + rest;
}

TEST(ScenarioWriter, ReadsBackOddTexts) {
  const std::string wall = "name = \"floor, \\\"rough\\\" \\\\ µ\"\ninside = \"Y_2\\t>=\\u0020-1\"";
  for (const std::string title : {R"("")", R"("quotes \" and \\ and \n and \t and \r")", R"('C:\path')",
                                  R"("Größe → ∞ 🙂")", R"("\u0001\u007f\u0085")", "\"\"\"\ntwo\nlines\"\"\""})
    expect_reads_back(parse_scenario(odd(title, "a = 1", wall, "")));
}

TEST(ScenarioWriter, ReadsBackEveryNumberToTheBit) {
  const auto s =
      parse_scenario(odd("'n'",
                         "a = 0.1\nb = 1e300\nc = 5e-324\nd = -0.0\ne = 123456789012345680\nf = 1e-7\ng = "
                         "0.30000000000000004\nh = 3\ni = -1e+22",
                         "inside = 'x >= -1'",
                         "[vary]\na = { uniform = [0.1, 0.30000000000000004] }\nb = { choice = [1, -0.0, 1e-300] }\n"));
  expect_reads_back(s);
  EXPECT_TRUE(std::signbit(parse_scenario(write_scenario(s)).defaults[3]));
}

TEST(ScenarioWriter, ReadsBackEverySection) {
  expect_reads_back(
      parse_scenario(odd("'all'", "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7",
                         "inside = 'x >= -1'\nfriction_angle = 'a / 10'\nrestitution = 0.25", R"~([ensemble]
members = 17
seed = 9223372036854775807
[vary]
g = { truncated_normal = [1, 2, 0, 3] }
a = { triangular = [1, 1.5, 2] }
b = { loguniform = [1, 2] }
c = { lognormal = [1, 2] }
d = { normal = [1, 2] }
[observe]
zz = { last_time = "abs(vx) > 1e-6" }
standard = ["penetration", "impacts"]
aa = { integral = "delay(x, 0.3)" }
[record]
members = 3
every = 4
)~")));
}

TEST(ScenarioWriter, WritesDefinitionsAsTheUserDid) {
  const auto s =
      parse_scenario(odd("'named'", "a = 1\n[model.define]\nzig = \"x + a\"\nhalf = 0.5\nbend = 'half * zig^2'",
                         "inside = 'bend <= 9'\nfriction = 'half'", "[observe]\nr = { max = 'bend' }\n"));
  expect_reads_back(s);
  const std::string text = write_scenario(s);
  EXPECT_NE(text.find("\n[model.parameters]\na = 1.0\n\n[model.define]\nzig = \"x + a\"\nhalf = \"0.5\"\nbend = \"half "
                      "* zig^2\"\n\n[[model.contact]]\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("inside = \"bend <= 9\"\n"), std::string::npos) << text;
}

TEST(ScenarioWriter, ReadsBackLaws) {
  expect_reads_back(parse_scenario(wheel));
  expect_reads_back(parse_scenario(wheel_with(
      {{"[\"m\", \"m\", \"J\"]",
        "[[\"m\", 0, \"m*R*cos(phi)\"], [0, \"m\", 0], [\"m*R*cos(phi)\", 0, \"J\"]]\nrestitution_law = 'moreau'"},
       {"inside = \"rimy >= 0\"",
        "inside = \"rimy >= sin(t)\"\nbelt = ['t', 0]\nrestitution = 'if(vx > 1, 0.5, 0)'\n"
        "cohesion = 'm + delay(x^2, 0.1)'"},
       {"slip = [\"vy + R*vphi\"]", "slip = ['vy', 'vphi + x*vx']\nbelt = [1, 2]"},
       {"limit = \"mu*abs(normal(rail))\"", "limit = ['-inf', 'slip(rim) + gap(wall)']"},
       {"count = \"count\" }", "count = 3, limit = 'mu' }"},
       {"[observe]", "[observe]\nalso = ['impulse.wall', 'gained', 'impulse.rim']"}})));
  expect_reads_back(
      parse_scenario(wheel_with({{"inside = \"x <= 2\"", "inside = \"x <= 2\"\npersistent = true"},
                                 {"x = \"0\"", "x = \"2\"\nsettle = true"},
                                 {"[observe]", "[observe]\nalso = ['lost.wall', 'lost', 'impulse.wall']"}})));
}

TEST(ScenarioWriter, WritesLawsAsTheUserDid) {
  const std::string text = write_scenario(parse_scenario(wheel));
  const std::string laws =
      wheel.substr(wheel.find("[[model.contact]]"), wheel.find("[start]") - wheel.find("[[model.contact]]"));
  std::string spaced =
      text.substr(text.find("[[model.contact]]"), text.find("[start]") - text.find("[[model.contact]]"));
  for (std::size_t at = spaced.find("\n\n"); at != std::string::npos; at = spaced.find("\n\n")) spaced.erase(at, 1);
  EXPECT_EQ(spaced, laws);
  EXPECT_NE(text.find("force = [\"0\", \"-m*g\", \"0\"]\nmass = [\"m\", \"m\", \"J\"]\n\n"), std::string::npos) << text;
}

TEST(ScenarioWriter, ReadsBackGridsAndWhatIsLeftOut) {
  expect_reads_back(parse_scenario(odd("'grid'", "a = 1\nb = 2", "inside = 'x >= -1'",
                                       "[ensemble]\nsampler = 'grid'\nlevels = { b = 3 }\n[vary]\na = { choice = [1, "
                                       "2] }\nb = { uniform = [0, 1] }\n[observe]\nstandard = []\n")));
  expect_reads_back(
      parse_scenario(odd("'empty grid'", "a = 1", "inside = 'x >= -1'", "[ensemble]\nsampler = 'grid'\n")));
  expect_reads_back(
      parse_scenario("[model]\ncoordinates = ['x']\nforce = [0]\n[start]\nx = 0\n[time]\nend = 1\nstep = 1\n"));
}

TEST(ScenarioWriter, WritesWhatTheCommandLineSaid) {
  scenario::Overrides overrides;
  overrides.members = 5;
  overrides.seed = 11;
  overrides.step = 0.25;
  overrides.end = 3;
  overrides.set = {{"a", 0.5}};
  const auto s = parse_scenario(odd("'set'", "a = 1\nb = 2", "inside = 'x >= -1'",
                                    "[vary]\na = { uniform = [0, 1] }\nb = { uniform = [0, 1] }\n"),
                                overrides);
  expect_reads_back(s);
  const auto again = parse_scenario(write_scenario(s));
  EXPECT_EQ(again.defaults[0], 0.5);
  EXPECT_EQ(again.vary.size(), 1U);
  EXPECT_EQ(again.steps, 12);
}

TEST(ScenarioWriter, KeepsTheDrawsOfEverySamplerWithCorrelations) {
  for (const std::string sampler : {"random", "latin", "sobol"}) {
    const auto s = parse_scenario(odd("'drawn'", "a = 1\nb = 2\nc = 3\nd = 4", "inside = 'x >= -1'",
                                      "[ensemble]\nmembers = 300\nsampler = '" + sampler + R"~('
[vary]
c = { normal = [0, 1] }
a = { uniform = [0, 1] }
b = { lognormal = [0, 0.1] }
d = { choice = [1, 2, 3] }
[correlation]
a = { c = 0.30000000000000004, d = -0.5 }
b = { a = 0.1 }
)~"));
    EXPECT_EQ(s.correlation.size(), 3U);
    expect_reads_back(s);
    EXPECT_NE(write_scenario(s).find(
                  "\n[correlation]\na = { c = 0.30000000000000004, d = -0.5 }\nb = { a = 0.1 }\n\n[observe]"),
              std::string::npos);
    EXPECT_EQ(sampling::draw(parse_scenario(write_scenario(s)), 0, 300), sampling::draw(s, 0, 300));
    scenario::Overrides overrides;
    overrides.set = {{"a", 0.5}};
    expect_reads_back(parse_scenario(write_scenario(s), overrides));
  }
}

TEST(ScenarioWriter, LetsAGridLoseAnAxisAgain) {
  const std::string text =
      write_scenario(parse_scenario(odd("'grid'", "a = 1\nb = 2", "inside = 'x >= -1'",
                                        "[ensemble]\nsampler = 'grid'\nlevels = { a = 4, b = 3 }\n[vary]\na = { "
                                        "uniform = [0, 1] }\nb = { uniform = [0, 1] }\n")));
  scenario::Overrides overrides;
  overrides.set = {{"a", 0.5}};
  EXPECT_EQ(parse_scenario(text, overrides).ensemble.members, 3);
}

TEST(ScenarioWriter, LooksLikeTheDocumentedFormat) {
  EXPECT_EQ(write_scenario(parse_scenario(
                odd("'Look'", "a = 1", "inside = 'x >= -1'\nfriction = 'a'",
                    "[vary]\na = { uniform = [0, 1] }\n[observe]\nr = { max = 'x' }\nstandard = ['impacts']\n"))),
            R"(title = "Look"

[model]
coordinates = ["x", "Y_2"]
force = ["-x", "0"]

[model.parameters]
a = 1.0

[[model.contact]]
name = "contact1"
inside = "x >= -1"
friction = "a"

[start]
x = "0"
Y_2 = "1 +\n\tt"
vY_2 = "0"
# vx = "0"  at t = 0, from the left

[time]
end = 1.0
step = 0.1

[ensemble]
seed = 1
sampler = "random"
members = 1

[vary]
a = { uniform = [0.0, 1.0] }

[observe]
standard = ["impacts"]
r = { max = "x" }

[record]
members = 0
every = 1
)");
}

}  // namespace
}  // namespace conesweep::test
