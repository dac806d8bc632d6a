#include "model/cache.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

#include "model/sealed_file.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_name = "conesweep-models";
constexpr const char* work_prefix = "work-";
constexpr const char* private_prefix = "conesweep-private-";
constexpr const char* refused_prefix = "refused-";
constexpr std::size_t key_length = 32;

fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool belongs_to_others(const struct stat& facts) { return facts.st_uid != geteuid(); }

// Others can rename what lies in it; in a sticky folder (/tmp) only what is theirs.
bool is_open_to_all(const struct stat& facts) {
  return (facts.st_mode & S_IWOTH) != 0 && (facts.st_mode & S_ISVTX) == 0;
}

// Why a folder in `parent`, which exists, could be exchanged by others; empty: it could not. Groups are trusted: a
// private group's home is 0775.
std::string find_fault(const fs::path& parent) {
  std::error_code error;
  const fs::path real = fs::canonical(parent, error);
  struct stat facts {};
  if (error || stat(real.c_str(), &facts) != 0) return parent.string() + " cannot be read";
  if (belongs_to_others(facts) && facts.st_uid != 0) return real.string() + " belongs to another user";
  for (fs::path at = real;; at = at.parent_path()) {
    if (stat(at.c_str(), &facts) != 0) return at.string() + " cannot be read";
    if (is_open_to_all(facts)) return at.string() + " can be written by every user";
    if (at == at.parent_path()) return {};
  }
}

// Makes a folder and those above it that are missing, for ourselves alone.
bool make_folders(const fs::path& path) {
  if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return true;
  return errno == ENOENT && path.has_relative_path() && make_folders(path.parent_path()) &&
         mkdir(path.c_str(), 0700) == 0;
}

fs::path nearest_existing(fs::path path) {
  std::error_code error;
  while (!fs::exists(path, error) && path != path.parent_path()) path = path.parent_path();
  return path;
}

// Opens the cache's folder, or says why not.
Descriptor open_folder(const fs::path& path, std::string& why) {
  why = find_fault(nearest_existing(path.parent_path()));
  if (!why.empty()) return Descriptor();
  const bool made = make_folders(path);
  Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!folder || fstat(folder.number(), &facts) != 0)
    why = path.string() + (made && errno != EACCES ? " is not a folder of its own" : " cannot be written");
  else if (belongs_to_others(facts))
    why = path.string() + " belongs to another user";
  else if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    why = path.string() + " can be written by others";
  return why.empty() ? std::move(folder) : Descriptor();
}

fs::path temporary_folder() {
  const fs::path named = variable("TMPDIR");
  return named.is_absolute() ? named : fs::path("/tmp");
}

bool is_entry(const std::string& name) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const bool named_by_key = name.size() > key_length && std::all_of(name.begin(), name.begin() + key_length, is_hex) &&
                            (name.substr(key_length) == ".so" || name.substr(key_length) == ".ptx");
  return named_by_key || name.starts_with(refused_prefix);
}

}  // namespace

std::shared_ptr<const WorkFolder> private_folder() {
  static std::mutex lock;
  static std::shared_ptr<const WorkFolder> folder;
  const std::lock_guard guard(lock);
  std::error_code error;
  if (!folder || !*folder || !fs::exists(folder->path(), error)) {
    WorkFolder::sweep(temporary_folder(), private_prefix);
    folder = std::make_shared<const WorkFolder>(temporary_folder(), private_prefix);
  }
  return folder;
}

fs::path cache_folder() {
  if (const fs::path own = variable("CONESWEEP_CACHE"); !own.empty()) {
    std::error_code error;
    return fs::absolute(own, error).lexically_normal() / folder_name;
  }
  if (const fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / folder_name;
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache" / folder_name;
  return {};
}

std::string cache_key(const std::string& text) {
  // fnv1a from two beginnings, side by side: a unit has 400 kB, and one product waits for the other
  std::uint64_t a = fnv_basis, b = 0x84222325cbf29ce4ull;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * fnv_prime;
    b = (b ^ static_cast<unsigned char>(c)) * fnv_prime;
  }
  std::string key = to_hex(a) + to_hex(b);
  CS_ASSERT(key.size() == key_length);
  return key;
}

void trim_cache(const fs::path& folder, std::uintmax_t largest) {
  struct File {
    fs::path path;
    timespec time;
    std::uintmax_t size;
  };
  std::vector<File> files;
  std::uintmax_t total = 0;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); entry != fs::directory_iterator(); entry.increment(error)) {
    struct stat facts {};
    if (!is_entry(entry->path().filename().string()) || lstat(entry->path().c_str(), &facts) != 0 ||
        !S_ISREG(facts.st_mode))
      continue;
    files.push_back({entry->path(), facts.st_mtim, static_cast<std::uintmax_t>(facts.st_size)});
    total += files.back().size;
  }
  const auto age = [](const File& file) { return std::pair(file.time.tv_sec, file.time.tv_nsec); };
  std::sort(files.begin(), files.end(), [&](const File& a, const File& b) { return age(a) < age(b); });
  for (const File& file : files) {
    if (total <= largest) return;
    unlink(file.path.c_str());
    total -= file.size;
  }
}

Cache::Cache() : path_(cache_folder()) {
  std::string why = "neither CONESWEEP_CACHE nor XDG_CACHE_HOME nor HOME names a folder";
  if (!path_.empty()) folder_ = open_folder(path_, why);
  if (folder_)
    WorkFolder::sweep(path_, work_prefix);
  else
    take_private(why);
}

void Cache::take_private(const std::string& why) {
  const auto place = private_folder();
  if (!*place)
    throw SystemError("compiled models have no place: " + why + ", and " + temporary_folder().string() +
                      " cannot be written; set CONESWEEP_CACHE to a folder of your own with room");
  notice_ = "compiled models are not kept: " + why;
  path_ = place->path();
  folder_ = Descriptor(fcntl(place->folder(), F_DUPFD_CLOEXEC, 0));
}

std::optional<std::string> Cache::read(const std::string& name) const { return read_sealed(folder_.number(), name); }

std::unique_ptr<WorkFolder> Cache::make_work_folder() {
  auto work = std::make_unique<WorkFolder>(path_, work_prefix);
  if (*work) return work;
  take_private(path_.string() + " cannot be written");
  work = std::make_unique<WorkFolder>(path_, work_prefix);
  if (!*work)
    throw SystemError("cannot write " + path_.string() + "; set CONESWEEP_CACHE to a folder of your own with room");
  return work;
}

void Cache::write(const WorkFolder& work, const std::string& name, const std::string& content) const {
  if (write_sealed(work.folder(), folder_.number(), name, content)) trim_cache(path_);
}

std::string Cache::keep_refused(const std::string& text, const std::string& ending) const {
  const fs::path parent = notice_.empty() ? path_ : temporary_folder();
  std::string name = (parent / (refused_prefix + std::string("XXXXXX.") + ending)).string();
  const Descriptor file(mkstemps(name.data(), static_cast<int>(ending.size()) + 1));
  return file && write_all(file.number(), text) ? "kept in " + name
                                                : "which could not be kept: " + parent.string() + " cannot be written";
}

}  // namespace conesweep::model
