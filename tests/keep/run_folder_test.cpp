#include "keep/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "io/results_file.hpp"
#include "io/sample_run.hpp"
#include "scenario/reading/table.hpp"
#include "support/error.hpp"

namespace conesweep::keep {
namespace {

namespace fs = std::filesystem;
using io::InFolder;
using io::list;
using io::make_run;
using io::message_of;
using io::read_file;
using io::Results;
using io::TinyDisk;
using io::write_file;
using io::write_results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What a run's summary.json is known by.
const std::string summary = "{\"run\": {\"version\": \"0\"}}\n";

LongText text_of(const std::string& text) {
  return [text](const Sink& sink) { sink(text); };
}

/// A table of two columns, of which a scenario reads one.
scenario::Distribution table(const fs::path& file) {
  return {scenario::DistributionKind::table,
          {1, 2, 3, 4, 5, 6, 7},
          file.filename().string() + ":a",
          file.string(),
          scenario::load_table(file).bytes};
}

class RunFolderTest : public InFolder {
 protected:
  RunFolderTest() : out(folder / "runs" / "slider") {}

  void finish_run(bool force = false) {
    RunFolder run_folder(out, force, run.scenario);
    run_folder.finish(run, text_of(summary));
  }

  Results run = make_run();
  fs::path out;  // two levels that are not there
};

TEST_F(RunFolderTest, HoldsAWholeRunInTheEnd) {
  finish_run();
  EXPECT_THAT(list(out), ElementsAre("results.h5", "scenario.toml", "summary.json"));
  EXPECT_EQ(read_file(out / "scenario.toml"), run.scenario_text);
  EXPECT_EQ(read_file(out / "summary.json"), summary);
  write_results(folder / "same.h5", run);
  EXPECT_TRUE(read_file(out / "results.h5") == read_file(folder / "same.h5"));
}

TEST_F(RunFolderTest, TakesAnyFormOfAPath) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  for (const char* path : {"a", "b/", "./c/../d/e", "f//g/"}) {
    RunFolder(path, false, run.scenario).finish(run, text_of(summary));
    EXPECT_TRUE(fs::exists(fs::path(path) / "summary.json")) << path;
  }
  RunFolder(".", false, run.scenario).finish(run, text_of(summary));
  EXPECT_TRUE(fs::exists("summary.json"));
  fs::current_path(before);
}

TEST_F(RunFolderTest, ShowsNothingWhileTheRunGoesOn) {
  const RunFolder run_folder(out, false, run.scenario);
  EXPECT_THAT(list(out), IsEmpty());
}

TEST_F(RunFolderTest, LeavesNothingOfAnInterruptedRun) {
  { const RunFolder run_folder(out, false, run.scenario); }
  EXPECT_THAT(list(folder), IsEmpty());
  { const RunFolder run_folder(folder / "a" / ".." / "b" / "", false, run.scenario); }
  EXPECT_THAT(list(folder), IsEmpty());
}

TEST_F(RunFolderTest, LeavesWhatWasThereBefore) {
  fs::create_directories(out);
  { const RunFolder run_folder(out, false, run.scenario); }
  EXPECT_TRUE(fs::exists(out));

  write_file(out / "notes.txt", "mine");
  { const RunFolder run_folder(out / "deeper" / "still", false, run.scenario); }
  EXPECT_THAT(list(out), ElementsAre("notes.txt"));
}

// ---- what stands there already ----

TEST_F(RunFolderTest, RefusesAFinishedRun) {
  finish_run();
  const std::string before = read_file(out / "results.h5");
  EXPECT_EQ(message_of<InputError>([&] { finish_run(); }),
            out.string() + " holds a finished run; replace it with 'force', or choose another folder with 'out'");
  EXPECT_TRUE(read_file(out / "results.h5") == before);
}

TEST_F(RunFolderTest, RefusesToOverwriteFilesOfARunThatIsNotFinished) {
  finish_run();
  fs::remove(out / "summary.json");
  EXPECT_EQ(message_of<InputError>([&] { finish_run(); }),
            "the run would overwrite results.h5 and scenario.toml in " + out.string() +
                "; allow it with 'force', or choose another folder with 'out'");
  finish_run(true);
  EXPECT_EQ(read_file(out / "summary.json"), summary);
}

TEST_F(RunFolderTest, NeverReplacesWhatNoRunWrote) {
  fs::create_directories(out);
  write_file(folder / "t.csv", "a\n1\n");
  run.scenario.vary[0].distribution = table(folder / "t.csv");
  for (const char* name : {"results.h5", "scenario.toml", "summary.json", "t.csv"}) {
    write_file(out / name, "mine");
    for (const bool force : {false, true})
      EXPECT_EQ(message_of<InputError>([&] { finish_run(force); }),
                "the run would overwrite " + std::string(name) + " in " + out.string() +
                    ", which no run wrote; move it, or choose another folder with 'out'");
    EXPECT_EQ(read_file(out / name), "mine");
    fs::remove(out / name);
  }
  write_file(out / "scenario.toml", "mine");
  write_file(out / "t.csv", "mine");
  EXPECT_THAT(message_of<InputError>([&] { finish_run(true); }),
              HasSubstr("overwrite scenario.toml and t.csv in " + out.string() + ", which no run wrote; move them"));
}

TEST_F(RunFolderTest, LeavesWhatSomebodyPutThereMeanwhile) {
  RunFolder late(out, true, run.scenario);
  write_file(out / "scenario.toml", "mine");
  EXPECT_THAT(message_of<SystemError>([&] { late.finish(run, text_of(summary)); }),
              HasSubstr("would overwrite scenario.toml"));
  EXPECT_EQ(read_file(out / "scenario.toml"), "mine");
}

TEST_F(RunFolderTest, KnowsItsTablesByTheirChecksum) {
  write_file(folder / "t.csv", "a\n1\n");
  run.scenario.vary[0].distribution = table(folder / "t.csv");
  const std::string noted =
      "{\"run\": {\"version\": \"0\", \"tables\": {\"t.csv\": \"" + text_checksum("a\n1\n") + "\"}}}";
  RunFolder(out, false, run.scenario).finish(run, text_of(noted));
  write_file(folder / "t.csv", "a\n2\n");
  run.scenario.vary[0].distribution = table(folder / "t.csv");
  finish_run(true);
  EXPECT_EQ(read_file(out / "t.csv"), "a\n2\n");
  write_file(out / "t.csv", "edited by hand");
  EXPECT_THAT(message_of<InputError>([&] {
                run.scenario.vary[0].distribution.table_bytes = std::make_shared<const std::string>("a\n3\n");
                finish_run(true);
              }),
              HasSubstr("would overwrite t.csv"));
}

TEST_F(RunFolderTest, CopiesTheBytesThatWereReadFirst) {
  write_file(folder / "t.csv", "a\n1\n");
  run.scenario.vary[0].distribution = table(folder / "t.csv");
  write_file(folder / "t.csv", "changed before the folder was made");
  RunFolder late(out, false, run.scenario);
  fs::remove(folder / "t.csv");
  late.finish(run, text_of(summary));
  EXPECT_EQ(read_file(out / "t.csv"), "a\n1\n");
}

TEST_F(RunFolderTest, ReplacesAFinishedRunWhenForced) {
  finish_run();
  write_file(out / "report.html", "<!doctype html><meta name=\"generator\" content=\"conesweep 0.1\">");
  write_file(out / "notes.txt", "mine");
  run.scenario_text = scenario_mark + std::string("title = \"another\"\n");
  finish_run(true);
  // the report told of the old run
  EXPECT_THAT(list(out), ElementsAre("notes.txt", "results.h5", "scenario.toml", "summary.json"));
  EXPECT_EQ(read_file(out / "scenario.toml"), run.scenario_text);
  write_results(folder / "same.h5", run);
  EXPECT_TRUE(read_file(out / "results.h5") == read_file(folder / "same.h5"));
}

TEST_F(RunFolderTest, LeavesAReportThatIsNotOurs) {
  finish_run();
  write_file(out / "report.html", "<!doctype html>mine");
  RunFolder again(out, true, run.scenario);
  again.finish(run, text_of(summary));
  EXPECT_TRUE(again.has_foreign_report());
  EXPECT_EQ(read_file(out / "report.html"), "<!doctype html>mine");
}

TEST_F(RunFolderTest, KeepsTheOldRunWhenAForcedOneIsInterrupted) {
  finish_run();
  write_file(out / "report.html", "old");
  const auto before = list(out);
  {
    const RunFolder run_folder(out, true, run.scenario);
    EXPECT_EQ(list(out), before);
  }
  EXPECT_EQ(list(out), before);
  EXPECT_EQ(read_file(out / "report.html"), "old");
}

TEST_F(RunFolderTest, LeavesAFinishedRunWhereAFolderIsInTheWay) {
  finish_run();
  RunFolder again(out, true, run.scenario);
  fs::remove(out / "scenario.toml");
  fs::create_directory(out / "scenario.toml");
  write_file(out / "scenario.toml" / "x", "");
  const std::string before = read_file(out / "results.h5");
  EXPECT_THAT(message_of<SystemError>([&] { again.finish(run, text_of(summary)); }),
              HasSubstr("would overwrite scenario.toml in " + out.string() + ", which no run wrote"));
  EXPECT_TRUE(read_file(out / "results.h5") == before);
  EXPECT_TRUE(fs::exists(out / "summary.json"));
}

TEST_F(RunFolderTest, LeavesARunAloneThatFinishedMeanwhile) {
  RunFolder late(out, false, run.scenario);
  finish_run();
  EXPECT_EQ(message_of<SystemError>([&] { late.finish(run, text_of("{\"late\": true}")); }),
            "another run has finished in " + out.string() + " meanwhile; its files are left as they are");
  EXPECT_EQ(read_file(out / "summary.json"), summary);
}

// ---- what the system refuses, before anything is computed ----

TEST_F(RunFolderTest, SaysThatTheFolderIsAFile) {
  write_file(folder / "file", "mine");
  EXPECT_EQ(message_of<SystemError>([&] { RunFolder(folder / "file", true, run.scenario); }),
            "cannot write into " + (folder / "file").string() + ": it is a file; choose another folder with 'out'");
  EXPECT_EQ(read_file(folder / "file"), "mine");
}

TEST_F(RunFolderTest, SaysThatTheFolderCannotBeMade) {
  write_file(folder / "file", "");
  EXPECT_EQ(message_of<SystemError>([&] { RunFolder(folder / "file" / "a" / "b", false, run.scenario); }),
            "cannot make " + (folder / "file" / "a" / "b").string() + ": Not a directory");
  EXPECT_THAT(message_of<SystemError>([&] { RunFolder("/proc/conesweep/run", false, run.scenario); }),
              HasSubstr("cannot make /proc/conesweep/run: "));
}

TEST_F(RunFolderTest, SaysThatTheFolderCannotBeWritten) {
  // no rights bind root; but nobody makes files in /proc
  EXPECT_THAT(message_of<SystemError>([&] { RunFolder("/proc/self", false, run.scenario); }),
              HasSubstr("cannot write /proc/self/"));
}

TEST_F(RunFolderTest, SaysHowMuchRoomIsMissing) {
  run.scenario.ensemble.members = std::int64_t{1} << 52;
  EXPECT_THAT(message_of<SystemError>([&] { RunFolder(out, false, run.scenario); }),
              testing::AllOf(HasSubstr(out.string() + " will need about 3.65e+05 TB, but only "),
                             HasSubstr(" are free there; make room")));
  EXPECT_THAT(list(folder), IsEmpty());
}

TEST_F(RunFolderTest, SaysThatTheDiskIsFull) {
  const TinyDisk full(folder / "full", 4096);
  if (!full.is_there()) GTEST_SKIP() << full.why_not();
  write_file(full.path() / "ballast", std::string(4096, 'x'));
  EXPECT_THAT(message_of<SystemError>([&] { RunFolder(full.path(), false, run.scenario); }),
              HasSubstr("but only 0 bytes are free there"));
}

TEST_F(RunFolderTest, KeepsTheOldRunWhenTheDiskIsFullInTheEnd) {
  const TinyDisk disk(folder / "disk", 256 * 1024);
  if (!disk.is_there()) GTEST_SKIP() << disk.why_not();
  out = disk.path();
  finish_run();
  const auto before = list(out);
  const std::string results = read_file(out / "results.h5");
  {
    RunFolder run_folder(out, true, run.scenario);
    const std::string long_summary(256 * 1024, ' ');
    EXPECT_THAT(message_of<SystemError>([&] { run_folder.finish(run, text_of(long_summary)); }),
                HasSubstr("No space left on device"));
  }
  EXPECT_EQ(list(out), before);
  EXPECT_TRUE(read_file(out / "results.h5") == results);
}

// ---- tables ----

TEST_F(RunFolderTest, KeepsTheTablesAsTheyWereRead) {
  write_file(folder / "t.csv", "a,b\r\n1,2\r\n");
  run.scenario.vary[0].distribution = table(folder / "t.csv");
  fs::create_directory(folder / "runs");
  run.scenario.vary[1].distribution = table(folder / "runs" / ".." / "t.csv");
  RunFolder run_folder(out, false, run.scenario);
  write_file(folder / "t.csv", "changed while the run went on");
  run_folder.finish(run, text_of(summary));
  EXPECT_THAT(list(out), ElementsAre("results.h5", "scenario.toml", "summary.json", "t.csv"));
  EXPECT_EQ(read_file(out / "t.csv"), "a,b\r\n1,2\r\n");
}

TEST_F(RunFolderTest, GivesTwoTablesOfOneNameTwoNames) {
  for (const char* place : {"one", "two", "three"}) {
    fs::create_directory(folder / place);
    write_file(folder / place / "t.csv", place);
  }
  auto& vary = run.scenario.vary;
  vary.resize(5, vary[0]);
  vary[0].distribution = table(folder / "one" / "t.csv");
  vary[2].distribution = table(folder / "two" / "t.csv");
  vary[3].distribution = table(folder / "one" / "t.csv");
  vary[4].distribution = table(folder / "three" / "t.csv");
  run.parameters.resize(5, run.parameters[0]);
  run.scenario.names.parameters = {"p0", "p1", "p2", "p3", "p4"};
  for (int v = 0; v < 5; ++v) vary[static_cast<std::size_t>(v)].parameter = v;

  EXPECT_EQ(table_name_in_folder(run.scenario, 0), "t.csv");
  EXPECT_EQ(table_name_in_folder(run.scenario, 1), "");
  EXPECT_EQ(table_name_in_folder(run.scenario, 2), "t-2.csv");
  EXPECT_EQ(table_name_in_folder(run.scenario, 3), "t.csv");
  EXPECT_EQ(table_name_in_folder(run.scenario, 4), "t-3.csv");
  finish_run();
  EXPECT_EQ(read_file(out / "t.csv"), "one");
  EXPECT_EQ(read_file(out / "t-2.csv"), "two");
  EXPECT_EQ(read_file(out / "t-3.csv"), "three");
}

TEST_F(RunFolderTest, NeverLetsATableTakeTheNameOfAResult) {
  write_file(folder / "summary.json", "a\n1\n");
  run.scenario.vary[0].distribution = table(folder / "summary.json");
  EXPECT_EQ(table_name_in_folder(run.scenario, 0), "summary-2.json");
}

TEST_F(RunFolderTest, RunsAgainFromItsOwnFolder) {
  write_file(folder / "t.csv", "a\n1\n");
  run.scenario.vary[0].distribution = table(folder / "t.csv");
  finish_run();
  run.scenario.vary[0].distribution = table(out / "t.csv");
  finish_run(true);
  EXPECT_EQ(read_file(out / "t.csv"), "a\n1\n");
}

}  // namespace
}  // namespace conesweep::keep
