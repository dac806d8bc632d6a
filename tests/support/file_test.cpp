#include "support/file.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "support/error.hpp"

namespace conesweep {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  File() : folder_(fs::temp_directory_path() / ("conesweep-file-test-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~File() override { fs::remove_all(folder_); }

  fs::path make_file(const std::string& bytes) const {
    std::ofstream(folder_ / "file", std::ios::binary) << bytes;
    return folder_ / "file";
  }
  fs::path make_pipe() const {
    EXPECT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    return folder_ / "pipe";
  }
  static std::string message(const fs::path& path) {
    try {
      read_at_most(path, 10);
    } catch (const InputError& error) {
      return error.what();
    }
    return "read";
  }

  fs::path folder_;
  std::error_code error_;
};

TEST_F(File, IsReadUpToTheLimitAndNotBeyond) {
  const std::string bytes("a\0b\r\nc", 6);
  const fs::path path = make_file(bytes);
  EXPECT_EQ(read_file(path, error_), bytes);
  EXPECT_EQ(read_file(path, error_, 6), bytes);
  EXPECT_FALSE(error_);
  EXPECT_EQ(read_file(path, error_, 5), "");
  EXPECT_EQ(error_, std::errc::file_too_large);
  EXPECT_EQ(read_at_most(path, 6), bytes);
  EXPECT_FALSE(read_at_most(path, 5).has_value());
  const std::string large(200'000, 'x');  // several pieces
  EXPECT_EQ(read_file(make_file(large), error_), large);
  EXPECT_EQ(read_at_most(make_file(large), large.size()), large);
}

TEST_F(File, IsNoPipeUnlessThatIsFine) {
  const fs::path path = make_pipe();
  EXPECT_EQ(read_file(path, error_), "");  // at once: nobody writes into it
  EXPECT_EQ(error_.message(), "it is no regular file");
  std::thread writer([&] { std::ofstream(path) << "through a pipe"; });
  EXPECT_EQ(read_at_most(path, 100), "through a pipe");
  writer.join();
  EXPECT_FALSE(read_at_most("/dev/zero", 100'000).has_value());
}

TEST_F(File, IsNeverAFolder) {
  EXPECT_EQ(read_file(folder_, error_), "");
  EXPECT_EQ(error_, std::errc::is_a_directory);
  EXPECT_EQ(message(folder_), "cannot read " + folder_.string());
}

TEST_F(File, ThatIsNotThereIsAskedFor) {
  EXPECT_EQ(open_file(folder_ / "none", error_), -1);
  EXPECT_EQ(error_, std::errc::no_such_file_or_directory);
  EXPECT_EQ(message(folder_ / "none"), "cannot read " + (folder_ / "none").string() + "; is the path right?");
}

}  // namespace
}  // namespace conesweep
