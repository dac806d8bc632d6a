#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "hdf5_view.hpp"
#include "io/results_file.hpp"
#include "io/results_reader.hpp"
#include "io/seal.hpp"
#include "io/version.hpp"
#include "sample_run.hpp"
#include "support/error.hpp"

namespace conesweep::io {
namespace {

/// Equal, where nan equals nan.
void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
        << "entry " << i << ": " << a[i] << " and " << b[i];
}

using ResultsFile = InFolder;
using Names = std::vector<std::string>;

TEST_F(ResultsFile, HoldsEveryMember) {
  const Results run = make_run();
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  EXPECT_EQ(file.members("/"), (Names{"member", "parameters", "observables", "status", "stop_time", "trajectories"}));
  EXPECT_EQ(file.members("/parameters"), (Names{"alpha", "tau"}));
  EXPECT_EQ(file.members("/observables"),
            (Names{"reach", "settled", "impacts", "final.x", "final.y", "final.vx", "final.vy"}));
  EXPECT_EQ(file.shape("/observables/reach"), std::vector<hsize_t>{7});
  expect_same(file.numbers("/parameters/alpha"), run.parameters[0]);
  expect_same(file.numbers("/parameters/tau"), run.parameters[1]);
  expect_same(file.numbers("/observables/settled"), run.outcome.observables[1]);
  expect_same(file.numbers("/observables/final.vy"), run.outcome.observables[6]);
  expect_same(file.numbers("/stop_time"), run.outcome.stop_time);
}

TEST_F(ResultsFile, NamesItsStatuses) {
  write_results(folder / "results.h5", make_run());
  const Reader file(folder / "results.h5");
  EXPECT_EQ(file.read<std::uint8_t>("/status", H5T_NATIVE_UINT8, H5T_STD_U8LE),
            (std::vector<std::uint8_t>{0, 0, 2, 0, 0, 1, 0}));
  const Names names = file.texts("/status", "names");
  ASSERT_EQ(names.size(), static_cast<std::size_t>(executor::status_count));
  EXPECT_EQ(names[0], "ok");
  EXPECT_EQ(names[1], "non_finite");
  EXPECT_EQ(names[2], "bad_angle");
}

TEST_F(ResultsFile, HoldsTrajectoriesMemberByTime) {
  const Results run = make_run();
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  EXPECT_EQ(file.members("/trajectories"), (Names{"time", "recorded", "member", "x", "y", "vx", "vy", "mode"}));
  expect_same(file.numbers("/trajectories/time"), {0, run.scenario.time(2)});  // nodes 0 and 2 of 3
  EXPECT_EQ(file.read<std::int64_t>("/trajectories/member", H5T_NATIVE_INT64, H5T_STD_I64LE),
            (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(file.shape("/trajectories/vx"), (std::vector<hsize_t>{2, 2}));
  expect_same(file.numbers("/trajectories/vx"), run.outcome.trajectories.columns[2]);
  EXPECT_EQ(file.read<std::uint8_t>("/trajectories/mode", H5T_NATIVE_UINT8, H5T_STD_U8LE),
            run.outcome.trajectories.mode);
  EXPECT_EQ(file.texts("/trajectories/mode", "names"), (Names{"flight", "slip", "stick"}));
}

TEST_F(ResultsFile, NamesTheAxesOfEveryDataset) {
  Results run = make_run();
  run.scenario.classes = {{"far", {}}, {"near", {}}};
  run.classes.assign(7, 0);
  run.scenario.contacts.resize(2);  // so that members have flags
  run.outcome.residual.assign(7, 0.5);
  run.outcome.flags.assign(7, 1);
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  std::size_t over_members = 0;
  for (const std::string& path : file.datasets()) {
    if (file.is_axis(path)) continue;
    const bool tracks = path.starts_with("trajectories/");
    const std::string first = tracks ? "/trajectories/recorded" : "/member";
    EXPECT_EQ(file.axis(path, 0), first) << path;
    EXPECT_TRUE(file.is_attached(path, first, 0)) << path;
    if (file.shape(path).size() < 2) {
      over_members += tracks ? 0 : 1;
      continue;
    }
    EXPECT_EQ(file.axis(path, 1), "/trajectories/time") << path;
    EXPECT_TRUE(file.is_attached(path, "/trajectories/time", 1)) << path;
  }
  EXPECT_EQ(over_members, 2u + 7u + 5u);  // parameters, observables, status, stop_time, residual, flags, class
  EXPECT_EQ(file.axis("/trajectories/member", 0), "/trajectories/recorded");
  EXPECT_EQ(file.texts("/trajectories/x", "coordinates"), Names{"member"});
}

// ten million members cost no byte more, in memory or on disk
TEST_F(ResultsFile, HasAxesWithoutNumbersThatTakeNoRoom) {
  write_results(folder / "results.h5", make_run());
  const Reader file(folder / "results.h5");
  EXPECT_TRUE(file.is_axis("/member") && file.is_axis("/trajectories/recorded") && file.is_axis("/trajectories/time"));
  EXPECT_EQ(file.shape("/member"), std::vector<hsize_t>{7});
  EXPECT_EQ(file.shape("/trajectories/recorded"), std::vector<hsize_t>{2});
  EXPECT_EQ(file.bytes("/member"), 0u);
  EXPECT_EQ(file.bytes("/trajectories/recorded"), 0u);
  EXPECT_GT(file.bytes("/trajectories/time"), 0u);
}

TEST_F(ResultsFile, HasTheValuesOfGridsAndSweepsAsAxes) {
  Results run = make_run();
  auto& s = run.scenario;
  s.ensemble.sampler = scenario::Sampler::grid;
  s.vary.resize(1);
  s.vary[0].levels = 3;
  s.sweep = {{1, {0.5, 0.75}, false, {}}};
  s.ensemble.members = 6;
  const auto cut = [](auto& column) { column.resize(6); };
  for (auto& column : run.parameters) cut(column);
  for (auto& column : run.outcome.observables) cut(column);
  cut(run.outcome.status), cut(run.outcome.stop_time);
  s.units = {{"tau", "s"}};
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  EXPECT_TRUE(file.is_axis("/grid/alpha") && file.is_axis("/sweep/tau"));
  expect_same(file.numbers("/grid/alpha"), {0.11, 0.12, 0.13});
  expect_same(file.numbers("/sweep/tau"), {0.5, 0.75});
  EXPECT_EQ(file.texts("/sweep/tau", "units"), Names{"s"});
}

TEST_F(ResultsFile, SaysOfEveryDatasetWhatItIsAndInWhichUnit) {
  Results run = make_run();
  auto& s = run.scenario;
  s.observables[0].formula.text = "x";
  s.observables[1].formula.text = "abs(vx) > 1e-6";
  s.units = {{"t", "s"}, {"x", "m"}, {"vx", "m/s"}, {"alpha", "rad"}};
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  for (const std::string& path : file.datasets()) {
    EXPECT_FALSE(file.texts(path, "long_name").at(0).empty()) << path;
    EXPECT_FALSE(file.texts(path, "units").at(0).empty()) << path;
  }
  const auto label = [&](const std::string& path) {
    return file.texts(path, "long_name").at(0) + " [" + file.texts(path, "units").at(0) + "]";
  };
  EXPECT_EQ(label("/parameters/alpha"), "parameter alpha [rad]");
  EXPECT_EQ(label("/parameters/tau"), "parameter tau [1]");
  EXPECT_EQ(label("/observables/reach"), "max of x [m]");
  EXPECT_EQ(label("/observables/settled"), "last time at which abs(vx) > 1e-6 [s]");
  EXPECT_EQ(label("/observables/impacts"), "number of impacts [1]");
  EXPECT_EQ(label("/observables/final.vx"), "vx at the end [m/s]");
  EXPECT_EQ(label("/stop_time"), "time at which the member stopped [s]");
  EXPECT_EQ(label("/trajectories/time"), "time [s]");
  EXPECT_EQ(label("/trajectories/x"), "coordinate x [m]");
  EXPECT_EQ(label("/trajectories/vx"), "velocity vx [m/s]");
}

// HDF5 alone would take a time, and leave holes in the file, that grow with the square of the columns
TEST_F(ResultsFile, TakesThousandsOfColumns) {
  Results run = make_run();
  auto& s = run.scenario;
  s.vary.clear();
  run.parameters.clear();
  s.names.parameters.clear();
  for (int p = 0; p < 4200; ++p) {
    s.names.parameters.push_back("p" + std::to_string(p));
    s.vary.push_back({p, {scenario::DistributionKind::uniform, {0, 1}, {}, {}}, 0, {}});
    run.parameters.emplace_back(7, p + 0.5);
  }
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  for (const char* name : {"/parameters/p0", "/parameters/p999", "/parameters/p4199", "/observables/reach", "/status"})
    EXPECT_TRUE(file.is_attached(name, "/member", 0)) << name;
  const auto bytes = static_cast<double>(std::filesystem::file_size(folder / "results.h5"));
  EXPECT_NEAR(static_cast<double>(results_bytes(run.scenario)) / bytes, 1, 0.05);
  EXPECT_EQ(ResultsReader(folder / "results.h5").parameters().size(), 4200u);
}

// many programs look for HDF5's mark nowhere else
TEST_F(ResultsFile, BeginsAsAnHdf5FileDoes) {
  write_results(folder / "results.h5", make_run());
  EXPECT_TRUE(read_file(folder / "results.h5").starts_with("\x89HDF\r\n\x1a\n"));
}

TEST_F(ResultsFile, IsReadInStretches) {
  const Results run = make_run();
  write_results(folder / "results.h5", run);
  const ResultsReader reader(folder / "results.h5");
  EXPECT_EQ(reader.length("status"), 7);
  EXPECT_EQ(reader.numbers("parameters/alpha", {2, 3}), (std::vector<double>{0.13, 0.14, 0.15}));
  EXPECT_EQ(reader.codes("status", {2, 4}), (std::vector<std::uint8_t>{2, 0, 0, 1}));
  EXPECT_EQ(reader.whole_numbers("trajectories/member", {1, 1}), std::vector<std::int64_t>{1});
  EXPECT_EQ(reader.numbers("trajectories/vx", {1, 1}), (std::vector<double>{2.3, 2.4}));
  EXPECT_EQ(reader.tracks(), (Names{"x", "y", "vx", "vy"}));
  EXPECT_EQ(reader.names("status").at(2), "bad_angle");
  EXPECT_TRUE(reader.has("trajectories") && !reader.has("class"));
  EXPECT_THROW(reader.numbers("parameters/alpha", {5, 3}), SystemError);
  EXPECT_THROW(reader.numbers("parameters/beta", {0, 1}), SystemError);
}

// results_0_1.h5 was written before there were axes and units, with its seal in the first bytes
TEST_F(ResultsFile, OfBeforeAxesIsReadAsEver) {
  const std::filesystem::path old = CONESWEEP_TESTS_IO "/results_0_1.h5";
  const Results run = make_run();
  const ResultsReader reader(old);
  EXPECT_EQ(reader.identity(), "0123456789abcdef");
  EXPECT_EQ(reader.parameters(), (Names{"alpha", "tau"}));
  expect_same(reader.observable("settled"), run.outcome.observables[1]);
  EXPECT_EQ(reader.status(), run.outcome.status);
  const auto recorded = reader.recorded(64);
  EXPECT_EQ(recorded.members, 2u);
  EXPECT_EQ(recorded.names, (Names{"x", "y", "vx", "vy"}));
  EXPECT_EQ(recorded.columns, run.outcome.trajectories.columns);
  EXPECT_TRUE(has_seal(old));

  // and what is damaged in it is still found
  std::string bytes = read_file(old);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file(folder / "damaged.h5", bytes);
  EXPECT_THROW(ResultsReader{folder / "damaged.h5"}, SystemError);
}

TEST_F(ResultsFile, HasNoTrajectoriesWhereNoneAreRecorded) {
  Results run = make_run();
  run.scenario.record.members = 0;
  write_results(folder / "results.h5", run);
  EXPECT_EQ(Reader(folder / "results.h5").members("/"),
            (Names{"member", "parameters", "observables", "status", "stop_time"}));
}

TEST_F(ResultsFile, HasEmptyParametersWhereNothingVaries) {
  Results run = make_run();
  run.scenario.vary.clear();
  run.parameters.clear();
  write_results(folder / "results.h5", run);
  EXPECT_TRUE(Reader(folder / "results.h5").members("/parameters").empty());
}

TEST_F(ResultsFile, SaysWhereItComesFrom) {
  const Results run = make_run();
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  EXPECT_EQ(file.texts("/", "scenario"), Names{run.scenario_text});
  EXPECT_EQ(file.texts("/", "version"), Names{version()});
  EXPECT_EQ(file.texts("/", "backend"), Names{"reference"});
  EXPECT_EQ(file.texts("/", "device"), Names{"one core"});
  EXPECT_EQ(file.texts("/", "precision"), Names{"double"});
  EXPECT_EQ(file.attribute<std::uint64_t>("seed", H5T_NATIVE_UINT64), 0xfedcba9876543210);
  EXPECT_EQ(file.attribute<double>("step", H5T_NATIVE_DOUBLE), 0.1);
}

TEST_F(ResultsFile, TakesAScenarioOfAnyLength) {
  for (const std::size_t length : {0u, 65'535u, 65'536u, 200'000u, 3'000'000u}) {
    Results run = make_run();
    run.scenario_text.clear();
    for (std::size_t i = 0; i < length; ++i) run.scenario_text += static_cast<char>('a' + i % 23);
    write_results(folder / "results.h5", run);
    EXPECT_EQ(Reader(folder / "results.h5").texts("/", "scenario"), Names{run.scenario_text}) << length << " bytes";
  }
}

TEST_F(ResultsFile, HasEqualBytesForEqualResults) {
  Results run = make_run();
  run.scenario_text.assign(200'000, 'x');
  write_results(folder / "a.h5", run);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // object times have whole seconds
  {
    // the heap of another moment
    const std::vector<std::string> dirt(1000, std::string(5000, '?'));
    write_results(folder / "b.h5", run);
  }
  EXPECT_TRUE(read_file(folder / "a.h5") == read_file(folder / "b.h5")) << "the files differ";

  run.outcome.observables[0][6] = std::nextafter(run.outcome.observables[0][6], 100.0);
  write_results(folder / "c.h5", run);
  EXPECT_FALSE(read_file(folder / "a.h5") == read_file(folder / "c.h5")) << "one bit more is not seen";
}

TEST_F(ResultsFile, BecomesAboutAsLargeAsExpected) {
  Results run = make_run();
  const std::size_t members = 20'000;
  run.scenario.ensemble.members = static_cast<std::int64_t>(members);
  for (auto& column : run.parameters) column.resize(members);
  for (auto& column : run.outcome.observables) column.resize(members);
  run.outcome.status.resize(members);
  run.outcome.stop_time.resize(members);
  write_results(folder / "results.h5", run);
  const auto expected = static_cast<double>(results_bytes(run.scenario));
  EXPECT_EQ(member_bytes(run.scenario), 8 * 10 + 1);
  EXPECT_NEAR(static_cast<double>(std::filesystem::file_size(folder / "results.h5")) / expected, 1, 0.02);
}

// Each bit of the file is covered by the seal, and each value by the checksums that every reader of HDF5 looks at.
TEST_F(ResultsFile, IsRefusedWithAnyBitFlipped) {
  Results run = make_run();
  run.identity = "0123456789abcdef";
  const auto path = folder / "results.h5";
  write_results(path, run);
  const std::string whole = read_file(path);
  EXPECT_EQ(ResultsReader(path).identity(), run.identity);
  EXPECT_EQ(ResultsReader(path).observable("reach").size(), 7u);
  const std::size_t flips = std::getenv("CONESWEEP_ALL") != nullptr ? 8 * whole.size() : 500;
  for (std::size_t k = 0; k < flips; ++k) {
    const std::size_t bit = k * (8 * whole.size() / flips);
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    write_file(path, bytes);
    EXPECT_THROW(ResultsReader{path}, SystemError) << "bit " << bit << " of " << 8 * whole.size();
  }
  write_file(path, whole.substr(0, whole.size() - 1));
  EXPECT_THROW(ResultsReader{path}, SystemError);
  write_file(path, whole + "x");
  EXPECT_THROW(ResultsReader{path}, SystemError);
}

std::string refusal(const std::filesystem::path& path, const Results& run) {
  try {
    write_results(path, run);
  } catch (const SystemError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(ResultsFile, SaysWhatTheSystemSays) {
  write_file(folder / "file", "");
  EXPECT_EQ(refusal(folder / "file" / "results.h5", make_run()),
            "cannot write " + (folder / "file" / "results.h5").string() + ": Not a directory");
  EXPECT_EQ(refusal(folder / "none" / "results.h5", make_run()),
            "cannot write " + (folder / "none" / "results.h5").string() + ": No such file or directory");
}

/// What a program of its own prints that cannot write, and how it ends: HDF5 has the last word when a program exits.
void write_and_exit(const std::filesystem::path& path, const Results& run) {
  std::cerr << refusal(path, run) << "\n";
  std::exit(3);
}

TEST_F(ResultsFile, SaysThatTheDiskIsFull) {
  EXPECT_EXIT(write_and_exit("/dev/full", make_run()), testing::ExitedWithCode(3),
              "^cannot write /dev/full: No space left on device\n$");
}

TEST_F(ResultsFile, SaysThatTheDiskIsFullAtAnyStage) {
  Results run = make_run();
  run.scenario_text.assign(100'000, 'x');
  write_results(folder / "results.h5", run);
  const auto whole = std::filesystem::file_size(folder / "results.h5");
  for (std::uintmax_t size = 4096; size < whole; size += 4096) {
    const TinyDisk disk(folder / "disk", size);
    if (!disk.is_there()) GTEST_SKIP() << disk.why_not();
    const auto path = disk.path() / "results.h5";
    EXPECT_EXIT(write_and_exit(path, run), testing::ExitedWithCode(3),
                "^cannot write .*results.h5: No space left on device\n$")
        << size << " bytes";
  }
}

}  // namespace
}  // namespace conesweep::io
