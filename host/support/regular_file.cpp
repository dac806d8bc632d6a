#include "support/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace

int open_regular(const std::filesystem::path& path, std::error_code& error) {
  error.clear();
  const int number = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (number < 0) {
    error = system_code();
    return -1;
  }
  struct stat found {};
  if (::fstat(number, &found) != 0)
    error = system_code();
  else if (S_ISDIR(found.st_mode))
    error = {EISDIR, std::generic_category()};
  else if (!S_ISREG(found.st_mode))
    error = {1, no_file};
  if (!error) return number;
  ::close(number);
  return -1;
}

std::string read_regular(const std::filesystem::path& path, std::error_code& error, std::size_t most) {
  const int number = open_regular(path, error);
  std::string bytes;
  if (number < 0) return bytes;
  struct stat found {};
  if (::fstat(number, &found) == 0 && static_cast<std::size_t>(found.st_size) <= most) bytes.reserve(static_cast<std::size_t>(found.st_size) + 1);
  char piece[1 << 16];
  for (;;) {
    const ssize_t count = ::read(number, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) error = system_code(), bytes.clear();
    if (count <= 0) break;
    if (static_cast<std::size_t>(count) > most - bytes.size()) {
      error = {EFBIG, std::generic_category()}, bytes.clear();
      break;
    }
    bytes.append(piece, static_cast<std::size_t>(count));
  }
  ::close(number);
  return bytes;
}

}  // namespace conesweep
