#include "support/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "support/error.hpp"

namespace conesweep {
namespace {

std::error_code system_code() { return {errno, std::generic_category()}; }

/// What is no file and no folder: in words, since no error number of the system says it.
class NoFile final : public std::error_category {
 public:
  const char* name() const noexcept override { return "conesweep"; }
  std::string message(int) const override { return "it is no regular file"; }
};
const NoFile no_file;

/// The bytes of an open file, up to its end.
std::string read_open(int number, std::error_code& error, std::size_t most) {
  std::string bytes;
  struct stat found {};
  if (::fstat(number, &found) == 0 && found.st_size > 0 && static_cast<std::size_t>(found.st_size) <= most)
    bytes.reserve(static_cast<std::size_t>(found.st_size) + 1);
  char piece[1 << 16];
  for (;;) {
    const ssize_t count = ::read(number, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error = system_code();
    if (count <= 0) break;
    if (static_cast<std::size_t>(count) > most - bytes.size()) {
      error = {EFBIG, std::generic_category()};
      break;
    }
    bytes.append(piece, static_cast<std::size_t>(count));
  }
  return error ? std::string() : bytes;
}

}  // namespace

int open_file(const std::filesystem::path& path, std::error_code& error, FileKind kind) {
  error.clear();
  // what is no file would be waited for, before it is known to be none
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (kind == FileKind::regular ? O_NONBLOCK : 0));
  if (number < 0) {
    error = system_code();
    return -1;
  }
  struct stat found {};
  if (::fstat(number, &found) != 0)
    error = system_code();
  else if (S_ISDIR(found.st_mode))
    error = {EISDIR, std::generic_category()};
  else if (kind == FileKind::regular && !S_ISREG(found.st_mode))
    error = {1, no_file};
  if (!error) return number;
  ::close(number);
  return -1;
}

std::string read_file(const std::filesystem::path& path, std::error_code& error, std::size_t most, FileKind kind) {
  const int number = open_file(path, error, kind);
  if (number < 0) return {};
  std::string bytes = read_open(number, error, most);
  ::close(number);
  return bytes;
}

std::optional<std::string> read_at_most(const std::filesystem::path& path, std::size_t most) {
  std::error_code error;
  const int number = open_file(path, error, FileKind::any);
  if (number < 0)
    throw InputError("cannot read " + path.string() +
                     (error == std::errc::is_a_directory ? "" : "; is the path right?"));
  std::string bytes = read_open(number, error, most);
  ::close(number);
  if (error == std::errc::file_too_large) return std::nullopt;
  if (error) throw InputError("cannot read " + path.string());
  return bytes;
}

}  // namespace conesweep
