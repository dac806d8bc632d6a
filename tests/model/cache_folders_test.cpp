// The folder of the cache: taken only where it is ours, and nothing of others in it is loaded or deleted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cached.hpp"
#include "executor/executor.hpp"
#include "model/compiler.hpp"

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;
using namespace cached;
using cached::Cache;  // and not the one that is tested

TEST_F(Cache, ItsFolderIsForUsAlone) {
  CompiledUnit{answer};
  struct stat facts {};
  ASSERT_EQ(stat(folder_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  ASSERT_EQ(stat(files().at(0).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  EXPECT_TRUE(fs::is_empty(top_ / "tmp"));
}

TEST_F(Cache, WhatCannotBeWrittenIsReplacedByAPrivateFolder) {
  std::ofstream(top_ / "file") << "x";
  setenv("CONESWEEP_CACHE", (top_ / "file" / "cache").c_str(), 1);  // nobody can write there, not even root
  const std::string why = (top_ / "file" / "cache" / "conesweep-models").string() + " cannot be written";
  expect_private(why);
  const CompiledUnit again(answer);  // it lasts as long as the program
  EXPECT_EQ(again.compile_seconds(), 0);
  ASSERT_EQ(std::distance(fs::directory_iterator(top_ / "tmp"), fs::directory_iterator()), 1);
  struct stat facts {};
  ASSERT_EQ(stat(fs::directory_iterator(top_ / "tmp")->path().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
}

TEST_F(Cache, WithoutANameThereIsOnlyAPrivateFolder) {
  for (const char* name : {"CONESWEEP_CACHE", "XDG_CACHE_HOME", "HOME"}) unsetenv(name);
  EXPECT_EQ(cache_folder(), "");
  expect_private("neither CONESWEEP_CACHE nor XDG_CACHE_HOME nor HOME names a folder");
}

TEST_F(Cache, TheEnvironmentNamesItsPlace) {
  EXPECT_EQ(cache_folder(), folder_);
  unsetenv("CONESWEEP_CACHE");
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(cache_folder(), "/x/conesweep-models");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);  // to be ignored, says the standard
  setenv("HOME", "/h", 1);
  EXPECT_EQ(cache_folder(), "/h/.cache/conesweep-models");
}

TEST_F(Cache, LoadsNothingFromAFolderThatOthersCanWrite) {
  CompiledUnit{answer};
  chmod(folder_.c_str(), 0770);
  expect_private(folder_.string() + " can be written by others");
}

TEST_F(Cache, LoadsNothingWhereOthersCanPutAnotherFolder) {
  CompiledUnit{answer};
  chmod((top_ / "cache").c_str(), 0777);
  expect_private((top_ / "cache").string() + " can be written by every user");
  chmod((top_ / "cache").c_str(), 01777);  // as /tmp is
  EXPECT_EQ(CompiledUnit(answer).notice(), "");
}

TEST_F(Cache, FollowsNoLinkToAnotherFolder) {
  fs::create_directories(top_ / "elsewhere");
  fs::create_directories(top_ / "cache");
  fs::create_directory_symlink(top_ / "elsewhere", folder_);
  expect_private(folder_.string() + " is not a folder of its own");
  EXPECT_TRUE(fs::is_empty(top_ / "elsewhere"));
}

TEST_F(Cache, LoadsNothingThatBelongsToOthers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  CompiledUnit{answer};
  const fs::path object = files().at(0);
  ASSERT_EQ(chown(object.c_str(), 12345, 0), 0);
  EXPECT_GT(CompiledUnit(answer).compile_seconds(), 0);  // and made again, in its place
  EXPECT_EQ(CompiledUnit(answer).compile_seconds(), 0);
  ASSERT_EQ(chown(folder_.c_str(), 12345, 0), 0);
  expect_private(folder_.string() + " belongs to another user");
}

TEST_F(Cache, RootLeavesNothingInTheHomeOfAnother) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  fs::create_directory(top_ / "home");
  ASSERT_EQ(chown((top_ / "home").c_str(), 12345, 0), 0);
  unsetenv("CONESWEEP_CACHE");
  setenv("HOME", (top_ / "home").c_str(), 1);
  expect_private((top_ / "home").string() + " belongs to another user");
  EXPECT_TRUE(fs::is_empty(top_ / "home"));
}

TEST_F(Cache, AnObjectThatOthersCanWriteIsMadeAgain) {
  CompiledUnit{answer};
  chmod(files().at(0).c_str(), 0666);
  EXPECT_GT(CompiledUnit(answer).compile_seconds(), 0);
  EXPECT_EQ(CompiledUnit(answer).compile_seconds(), 0);
}

TEST_F(Cache, ALinkAFifoOrAFolderInPlaceOfAnObjectDoesNoHarm) {
  CompiledUnit{answer};
  const fs::path object = files().at(0);
  fs::rename(object, top_ / "moved.so");
  fs::create_symlink(top_ / "moved.so", object);
  EXPECT_GT(CompiledUnit(answer).compile_seconds(), 0);
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(object)));
  fs::remove(object);
  ASSERT_EQ(mkfifo(object.c_str(), 0600), 0);
  EXPECT_GT(CompiledUnit(answer).compile_seconds(), 0);
  EXPECT_EQ(CompiledUnit(answer).compile_seconds(), 0);
  fs::remove(object);
  fs::create_directories(object / "inside");
  EXPECT_EQ(ask(CompiledUnit(answer)), 42);
  EXPECT_TRUE(fs::exists(object / "inside"));
}

TEST_F(Cache, DeletesNothingThatIsNotItsOwn) {
  // the user's files beside its folder and in it, older than everything, and together larger than its bound
  fs::create_directories(folder_);
  chmod(folder_.c_str(), 0700);
  const std::string key(32, 'a');
  std::vector<fs::path> others = {top_ / "cache" / "thesis.tex", top_ / "cache" / (key + ".so"), folder_ / "thesis.tex",
                                  folder_ / (key + ".so.bak"), folder_ / "lib.so"};
  for (const fs::path& file : others) {
    std::ofstream(file) << "mine";
    fs::resize_file(file, largest_cache);  // without blocks
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1000));
  }
  fs::create_symlink(top_ / "cache" / "thesis.tex", folder_ / (key + ".ptx"));
  CompiledUnit{answer};
  for (const fs::path& file : others) EXPECT_TRUE(fs::exists(file)) << file;
  EXPECT_TRUE(fs::is_symlink(folder_ / (key + ".ptx")));
}

TEST_F(Cache, SweepsWhatTheDeadLeftAndNothingElse) {
  fs::create_directories(folder_);
  chmod(folder_.c_str(), 0700);
  const WorkFolder alive(folder_, "work-");
  ASSERT_TRUE(static_cast<bool>(alive));
  const pid_t child = fork();
  if (child == 0) {
    const WorkFolder dead(folder_, "work-");
    std::ofstream(dead.path() / "cc1234.o") << "x";
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  fs::create_directories(folder_ / "work-abcdef");  // somebody is just making it
  fs::create_directories(folder_ / "work-in-the-garden");
  EXPECT_EQ(files().size(), 4u);
  const model::Cache cache;
  EXPECT_EQ(files().size(), 3u);
  EXPECT_TRUE(fs::exists(alive.path()));
  EXPECT_TRUE(fs::exists(folder_ / "work-in-the-garden"));
}

}  // namespace
}  // namespace conesweep::model
