// Which compiler makes a model: the one that is named, else the next that takes it. The compilers here are scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include "model/compiler.hpp"
#include "support/error.hpp"

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string answer = "extern \"C\" __attribute__((visibility(\"default\"))) int answer() { return 42; }\n";

class Compilers : public ::testing::Test {
 protected:
  void SetUp() override {
    if (real_.empty()) GTEST_SKIP() << "g++ is not here";
    char name[] = "/tmp/conesweep-compilers-XXXXXX";
    top_ = mkdtemp(name);
    fs::create_directory(top_ / "bin");
    setenv("CONESWEEP_CACHE", (top_ / "cache").c_str(), 1);
    watch_.note = [&](const std::string& text) { notes_.push_back(text); };
  }
  void TearDown() override {
    for (const char* variable : {"CONESWEEP_CACHE", "CONESWEEP_CXX", "CXX", "VIRTUAL_ENV"}) unsetenv(variable);
    setenv("PATH", path_.c_str(), 1);
    if (!top_.empty()) fs::remove_all(top_);
  }

  // a compiler that counts how often it is asked to compile
  std::string make_compiler(const std::string& name, const std::string& body) const {
    const std::string path = (top_ / "bin" / name).string();
    std::ofstream(path) << "#!/bin/bash\ncase \"$*\" in *--version) ;; *) echo x >>'" << path << ".asked' ;; esac\n"
                        << body << "\n";
    chmod(path.c_str(), 0700);
    return path;
  }
  long count_asked(const std::string& compiler) const {
    return fs::exists(compiler + ".asked") ? static_cast<long>(fs::file_size(compiler + ".asked")) / 2 : 0;
  }

  // nothing else on PATH
  void hide_others() const { setenv("PATH", (top_ / "bin").c_str(), 1); }

  int ask() { return CompiledUnit(answer, watch_).find<int()>("answer")(); }

  std::string fail() {
    try {
      ask();
    } catch (const SystemError& error) {
      return error.what();
    }
    return "it works";
  }

  const std::string path_ = std::getenv("PATH"), real_ = find_program("g++");
  fs::path top_;
  CompileWatch watch_;
  std::vector<std::string> notes_;
};

TEST_F(Compilers, OneThatRefusesIsPassedOverWithANote) {
  const std::string refusing = make_compiler(
      "refusing", "echo 'In file included from x:'; echo 'model.cpp:7:1: error: no such builtin'; echo more; exit 1");
  setenv("CONESWEEP_CXX", refusing.c_str(), 1);
  EXPECT_EQ(ask(), 42);
  EXPECT_THAT(notes_,
              ElementsAre("the compiler " + refusing +
                          " refuses generated code (model.cpp:7:1: error: no such builtin); " + real_ + " is used"));
}

TEST_F(Compilers, OneThatCrashesOrMakesNothingIsPassedOver) {
  const std::string crashing = make_compiler("crashing", "kill -SEGV $$"), lazy = make_compiler("lazy", "exit 0");
  setenv("CONESWEEP_CXX", crashing.c_str(), 1);
  setenv("CXX", lazy.c_str(), 1);
  EXPECT_EQ(ask(), 42);
  EXPECT_THAT(notes_, ElementsAre("the compiler " + crashing + " was ended by signal 11 (memory?); the compiler " +
                                  lazy + " made nothing; " + real_ + " is used"));
}

TEST_F(Compilers, OneThatIsNamedAndNotThereIsPassedOverWithANote) {
  setenv("CONESWEEP_CXX", "no-such-compiler", 1);
  EXPECT_EQ(ask(), 42);
  EXPECT_THAT(notes_, ElementsAre("CONESWEEP_CXX says 'no-such-compiler', which is not there; " + real_ + " is used"));
}

TEST_F(Compilers, OneThatRefusedIsNotAskedAgainWhileOthersWork) {
  const std::string refusing = make_compiler("refusing", "exit 1");
  setenv("CONESWEEP_CXX", refusing.c_str(), 1);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(ask(), 42);
  EXPECT_EQ(count_asked(refusing), 1);
  EXPECT_EQ(find_host_compiler(), Command{real_});
  EXPECT_EQ(notes_.size(), 3u);
}

