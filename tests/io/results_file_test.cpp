#include <gtest/gtest.h>
#include <hdf5.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>

#include "io/results_file.hpp"
#include "io/results_reader.hpp"
#include "io/version.hpp"
#include "sample_run.hpp"
#include "support/error.hpp"

namespace conesweep::io {
namespace {

/// Reads back through the C interface, by paths.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) { EXPECT_GE(file_, 0); }
  ~Reader() { H5Fclose(file_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  std::vector<hsize_t> shape(const std::string& path) const {
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t space = H5Dget_space(dataset);
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    H5Sclose(space);
    H5Dclose(dataset);
    return extents;
  }

  template <class T>
  std::vector<T> read(const std::string& path, hid_t memory, hid_t stored) const {
    std::size_t count = 1;
    for (const hsize_t extent : shape(path)) count *= extent;
    std::vector<T> values(count);
    const hid_t dataset = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    EXPECT_GT(H5Tequal(type, stored), 0) << path;
    EXPECT_GE(H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << path;
    H5Tclose(type);
    H5Dclose(dataset);
    return values;
  }
  std::vector<double> numbers(const std::string& path) const { return read<double>(path, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE); }

  template <class T>
  T attribute(const char* name, hid_t memory) const {
    T value{};
    const hid_t attribute = H5Aopen(file_, name, H5P_DEFAULT);
    EXPECT_GE(H5Aread(attribute, memory, &value), 0) << name;
    H5Aclose(attribute);
    return value;
  }

  std::vector<std::string> texts(const std::string& object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    std::vector<char*> words(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Aread(attribute, type, words.data()), 0) << name;
    const std::vector<std::string> result(words.begin(), words.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, words.data());
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return result;
  }

  /// Names in a group, as they were created.
  std::vector<std::string> members(const std::string& path) const {
    const hid_t group = H5Gopen2(file_, path.c_str(), H5P_DEFAULT);
    std::vector<std::string> names;
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
      static_cast<std::vector<std::string>*>(data)->push_back(name);
      return 0;
    };
    EXPECT_GE(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, visit, &names), 0);
    H5Gclose(group);
    return names;
  }

 private:
  hid_t file_;
};

/// Equal, where nan equals nan.
void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << "entry " << i << ": " << a[i] << " and " << b[i];
}

using ResultsFile = InFolder;
using Names = std::vector<std::string>;

TEST_F(ResultsFile, HoldsEveryMember) {
  const Results run = make_run();
  write_results(folder / "results.h5", run);
  const Reader file(folder / "results.h5");
  EXPECT_EQ(file.members("/"), (Names{"parameters", "observables", "status", "stop_time", "trajectories"}));
  EXPECT_EQ(file.members("/parameters"), (Names{"alpha", "tau"}));
  EXPECT_EQ(file.members("/observables"), (Names{"reach", "settled", "impacts", "final.x", "final.y", "final.vx", "final.vy"}));
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
  EXPECT_EQ(file.read<std::uint8_t>("/status", H5T_NATIVE_UINT8, H5T_STD_U8LE), (std::vector<std::uint8_t>{0, 0, 2, 0, 0, 1, 0}));
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
  EXPECT_EQ(file.members("/trajectories"), (Names{"time", "member", "x", "y", "vx", "vy", "mode"}));
  expect_same(file.numbers("/trajectories/time"), {0, run.scenario.time(2)});  // nodes 0 and 2 of 3
  EXPECT_EQ(file.read<std::int64_t>("/trajectories/member", H5T_NATIVE_INT64, H5T_STD_I64LE), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(file.shape("/trajectories/vx"), (std::vector<hsize_t>{2, 2}));
  expect_same(file.numbers("/trajectories/vx"), run.outcome.trajectories.columns[2]);
  EXPECT_EQ(file.read<std::uint8_t>("/trajectories/mode", H5T_NATIVE_UINT8, H5T_STD_U8LE), run.outcome.trajectories.mode);
  EXPECT_EQ(file.texts("/trajectories/mode", "names"), (Names{"flight", "slip", "stick"}));
}

TEST_F(ResultsFile, HasNoTrajectoriesWhereNoneAreRecorded) {
  Results run = make_run();
  run.scenario.record.members = 0;
  write_results(folder / "results.h5", run);
  EXPECT_EQ(Reader(folder / "results.h5").members("/"), (Names{"parameters", "observables", "status", "stop_time"}));
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
  EXPECT_EQ(results_bytes(run.scenario), 20'000 * (8 * 10 + 1) + 2 * 2 * (8 * 4 + 1));
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
  EXPECT_EQ(refusal(folder / "file" / "results.h5", make_run()), "cannot write " + (folder / "file" / "results.h5").string() + ": Not a directory");
  EXPECT_EQ(refusal(folder / "none" / "results.h5", make_run()), "cannot write " + (folder / "none" / "results.h5").string() + ": No such file or directory");
}

/// What a program of its own prints that cannot write, and how it ends: HDF5 has the last word when a program exits.
void write_and_exit(const std::filesystem::path& path, const Results& run) {
  std::cerr << refusal(path, run) << "\n";
  std::exit(3);
}

TEST_F(ResultsFile, SaysThatTheDiskIsFull) {
  EXPECT_EXIT(write_and_exit("/dev/full", make_run()), testing::ExitedWithCode(3), "^cannot write /dev/full: No space left on device\n$");
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
    EXPECT_EXIT(write_and_exit(path, run), testing::ExitedWithCode(3), "^cannot write .*results.h5: No space left on device\n$") << size << " bytes";
  }
}

}  // namespace
}  // namespace conesweep::io
