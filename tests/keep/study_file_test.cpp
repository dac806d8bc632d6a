// Studies of the step in a run's folder: whose they are, and of what.
#include "keep/study_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/sample_run.hpp"
#include "keep/identity.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"
#include "tell/study_curves.hpp"

namespace conesweep::keep {
namespace {

namespace fs = std::filesystem;
using io::list;
using io::message_of;
using io::read_file;
using io::write_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string text =
    "title = \"a\"\n[model]\ncoordinates = [\"x\"]\nforce = [\"-k*x\"]\n[model.parameters]\nk = 1\n[start]\nx = "
    "\"1\"\n[time]\nend = 1\nstep = 0.1\n"
    "[ensemble]\nmembers = 3000\n[vary]\nk = { uniform = [1, 2] }\n[observe]\nreach = { max = \"x\" }\n";

std::string changed(const std::string& from, const std::string& to) {
  std::string other = text;
  return other.replace(other.find(from), from.size(), to);
}

std::string study_of(const scenario::Scenario& scenario, const std::string& study = "mlmc",
                     const std::string& numbers = "\"levels\": []") {
  return "{\"study\": \"" + study + "\", \"problem\": \"" + identify_problem(scenario) + "\", " + numbers + "}\n";
}

class StudyFiles : public io::InFolder {
 protected:
  fs::path out = folder / "runs" / "a";  // two levels that are not there
};

TEST(Faults, AreTheSameWhateverIsDrawnAndAtWhichStep) {
  const auto same = identify_problem(test::parse_scenario(text));
  for (const auto& [from, to] : {std::pair("title = \"a\"", "title = \"b\""),
                                 {"step = 0.1", "step = 0.05"},
                                 {"members = 3000", "members = 7\nseed = 9\nsampler = \"sobol\""},
                                 {"members = 3000", "sampler = \"grid\"\nlevels = { k = 4 }"},
                                 {"[observe]", "[record]\nmembers = 3\n[units]\nx = \"m\"\n[observe]"}})
    EXPECT_EQ(identify_problem(test::parse_scenario(changed(from, to))), same) << to;
  for (const auto& [from, to] : {std::pair("end = 1", "end = 2"),
                                 {"k = 1\n", "k = 1\nc = 2\n"},
                                 {"[1, 2]", "[1, 3]"},
                                 {"max = \"x\"", "min = \"x\""},
                                 {"-k*x", "-k*x + 1"}})
    EXPECT_NE(identify_problem(test::parse_scenario(changed(from, to))), same) << to;
}

// a run keeps its scenario as it was resolved, and that is the same problem
TEST(Faults, AreThoseOfTheResolvedScenario) {
  int samples = 0;
  for (const auto& entry : fs::directory_iterator(CONESWEEP_SAMPLES)) {
    if (entry.path().extension() != ".toml") continue;
    const auto scenario = test::parse_scenario(read_file(entry.path()));
    EXPECT_EQ(identify_problem(test::parse_scenario(resolved_text(scenario))), identify_problem(scenario))
        << entry.path();
    ++samples;
  }
  EXPECT_GT(samples, 30);
}

TEST_F(StudyFiles, StandWhereTheyWereAskedFor) {
  const auto scenario = test::parse_scenario(text);
  {
    StudyFile file(out, mlmc_name, false);
    file.write(study_of(scenario));
  }
  EXPECT_THAT(list(out), ElementsAre("mlmc.json"));
  EXPECT_TRUE(is_of_a_run(out, mlmc_name));
  EXPECT_EQ(find_study(out, mlmc_name, scenario).json, study_of(scenario));
  EXPECT_EQ(find_study(out, converge_name, scenario).json, "");
  EXPECT_EQ(find_study(out, converge_name, scenario).refused, "");
  const FoundStudy other = find_study(out, mlmc_name, test::parse_scenario(changed("[1, 2]", "[1, 3]")));
  EXPECT_EQ(other.json, "");
  EXPECT_THAT(other.refused, HasSubstr("mlmc.json is of another scenario than this run"));
}

TEST_F(StudyFiles, ThatAreNotWrittenLeaveNothing) {
  { const StudyFile file(out, mlmc_name, false); }
  EXPECT_THAT(list(folder), IsEmpty());
}

TEST_F(StudyFiles, ReplaceTheirLikeWhenAskedToAndNothingElse) {
  const auto scenario = test::parse_scenario(text);
  StudyFile(out, mlmc_name, false).write(study_of(scenario));
  EXPECT_THAT(message_of<InputError>([&] { StudyFile(out, mlmc_name, false); }),
              HasSubstr("mlmc.json is there; replace it with 'force'"));
  StudyFile(out, mlmc_name, true).write(study_of(scenario) + " ");
  EXPECT_EQ(read_file(out / mlmc_name), study_of(scenario) + " ");
  for (const char* foreign : {"mine", "{}", "[1]", "{\"study\": \"converge\", \"problem\": \"1\"}",
                              "{\"study\": \"mlmc\", \"problem\": 1}"}) {
    write_file(out / mlmc_name, foreign);
    EXPECT_THAT(message_of<InputError>([&] { StudyFile(out, mlmc_name, true); }),
                HasSubstr("is no study of conesweep; move it"))
        << foreign;
    EXPECT_EQ(read_file(out / mlmc_name), foreign);
    EXPECT_THAT(find_study(out, mlmc_name, scenario).refused, HasSubstr("mlmc.json is no file of conesweep mlmc"))
        << foreign;
  }
  EXPECT_THAT(list(out), ElementsAre("mlmc.json"));
}

TEST_F(StudyFiles, AreRefusedWhereTheFolderIsAFile) {
  write_file(folder / "a", "mine");
  EXPECT_THAT(message_of<SystemError>([&] { StudyFile(folder / "a", mlmc_name, true); }),
              HasSubstr("it is a file; choose another folder with 'out'"));
  EXPECT_EQ(read_file(folder / "a"), "mine");
}

TEST_F(StudyFiles, AreReadAsNumbersOverTheStep) {
  const auto scenario = test::parse_scenario(text);
  EXPECT_THAT(tell::read_convergence(out, scenario), IsEmpty());
  EXPECT_THAT(tell::read_levels(out, scenario), IsEmpty());
  StudyFile(out, converge_name, false)
      .write(study_of(scenario, "converge",
                      R"("levels": [{"step": 0.4}, {"step": 0.2}, {"step": 0.1}],
                         "observables": {"still": {"mean": {"differences": [0, 0]}}, "reach": {"mean": {"differences": [-0.5, null]}}})"));
  const auto changes = tell::read_convergence(out, scenario);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].name, "reach");
  EXPECT_THAT(changes[0].steps, ElementsAre(0.4, 0.2));
  EXPECT_EQ(changes[0].values[0], 0.5);
  EXPECT_TRUE(std::isnan(changes[0].values[1]));

  StudyFile(out, mlmc_name, false)
      .write(study_of(
          scenario, "mlmc",
          R"("levels": [{"step": 0.4, "members": 90, "mean": 2, "variance": 3}, {"step": 0.2, "members": 10, "mean": -0.5, "variance": 1}])"));
  const auto levels = tell::read_levels(out, scenario);
  ASSERT_EQ(levels.size(), 3U);
  for (const auto& curve : levels) EXPECT_THAT(curve.steps, ElementsAre(0.4, 0.2));
  EXPECT_EQ(levels[1].name, "mean");
  EXPECT_THAT(levels[0].values, ElementsAre(90, 10));
  EXPECT_THAT(levels[1].values, ElementsAre(2, 0.5));
  EXPECT_THAT(levels[2].values, ElementsAre(3, 1));

  EXPECT_THAT(tell::read_levels(out, test::parse_scenario(changed("[1, 2]", "[1, 3]"))), IsEmpty());
  StudyFile(out, mlmc_name, true).write(study_of(scenario));
  EXPECT_THAT(message_of<InputError>([&] { tell::read_levels(out, scenario); }),
              HasSubstr("mlmc.json has no levels; move it away"));
}

}  // namespace
}  // namespace conesweep::keep
