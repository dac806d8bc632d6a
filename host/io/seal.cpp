#include "io/seal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
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

// What a seal covers: all bytes of the file but its own.
struct Covered {
  std::uint64_t begin, end;
};

std::string make_seal(int file, const fs::path& path, const std::string& identity, Covered covered) {
  std::vector<char> piece(1 << 20);
  std::uint64_t hash = checksum(identity.data(), identity.size()), at = covered.begin;
  while (at < covered.end) {
    const std::size_t count =
        read_at(file, path, piece.data(), std::min<std::uint64_t>(piece.size(), covered.end - at), at);
    if (count == 0) break;
    hash = checksum(piece.data(), count, hash);
    at += count;
  }
  const std::uint64_t bytes = at - covered.begin + seal_bytes;
  std::string seal = mark + identity + "\nbytes " + std::to_string(bytes) + "\nchecksum " + to_hex(hash) + "\n";
  CS_ASSERT(seal.size() <= seal_bytes);
  seal.resize(seal_bytes, '\0');
  return seal;
}

std::uint64_t length_of(int file, const fs::path& path) {
  struct stat facts = {};
  if (::fstat(file, &facts) != 0) refuse("read", path, system_code());
  return static_cast<std::uint64_t>(facts.st_size);
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
  Descriptor file(path, O_RDWR | O_APPEND);
  file.write(make_seal(file, path, identity, {0, length_of(file, path)}));
  file.close();
}

namespace {

// The seal as the file holds it, with the identity in it, and what it covers.
struct Held {
  std::string seal, identity;
  Covered covered;
};

// at the end; files written before this was so have it before what HDF5 reads
std::optional<Held> find_seal(const File& file, const fs::path& path) {
  const std::uint64_t length = length_of(file.number, path);
  if (length < seal_bytes) return std::nullopt;
  const std::uint64_t last = length - seal_bytes;
  for (const auto& [place, covered] :
       {std::pair{last, Covered{0, last}}, std::pair{std::uint64_t{0}, Covered{seal_bytes, length}}}) {
    std::string seal(seal_bytes, '\0');
    seal.resize(read_at(file.number, path, seal.data(), seal.size(), place));
    if (seal.starts_with(mark)) return Held{seal, {}, covered};
  }
  return std::nullopt;
}

Held read_seal(const File& file, const fs::path& path) {
  if (file.error) refuse("read", path, file.error);
  auto found = find_seal(file, path);
  if (!found)
    throw SystemError("cannot read " + path.string() +
                      ": it bears no checksum of ours, so it is not the file that a run wrote");
  Held& held = *found;
  const std::size_t begin = sizeof mark - 1, end = held.seal.find('\n', begin);
  if (end != held.seal.npos) held.identity = held.seal.substr(begin, end - begin);
  return held;
}

}  // namespace

std::string check_seal(const fs::path& path) {
  const File file(path);
  const Held held = read_seal(file, path);
  if (held.identity.size() > 64 || make_seal(file.number, path, held.identity, held.covered) != held.seal)
    throw SystemError(
        "cannot read " + path.string() +
        ": its checksum does not fit, it is not as it was written; take it from a copy, or run again with " +
        setting::force);
  return held.identity;
}

bool has_seal(const fs::path& path) {
  const File file(path);
  return !file.error && find_seal(file, path).has_value();
}

}  // namespace conesweep::io
