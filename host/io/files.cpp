#include "io/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "support/error.hpp"
#include "support/file.hpp"
#include "support/memory.hpp"

namespace conesweep::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t piece_bytes = 1 << 16;  // read at a time

}  // namespace

void refuse(const std::string& what, const fs::path& path, const std::error_code& error) {
  throw SystemError("cannot " + what + " " + path.string() + ": " + error.message());
}

std::error_code system_code() { return {errno, std::generic_category()}; }

Descriptor::Descriptor(const fs::path& path, int flags)
    : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (number_ < 0)
    refuse((flags & O_ACCMODE) == O_RDONLY && (flags & O_DIRECTORY) == 0 ? "read" : "write", path_, system_code());
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void Descriptor::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(number_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) refuse("write", path_, system_code());
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Descriptor::sync() {
  if (::fsync(number_) != 0 && errno != EINVAL) refuse("write", path_, system_code());
}

void Descriptor::close() {
  if (::close(std::exchange(number_, -1)) != 0 && errno != EINTR) refuse("write", path_, system_code());
}

void write_bytes(const fs::path& path, std::string_view bytes) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  file.write(bytes);
  file.sync();
  file.close();
}

void write_text(const fs::path& path, const LongText& text) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  text([&file](std::string_view piece) { file.write(piece); });
  file.sync();
  file.close();
}

LineReader::LineReader(const fs::path& path, std::uint64_t offset) : path_(path), number_(-1), offset_(offset) {
  std::error_code error;
  number_ = open_file(path, error);
  if (number_ < 0) refuse("read", path, error);
}

LineReader::~LineReader() { ::close(number_); }

bool LineReader::fill() {
  at_ = 0;
  piece_.resize(piece_bytes);
  ssize_t count = 0;
  do count = ::pread(number_, piece_.data(), piece_.size(), static_cast<off_t>(offset_));
  while (count < 0 && errno == EINTR);
  if (count < 0) refuse("read", path_, system_code());
  piece_.resize(static_cast<std::size_t>(count));
  return count > 0;
}

bool LineReader::next(std::string& line) {
  line.clear();
  ended_ = false;
  bool any = false;
  while (!ended_ && (at_ < piece_.size() || fill())) {
    any = true;
    const std::size_t end = piece_.find('\n', at_);
    ended_ = end != piece_.npos;
    line.append(piece_, at_, (ended_ ? end : piece_.size()) - at_);
    const std::size_t after = ended_ ? end + 1 : piece_.size();
    offset_ += after - at_;
    at_ = after;
  }
  return any;
}

void read_stretch(const fs::path& path, std::uint64_t first, std::uint64_t bytes, const Sink& sink) {
  std::error_code error;
  const int number = open_file(path, error);
  if (number < 0) refuse("read", path, error);
  std::string piece(piece_bytes, ' ');
  try {
    while (bytes > 0) {
      const ssize_t count =
          ::pread(number, piece.data(), std::min<std::uint64_t>(bytes, piece.size()), static_cast<off_t>(first));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse("read", path, system_code());
      if (count == 0) break;
      sink({piece.data(), static_cast<std::size_t>(count)});
      first += static_cast<std::uint64_t>(count), bytes -= static_cast<std::uint64_t>(count);
    }
  } catch (...) {
    ::close(number);
    throw;
  }
  ::close(number);
}

std::string read_bytes(const fs::path& path) {
  std::error_code error;
  std::string bytes = read_file(path, error);
  if (error) refuse("read", path, error);
  return bytes;
}

void rename_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) refuse("write", to, error);
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) refuse("replace", path, error);
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::vector<fs::path> list_folder(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  if (error) refuse("read", folder, error);
  return entries;
}

bool lock_folder(const Descriptor& folder, const fs::path& path, bool wait) {
  while (::flock(folder, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno == EINTR) continue;
    throw SystemError("cannot lock " + path.string() + ": " + system_code().message() +
                      "; its file system has no locks, and without them two runs could mix in one folder: choose one "
                      "on another file system with " +
                      setting::out);
  }
  return true;
}

void demand_room(const fs::path& folder, std::int64_t bytes) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error || space.capacity == 0 || space.available >= static_cast<std::uintmax_t>(bytes)) return;
  throw SystemError(folder.string() + " will need about " + format_bytes(static_cast<double>(bytes)) + ", but only " +
                    format_bytes(static_cast<double>(space.available)) +
                    " are free there; make room, choose another folder with " + setting::out +
                    ", or ask for fewer members or trajectories");
}

}  // namespace conesweep::io
