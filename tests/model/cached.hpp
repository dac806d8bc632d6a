#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "executor/executor.hpp"
#include "model/compiler.hpp"

namespace conesweep::model::cached {

namespace fs = std::filesystem;

inline std::string answering(int number) {
  return "extern \"C\" __attribute__((visibility(\"default\"))) int answer() { return " + std::to_string(number) +
         "; }\n";
}
inline const std::string answer = answering(42);

/// A folder of its own for the cache of every case.
class Cache : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/conesweep-cache-test-XXXXXX";
    top_ = mkdtemp(name);
    folder_ = top_ / "cache" / "conesweep-models";
    fs::create_directory(top_ / "tmp");
    setenv("CONESWEEP_CACHE", (top_ / "cache").c_str(), 1);
    setenv("TMPDIR", (top_ / "tmp").c_str(), 1);
  }
  void TearDown() override {
    for (const char* name :
         {"CONESWEEP_CACHE", "CONESWEEP_CXX", "CONESWEEP_CXXFLAGS", "CXX", "TMPDIR", "XDG_CACHE_HOME"})
      unsetenv(name);
    setenv("HOME", home_.c_str(), 1);
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(top_);
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }

  static int ask(const CompiledUnit& unit) { return unit.find<int()>("answer")(); }

  // what a unit of `answer` says, and that it did not come from the cache
  void expect_private(const std::string& why) const {
    const CompiledUnit unit(answer);
    EXPECT_EQ(ask(unit), 42);
    EXPECT_GT(unit.compile_seconds(), 0);
    EXPECT_EQ(unit.notice(), "compiled models are not kept: " + why);
  }

  fs::path top_, folder_;
  const std::string home_ = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME"), path_ = std::getenv("PATH");
};

}  // namespace conesweep::model::cached
