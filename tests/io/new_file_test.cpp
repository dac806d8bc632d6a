// Files that have their name when they are whole.
#include "io/new_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "support/error.hpp"

namespace conesweep::io {
namespace {

namespace fs = std::filesystem;

class NewFiles : public testing::Test {
 protected:
  NewFiles() {
    std::string name = (fs::temp_directory_path() / "conesweep-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = name;
  }
  ~NewFiles() override {
    std::error_code error;
    fs::remove_all(folder, error);
  }

  void put(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string read(const std::string& name) const {
    return (std::ostringstream() << std::ifstream(folder / name).rdbuf()).str();
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  fs::path folder;
};

TEST_F(NewFiles, AreThereWhenTheyAreWhole) {
  {
    NewFile file(folder / "a", Replace::no);
    file.write("half");
    EXPECT_FALSE(is_there(folder / "a"));
  }
  EXPECT_EQ(count(), 0u);
  NewFile file(folder / "a", Replace::no);
  file.write("thrown away");
  file.start_over();
  file.write("who");
  file.write("le");
  file.finish();
  EXPECT_EQ(read("a"), "whole");
  EXPECT_EQ(count(), 1u);
}

TEST_F(NewFiles, LeaveWhatCameMeanwhileUnlessTheyMayReplaceIt) {
  {
    NewFile file(folder / "a", Replace::no);
    put("a", "mine");
    EXPECT_THROW(file.finish(), SystemError);
  }
  EXPECT_EQ(read("a"), "mine");
  EXPECT_THROW(write_new(folder / "a", "ours", Replace::no), InputError);
  fs::permissions(folder / "a", fs::perms::owner_read | fs::perms::owner_write);
  write_new(folder / "a", "ours", Replace::yes);
  EXPECT_EQ(read("a"), "ours");
  EXPECT_EQ(fs::status(folder / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(count(), 1u);
}

TEST_F(NewFiles, OfTheDeadGoAndOthersStay) {
  put(".conesweep-0123456789abcdef", "left");
  put(".conesweep-0123456789abcdeg", "another's");
  put(".conesweep-0123456789abcdef0", "another's");
  fs::create_symlink("nowhere", folder / ".conesweep-1123456789abcdef");
  fs::create_directory(folder / ".conesweep-2123456789abcdef");
  ASSERT_EQ(mkfifo((folder / ".conesweep-3123456789abcdef").c_str(), 0600), 0);
  remove_leftovers(folder);
  EXPECT_FALSE(fs::exists(folder / ".conesweep-0123456789abcdef"));
  EXPECT_EQ(count(), 5u);
}

}  // namespace
}  // namespace conesweep::io
