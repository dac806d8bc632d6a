// The closed lists: numbers and names that are in people's files stay, and every value is told to users.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scenario/writer.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::scenario {
namespace {

using Names = std::vector<std::string>;

TEST(Lists, KeepTheNumbersThatAreInPeoplesFiles) {
  // /status and /trajectories/mode of results.h5: append, never insert
  const Names status = statuses.names();
  const Names first = {"ok",        "non_finite",        "bad_angle",        "bad_restitution",
                       "bad_delay", "singular_gradient", "several_contacts", "start_outside"};
  ASSERT_GE(status.size(), first.size());
  EXPECT_EQ(Names(status.begin(), status.begin() + static_cast<std::ptrdiff_t>(first.size())), first);
  EXPECT_EQ(modes.names(), (Names{"flight", "slip", "stick"}));
}

TEST(Lists, ObserveUnaskedWhatTheyAlwaysDid) {
  // summary.json of a scenario that does not mention standard quantities
  Names unasked;
  for (const auto& row : standard_quantities)
    if (row.observed == Observed::unless_refused) unasked.emplace_back(row.name);
  EXPECT_EQ(unasked, (Names{"impacts", "first_contact", "stick_time", "slip_time", "flight_time", "dissipated",
                            "impulse", "variation", "penetration"}));
}

TEST(Lists, SayWhatIsObserved) {
  for (const auto& row : reducers) EXPECT_FALSE(row.meaning.empty()) << row.name;
  for (const auto& row : standard_quantities) EXPECT_FALSE(row.meaning.empty()) << row.name;
}

TEST(Lists, FindAValueByItsNameAndOnlyByIt) {
  const auto all = [](const auto& list) {
    for (const auto& row : list) {
      EXPECT_EQ(list.find(row.name), row.value);
      EXPECT_EQ(&list[row.value], &row);
      EXPECT_EQ(to_name(row.value), row.name);
    }
    EXPECT_FALSE(list.find(""));
    EXPECT_FALSE(list.find("Final"));
    EXPECT_EQ(list.names().size(), list.size());
  };
  all(distributions), all(samplers), all(reducers), all(standard_quantities), all(statuses), all(modes);
}

TEST(Lists, RefuseANumberThatHasNoRow) { EXPECT_THROW(to_name(static_cast<Status>(statuses.size())), InternalError); }

// every value of every list stands in the first cell of a table row of docs/scenario.md; a status beside its number
TEST(Lists, AreToldToUsers) {
  std::ifstream page(CONESWEEP_DOCS "/scenario.md");
  std::string first_cells, whole;
  for (std::string line; std::getline(page, line); whole += line + "\n")
    if (line.starts_with("| ")) first_cells += line.substr(0, line.find('|', 1));
  const auto told = [&](const auto& list) {
    for (const auto& row : list)
      EXPECT_NE(first_cells.find("`" + std::string(row.name) + "`"), std::string::npos) << row.name;
  };
  told(distributions), told(samplers), told(reducers), told(standard_quantities);
  for (const auto& row : statuses)
    EXPECT_NE(whole.find("| " + std::to_string(static_cast<int>(row.value)) + " | `" + std::string(row.name) + "` |"),
              std::string::npos)
        << row.name;
}

// ---- a scenario takes every value, and writes it as it read it ----

std::string scenario_text(const std::string& ensemble, const std::string& vary, const std::string& observe) {
  return "title = \"t\"\n[model]\ncoordinates = [\"x\"]\nforce = [\"a\"]\n[model.parameters]\na = 1.0\n[start]\nx = "
         "\"0\"\n[time]\nend = 1.0\nstep = 0.5\n" +
         ensemble + vary + "[observe]\n" + observe;
}

TEST(Lists, AreReadAndWrittenBack) {
  const auto expect_kept = [](const std::string& text, const auto& value_of, const auto& expected) {
    const Scenario read = test::parse_scenario(text);
    EXPECT_EQ(value_of(read), expected) << text;
    EXPECT_EQ(value_of(test::parse_scenario(write_scenario(read))), expected) << write_scenario(read);
  };
  for (const auto& row : samplers)
    expect_kept(
        scenario_text("[ensemble]\nsampler = \"" + std::string(row.name) + "\"\n", "[vary]\na = { choice = [1, 2] }\n",
                      ""),
        [](const Scenario& s) { return s.ensemble.sampler; }, row.value);
  for (const auto& row : reducers)
    expect_kept(
        scenario_text("", "",
                      "o = { " + std::string(row.name) + (row.takes_condition ? " = \"x > 0\" }\n" : " = \"x\" }\n")),
        [](const Scenario& s) { return s.observables.at(0).reducer; }, row.value);
  const std::string foot =
      "[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"-1\"]\n[[model.contact]]\ninside = \"y >= "
      "0\"\nfriction = 0.3\npersistent = true\n"
      "[start]\nx = \"t\"\ny = \"0\"\n[time]\nend = 1.0\nstep = 0.5\n[observe]\n";
  for (const auto& row : standard_quantities)
    expect_kept(
        foot + "standard = [\"" + std::string(row.name) + "\"]\n", [](const Scenario& s) { return s.standard; },
        std::vector<Standard>{row.value});
  for (const auto& row : distributions) {
    if (row.value == DistributionKind::table) continue;  // reads a file: table_test
    const std::string numbers = row.count == 4 ? "[1, 1, 0.5, 2]" : row.count == 3 ? "[1, 2, 3]" : "[1, 2]";
    expect_kept(
        scenario_text("", "[vary]\na = { " + std::string(row.name) + " = " + numbers + " }\n", ""),
        [](const Scenario& s) { return s.vary.at(0).distribution.kind; }, row.value);
  }
}

TEST(Observe, AlsoAddsToWhatIsObserved) {
  const auto standard_of = [](const std::string& observe) {
    return test::parse_scenario(scenario_text("", "", observe)).standard;
  };
  using enum Standard;
  EXPECT_EQ(standard_of("standard = [\"variation\", \"impacts\"]\nalso = [\"impulse\"]\n"),
            (std::vector{impacts, impulse, variation}));
  EXPECT_EQ(standard_of("also = [\"impulse\", \"variation\"]\nstandard = []\n"), (std::vector{impulse, variation}));
  EXPECT_EQ(standard_of("also = [\"impacts\"]\n"), standard_of(""));
}

TEST(Observe, AlsoIsStillANameForAnObservable) {
  const Scenario s = test::parse_scenario(scenario_text("", "", "also = { max = \"x\" }\n"));
  ASSERT_EQ(s.observables.size(), 1u);
  EXPECT_EQ(s.observables[0].name, "also");
}

TEST(Observe, AlsoNamesTheUnknownQuantity) {
  const auto problems = test::find_problems(scenario_text("", "", "also = [\"impuls\"]\n"));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].to_text(),
            "test.toml:13:9: unknown standard quantity 'impuls'; did you mean 'impulse'?\n    also = [\"impuls\"]\n    "
            "        ^^^^^^^^");
}

}  // namespace
}  // namespace conesweep::scenario
