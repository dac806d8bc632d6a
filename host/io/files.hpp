#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "support/sink.hpp"

/// Files as a run needs them: what is written is on the disk when a call returns, and a refusal is a SystemError in the
/// system's words.
namespace conesweep::io {

/// "cannot write runs/a: No space left on device"
[[noreturn]] void refuse(const std::string& what, const std::filesystem::path& path, const std::error_code& error);

/// What the last system call complained of.
std::error_code system_code();

/// A number that the system gave already.
struct Adopt {};
inline constexpr Adopt adopt;

/// An open file or folder.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags);
  Descriptor(const std::filesystem::path& path, Adopt, int number) : path_(path), number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  operator int() const { return number_; }

  void write(std::string_view bytes);

  /// Returns when the disk has it. Some file systems cannot tell for folders, and say so by EINVAL.
  void sync();

  /// A network file system may report a full disk only here.
  void close();

 private:
  std::filesystem::path path_;
  int number_;
};

void write_bytes(const std::filesystem::path& path, std::string_view bytes);
void write_text(const std::filesystem::path& path, const LongText& text);
// of a regular file
std::string read_bytes(const std::filesystem::path& path);
// of a regular file, or up to its end
void read_stretch(const std::filesystem::path& path, std::uint64_t first, std::uint64_t bytes, const Sink& sink);
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);
void remove_file(const std::filesystem::path& path);  // also if it is not there
bool is_there(const std::filesystem::path& path);
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder);

/// A regular file line by line.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path, std::uint64_t offset = 0);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line, without its end. False: there is none.
  bool next(std::string& line);
  // the last one that was read, by an end of line and not by that of the file
  bool is_ended() const { return ended_; }
  std::uint64_t offset() const { return offset_; }  // of the byte that is read next

 private:
  bool fill();

  std::filesystem::path path_;
  int number_;
  std::uint64_t offset_;
  std::string piece_;
  std::size_t at_ = 0;  // in the piece
  bool ended_ = false;
};

/// One program at a time works in a folder: the lock stays until the descriptor goes. False if another one has it and
/// we do not wait. Where the file system has no locks nothing runs: SystemError.
bool lock_folder(const Descriptor& folder, const std::filesystem::path& path, bool wait);

/// Throws SystemError if the file system of a folder knows that it has not so many bytes left.
void demand_room(const std::filesystem::path& folder, std::int64_t bytes);

}  // namespace conesweep::io
