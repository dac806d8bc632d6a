#include "io/seal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "io/files.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/hash.hpp"

namespace conesweep::io {
namespace {

namespace fs = std::filesystem;
constexpr char mark[] = "conesweep results\nidentity ";

std::size_t read_at(int file, const fs::path& path, char* to, std::size_t bytes, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t count = ::pread(file, to + done, bytes - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse("read", path, system_code());
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

// The seal that belongs to what follows it in the file.
std::string make_seal(int file, const fs::path& path, const std::string& identity) {
  std::vector<char> piece(1 << 20);
  std::uint64_t hash = checksum(identity.data(), identity.size()), bytes = seal_bytes;
  while (const std::size_t count = read_at(file, path, piece.data(), piece.size(), bytes)) {
    hash = checksum(piece.data(), count, hash);
    bytes += count;
  }
  std::string seal = mark + identity + "\nbytes " + std::to_string(bytes) + "\nchecksum " + to_hex(hash) + "\n";
  CS_ASSERT(seal.size() <= seal_bytes);
  seal.resize(seal_bytes, '\0');
  return seal;
}

/// An open file.
struct File {
  explicit File(const fs::path& path) : number(open_file(path, error)) {}
  ~File() {
    if (number >= 0) ::close(number);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::error_code error;
  int number;
};

}  // namespace

void seal_results(const fs::path& path, const std::string& identity) {
  Descriptor file(path, O_RDWR);
  const std::string seal = make_seal(file, path, identity);
  for (std::size_t done = 0; done < seal.size();) {
    const ssize_t count = ::pwrite(file, seal.data() + done, seal.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) refuse("write", path, system_code());
    done += static_cast<std::size_t>(count);
  }
  file.close();
}

namespace {

// The seal as the file holds it, with the identity in it.
struct Held {
  std::string seal, identity;
};
Held read_seal(const File& file, const fs::path& path) {
  if (file.error) refuse("read", path, file.error);
  Held held{std::string(seal_bytes, '\0'), {}};
  held.seal.resize(read_at(file.number, path, held.seal.data(), held.seal.size(), 0));
  if (!held.seal.starts_with(mark))
    throw SystemError("cannot read " + path.string() + ": it bears no checksum of ours, so it is not the file that a run wrote");
  const std::size_t begin = sizeof mark - 1, end = held.seal.find('\n', begin);
  if (end != held.seal.npos) held.identity = held.seal.substr(begin, end - begin);
  return held;
}

}  // namespace

std::string check_seal(const fs::path& path) {
  const File file(path);
  const Held held = read_seal(file, path);
  if (held.identity.size() > 64 || make_seal(file.number, path, held.identity) != held.seal)
    throw SystemError("cannot read " + path.string() +
                      ": its checksum does not fit, it is not as it was written; take it from a copy, or run again with --force");
  return held.identity;
}

std::string read_identity(const fs::path& path) { return read_seal(File(path), path).identity; }

bool has_seal(const fs::path& path) {
  const File file(path);
  if (file.error) return false;
  std::string begin(sizeof mark - 1, '\0');
  return read_at(file.number, path, begin.data(), begin.size(), 0) == begin.size() && begin == mark;
}

}  // namespace conesweep::io
