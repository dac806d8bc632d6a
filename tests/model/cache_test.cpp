// Compiled units and the cache they lie in: keyed by everything that matters, safe with several processes, whole or not there, bounded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "executor/executor.hpp"
#include "model/compiler.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

const std::string answer = "extern \"C\" int answer() { return 42; }\n";

class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/conesweep-cache-test-XXXXXX";
    top_ = mkdtemp(name);
    folder_ = top_ / "cache";
    setenv("CONESWEEP_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    for (const char* name : {"CONESWEEP_CACHE", "CONESWEEP_CXX", "CONESWEEP_CXXFLAGS", "CXX", "TMPDIR"}) unsetenv(name);
    fs::remove_all(top_);
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }

  static int ask(const CompiledUnit& unit) { return unit.find<int()>("answer")(); }

  fs::path top_, folder_;
};

TEST_F(Cache, CompilesOnceAndLeavesNothingElse) {
  const CompiledUnit first(answer);
  EXPECT_EQ(ask(first), 42);
  EXPECT_GT(first.compile_seconds(), 0);
  const CompiledUnit second(answer);
  EXPECT_EQ(ask(second), 42);
  EXPECT_EQ(second.compile_seconds(), 0);
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(files()[0].extension(), ".so");
  EXPECT_EQ(second.notice(), "");
}

TEST_F(Cache, KeyHasTextFlagsAndCompiler) {
  CompiledUnit{answer};
  CompiledUnit{answer + "\n"};
  EXPECT_EQ(files().size(), 2u);
  setenv("CONESWEEP_CXXFLAGS", "-O0", 1);
  CompiledUnit{answer};
  EXPECT_EQ(files().size(), 3u);
  unsetenv("CONESWEEP_CXXFLAGS");
  if (find_program("clang++").empty()) GTEST_SKIP() << "clang++ is not here";
  setenv("CONESWEEP_CXX", "clang++", 1);
  CompiledUnit{answer};
  EXPECT_EQ(files().size(), 4u);
}

TEST_F(Cache, CompilesAgainWhatIsNotWhole) {
  CompiledUnit{answer};
  const fs::path object = files().at(0);
  const auto size = fs::file_size(object);
  const auto damage = [&](const std::function<void()>& how, const char* what) {
    how();
    const CompiledUnit again(answer);
    EXPECT_EQ(ask(again), 42) << what;
    EXPECT_GT(again.compile_seconds(), 0) << what;
    EXPECT_EQ(fs::file_size(object), size) << what;
    EXPECT_EQ(files().size(), 1u) << what;
  };
  damage([&] { fs::resize_file(object, size / 2); }, "cut short");
  damage([&] { fs::resize_file(object, size - 1); }, "cut by a byte");
  damage([&] { fs::resize_file(object, 0); }, "empty");
  damage([&] { std::fstream(object, std::ios::in | std::ios::out | std::ios::binary).seekp(4000) << "changed"; }, "changed");
  damage([&] { std::ofstream(object, std::ios::app) << "more"; }, "longer");
  damage([&] { std::ofstream(object) << "not an object at all"; }, "something else");
}