TEST_F(Compilers, WhereAllRefuseTheErrorTellsOfEachAndWhatToDo) {
  const std::string first = make_compiler("g++", "echo 'error: too old'; exit 1"),
                    second = make_compiler("clang++-99", "echo 'error: too new'; exit 1");
  hide_others();
  const std::string told = fail();
  EXPECT_THAT(told, StartsWith("internal error: " + first + " refuses generated code, and " + second +
                               " refuses generated code (kept in "));
  EXPECT_THAT(told, HasSubstr("); please report it, and name another compiler by CONESWEEP_CXX or use backend "
                              "reference meanwhile. It said:\nerror: too old\n\n" +
                              second + " said:\nerror: too new\n"));
  EXPECT_TRUE(notes_.empty());
  EXPECT_EQ(find_refusal({first}), "") << "the text may be at fault";
}

TEST_F(Compilers, WhereNoneCanBeRunItIsNoMistakeOfOurs) {
  const std::string only = make_compiler("g++", "kill -KILL $$");
  hide_others();
  EXPECT_EQ(fail(), "the compiler " + only +
                        " was ended by signal 9 (memory?); give it more memory, make the model smaller, name another "
                        "one by CONESWEEP_CXX, or use backend reference");
}

TEST_F(Compilers, WithANumberInTheNameAreFoundTheNewestFirst) {
  for (const char* name : {"clang++-14", "g++-9", "g++-12", "clang++-19", "clang++-19.bak", "g++-x"})
    make_compiler(name, "exit 1");
  hide_others();
  std::vector<std::string> names;
  for (const Command& found : find_host_compilers()) names.push_back(fs::path(found.at(0)).filename().string());
  EXPECT_THAT(names, ElementsAre("clang++-19", "clang++-14", "g++-12", "g++-9"));
}

TEST_F(Compilers, OneUnderSeveralNamesIsOne) {
  const std::string only = make_compiler("g++", "exit 1");
  for (const char* name : {"c++", "g++-12"}) fs::create_symlink("g++", top_ / "bin" / name);
  hide_others();
  EXPECT_THAT(find_host_compilers(), ElementsAre(Command{only}));
}

TEST_F(Compilers, OfAPythonPackageIsTheLastOne) {
  const fs::path package = top_ / "environment/lib/python3.11/site-packages/ziglang";
  fs::create_directories(package);
  fs::rename(make_compiler("zig", "[ \"$1\" = cc ] || exit 1\nPATH='" + path_ + "' exec " + real_ + " \"${@:2}\""),
             package / "zig");
  const Command zig = {(package / "zig").string(), "cc"};
  setenv("VIRTUAL_ENV", (top_ / "environment").c_str(), 1);
  EXPECT_EQ(find_host_compiler(), Command{real_});
  EXPECT_EQ(find_host_compilers().back(), zig);
  const std::string numbered = make_compiler("g++-12", "exit 1");
  hide_others();
  EXPECT_THAT(find_host_compilers(), ElementsAre(Command{numbered}, zig));
  fs::remove(numbered);
  EXPECT_EQ(find_host_compiler(), zig);
  EXPECT_EQ(ask(), 42);
  unsetenv("VIRTUAL_ENV");
  EXPECT_TRUE(find_host_compilers().empty());
}

TEST_F(Compilers, MayBeAModuleOfAnInterpreterAndIsKnownByItsVersion) {
  const auto make = [&](const char* version) {
    std::ofstream(top_ / "version") << version << "\n";
    return make_compiler("interpreter",
                         "[ \"$1 $2 $3\" = '-m compilers c++' ] || exit 1\nshift 3\ncase \"$*\" in --version) cat '" +
                             (top_ / "version").string() + "' ;; *) exec " + real_ + " \"$@\" ;; esac");
  };
  const std::string interpreter = make("22.1");
  setenv("CONESWEEP_CXX", (interpreter + " -m compilers c++").c_str(), 1);
  EXPECT_EQ(find_host_compiler(), (Command{interpreter, "-m", "compilers", "c++"}));
  EXPECT_EQ(ask_version(find_host_compiler()), "22.1\n");
  for (int k = 0; k < 2; ++k) EXPECT_EQ(ask(), 42);
  EXPECT_EQ(count_asked(interpreter), 1);
  std::ofstream(top_ / "version") << "22.2\n";  // the module alone is another one
  EXPECT_EQ(ask(), 42);
  EXPECT_EQ(count_asked(interpreter), 2);
  EXPECT_TRUE(notes_.empty());
}

}  // namespace
}  // namespace conesweep::model
