// Compiled units and the cache they lie in: keyed by everything that matters, safe with several processes, whole or not
// there, bounded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cached.hpp"
#include "executor/executor.hpp"
#include "model/compiler.hpp"
#include "model/sealed_file.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;
using namespace cached;
using cached::Cache;  // and not the one that is tested
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
  damage([&] { std::fstream(object, std::ios::in | std::ios::out | std::ios::binary).seekp(4000) << "changed"; },
         "changed");
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

TEST_F(Cache, SealsTellEveryFlippedBit) {
  fs::create_directories(folder_);
  const Descriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
  const std::string name(32, 'b'), content = "ld.param.f64 %fd1, [state];\n";
  ASSERT_TRUE(write_sealed(folder.number(), folder.number(), name + ".ptx", content));
  EXPECT_EQ(read_sealed(folder.number(), name + ".ptx"), content);
  std::ifstream in(folder_ / (name + ".ptx"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    std::ofstream(folder_ / (name + ".ptx"), std::ios::binary) << changed;
    EXPECT_FALSE(read_sealed(folder.number(), name + ".ptx")) << bit;
  }
  // nor is one entry another's
  std::ofstream(folder_ / "other.ptx", std::ios::binary) << bytes;
  chmod((folder_ / "other.ptx").c_str(), 0600);
  EXPECT_FALSE(read_sealed(folder.number(), "other.ptx"));
}

TEST_F(Cache, ObjectsThatComeAndGoAreNotMistakenForEachOther) {
  setenv("CONESWEEP_CXXFLAGS", "-Wl,-z,nodelete", 1);  // the loader keeps them after they are closed, under their names
  for (int k = 0; k < 5; ++k) EXPECT_EQ(ask(CompiledUnit(answering(k))), k);
}

TEST_F(Cache, ACompilerMayBeSeveralWords) {
  if (find_program("ccache").empty()) GTEST_SKIP() << "ccache is not here";
  setenv("CXX", "ccache g++", 1);
  EXPECT_EQ(ask(CompiledUnit(answer)), 42);
  EXPECT_EQ(missing_compiler(), "");
  setenv("CXX", "ccache no-such-compiler", 1);
  EXPECT_EQ(missing_compiler(), " (CXX says 'ccache no-such-compiler')");
}

TEST_F(Cache, CompilingTellsItsTimeAndCanBeStopped) {
  // a compiler that compiles for ever, and starts others that do
  const fs::path slow = top_ / "slow";
  std::ofstream(slow) << "#!/bin/sh\nsleep 1000 & echo $! > " << (top_ / "pid").string() << "\nwait\n";
  chmod(slow.c_str(), 0700);
  setenv("CONESWEEP_CXX", slow.c_str(), 1);
  std::atomic<bool> stop = false;
  double last = 0;
  bool finished = false;
  CompileWatch watch;
  watch.stop = &stop;
  watch.waiting = [&](double seconds, std::int64_t bytes) {
    last = seconds;
    stop = seconds > 0.3 && bytes > 0 && fs::exists(top_ / "pid");
  };
  watch.finished = [&] { finished = true; };
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(CompiledUnit(answer, watch), Interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_GT(last, 0.3);
  EXPECT_TRUE(finished);
  EXPECT_TRUE(files().empty());
  pid_t sleeper = 0;
  std::ifstream(top_ / "pid") >> sleeper;
  ASSERT_GT(sleeper, 0);
  for (int wait = 0; wait < 100 && kill(sleeper, 0) == 0; ++wait) {
    std::string state;
    std::ifstream stat_file("/proc/" + std::to_string(sleeper) + "/stat");
    std::getline(stat_file, state);
    if (state.find(") Z") != std::string::npos) break;  // dead; nobody has waited for it yet
    usleep(50000);
    EXPECT_LT(wait, 99) << "it goes on";
  }
}

TEST_F(Cache, StaysBelowItsBound) {
  fs::create_directories(folder_);
  const auto now = fs::file_time_type::clock::now();
  const auto entry = [&](int k) { return folder_ / (std::string(31, '0') + std::to_string(k) + ".so"); };
  for (int k = 0; k < 10; ++k) {
    const fs::path file = entry(k);
    std::ofstream(file) << std::string(1000, 'x');
    fs::last_write_time(file, now - std::chrono::hours(k));  // 0 is the newest
  }
  trim_cache(folder_, 5500);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(fs::exists(entry(k)), k < 5) << k;
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
    EXPECT_THAT(text, HasSubstr("; please report it"));
    EXPECT_THAT(text, HasSubstr("It said:\n"));
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
  setenv("PATH", top_.c_str(), 1);
  const auto scenario = test::parse_scenario(falling);
  std::string reason;
  const auto executor = executor::make_model("auto", scenario, {}, reason);
  if (executor->traits().on_device) GTEST_SKIP() << "a GPU is here";
  EXPECT_EQ(executor->name(), "reference");
  EXPECT_EQ(reason,
            "slow, but there is no GPU, and no C++ compiler was found for the cpu executor (CONESWEEP_CXX says "
            "'no-such-compiler'); install g++");
  try {
    executor::make_model("cpu", scenario, {}, reason);
    FAIL();
  } catch (const SystemError& error) {
    EXPECT_STREQ(error.what(),
                 "no C++ compiler was found for the cpu executor (CONESWEEP_CXX says 'no-such-compiler'); install g++, "
                 "or use backend reference");
  }
}

TEST_F(Cache, TheReasonTellsOfAnotherFolder) {
  std::ofstream(top_ / "file") << "x";
  setenv("CONESWEEP_CACHE", (top_ / "file" / "cache").c_str(), 1);
  std::string reason;
  executor::make_model("cpu", test::parse_scenario(falling), {}, reason);
  EXPECT_THAT(reason, StartsWith("asked for; compiled models are not kept: "));
}

TEST_F(Cache, AMemberIsTheSameFromAFreshAndFromAKeptObject) {
  const auto scenario = test::parse_scenario(falling);
  const auto first = test::run_scenario(scenario, "cpu"), second = test::run_scenario(scenario, "cpu");
  EXPECT_EQ(test::column(first, "final.x"), test::column(second, "final.x"));
}

}  // namespace
}  // namespace conesweep::model