TEST_F(Cache, ServesSeveralProcessesAtOnce) {
  std::vector<pid_t> children;
  for (int k = 0; k < 6; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      int code = 1;
      try {
        code = ask(CompiledUnit(answer)) == 42 ? 0 : 2;
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
      _exit(code);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(files().size(), 1u) << "temporary files are left";
}

TEST_F(Cache, ServesSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int k = 0; k < 4; ++k) threads.emplace_back([&] { right += ask(CompiledUnit(answer)) == 42 ? 1 : 0; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

TEST_F(Cache, FallsBackToAFolderOfOnesOwnAndSaysSo) {
  std::ofstream(top_ / "file") << "x";
  fs::create_directory(top_ / "tmp");
  setenv("CONESWEEP_CACHE", (top_ / "file" / "cache").c_str(), 1);  // nobody can write there, not even root
  setenv("TMPDIR", (top_ / "tmp").c_str(), 1);
  const CompiledUnit unit(answer);
  EXPECT_EQ(ask(unit), 42);
  const fs::path other = top_ / "tmp" / ("conesweep-" + std::to_string(getuid()));
  EXPECT_EQ(unit.notice(), "compiled models are kept in " + other.string() + ": " + (top_ / "file" / "cache").string() + " cannot be written");
  struct stat facts {};
  ASSERT_EQ(stat(other.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  const CompiledUnit again(answer);
  EXPECT_EQ(again.compile_seconds(), 0);
}

TEST_F(Cache, LoadsNothingFromAFolderThatOthersCanWrite) {
  std::ofstream(top_ / "file") << "x";
  fs::create_directories(top_ / "tmp" / ("conesweep-" + std::to_string(getuid())));
  chmod((top_ / "tmp" / ("conesweep-" + std::to_string(getuid()))).c_str(), 0777);
  setenv("CONESWEEP_CACHE", (top_ / "file" / "cache").c_str(), 1);
  setenv("TMPDIR", (top_ / "tmp").c_str(), 1);
  try {
    CompiledUnit{answer};
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_THAT(error.what(), EndsWith("; set CONESWEEP_CACHE to a folder with room"));
  }
}

TEST_F(Cache, StaysBelowItsBound) {
  fs::create_directories(folder_);
  const auto now = fs::file_time_type::clock::now();
  for (int k = 0; k < 10; ++k) {
    const fs::path file = folder_ / (std::to_string(k) + ".so");
    std::ofstream(file) << std::string(1000, 'x');
    fs::last_write_time(file, now - std::chrono::hours(k));  // 0 is the newest
  }
  trim_cache(folder_, 5500);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(fs::exists(folder_ / (std::to_string(k) + ".so")), k < 5) << k;
  trim_cache(folder_, 5500);
  EXPECT_EQ(files().size(), 5u);
  trim_cache(folder_ / "not there");
}

TEST_F(Cache, ARefusalIsOursAndTheSourceIsKept) {
  try {
    CompiledUnit{"this is no C++\n"};
    FAIL();
  } catch (const SystemError& error) {
    const std::string text = error.what();
    EXPECT_THAT(text, HasSubstr("internal error: "));
    EXPECT_THAT(text, HasSubstr("please report it. It said:\n"));
    const std::size_t begin = text.find("(kept in ") + 9;
    std::ifstream kept(text.substr(begin, text.find(")", begin) - begin));
    std::string line;
    EXPECT_TRUE(std::getline(kept, line));
    EXPECT_EQ(line, "this is no C++");
  }
}

const char* const falling = R"toml(title = "fall"
[model]
coordinates = ["x"]
force = ["-9.81"]
[start]
x = "1"
[time]
end = 0.1
step = 0.01
)toml";

TEST_F(Cache, WithoutACompilerAutoTakesTheReferenceAndSaysSo) {
  setenv("CONESWEEP_CXX", "no-such-compiler", 1);
  const auto scenario = test::parse_scenario(falling);
  std::string reason;
  const auto executor = executor::make_executor("auto", scenario, {}, reason);
  if (executor->name() == "cuda") GTEST_SKIP() << "a GPU is here";
  EXPECT_EQ(executor->name(), "reference");
  EXPECT_EQ(reason, "slow, but there is no GPU, and no C++ compiler was found for the cpu executor (CONESWEEP_CXX says 'no-such-compiler'); install g++");
  try {
    executor::make_executor("cpu", scenario, {}, reason);
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_STREQ(error.what(),
                 "no C++ compiler was found for the cpu executor (CONESWEEP_CXX says 'no-such-compiler'); install g++, or use --backend reference");
  }
}

TEST_F(Cache, TheReasonTellsOfAnotherFolder) {
  std::ofstream(top_ / "file") << "x";
  fs::create_directory(top_ / "tmp");
  setenv("CONESWEEP_CACHE", (top_ / "file" / "cache").c_str(), 1);
  setenv("TMPDIR", (top_ / "tmp").c_str(), 1);
  std::string reason;
  executor::make_executor("cpu", test::parse_scenario(falling), {}, reason);
  EXPECT_THAT(reason, HasSubstr("asked for; compiled models are kept in "));
}

TEST_F(Cache, AMemberIsTheSameFromAFreshAndFromAKeptObject) {
  const auto scenario = test::parse_scenario(falling);
  const auto first = test::run_scenario(scenario, "cpu"), second = test::run_scenario(scenario, "cpu");
  EXPECT_EQ(test::column(first, "final.x"), test::column(second, "final.x"));
}

}  // namespace
}  // namespace conesweep::model
