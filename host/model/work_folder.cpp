#include "model/work_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace conesweep::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "lock";
constexpr std::size_t letters = 6;           // of mkdtemp
constexpr std::time_t long_ago = 24 * 3600;  // seconds; nothing compiles for so long

// Did its owner die? Where locks do not work: is it old?
bool is_abandoned(const fs::path& path) {
  const Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!folder || fstat(folder.number(), &facts) != 0 || facts.st_uid != geteuid()) return false;
  const Descriptor lock(openat(folder.number(), lock_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (lock && flock(lock.number(), LOCK_EX | LOCK_NB) == 0) return true;
  if (lock && errno == EWOULDBLOCK) return false;
  return std::time(nullptr) - facts.st_mtime > long_ago;
}

}  // namespace

WorkFolder::WorkFolder(const fs::path& parent, const std::string& prefix) : owner_(getpid()) {
  std::string name = (parent / (prefix + std::string(letters, 'X'))).string();
  if (mkdtemp(name.data()) == nullptr) return;  // 0700
  path_ = name;
  folder_ = Descriptor(open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  // locked before it has its name: so a lock that is free means that its owner is dead
  if (folder_)
    lock_ = Descriptor(openat(folder_.number(), "lock.new", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (lock_) flock(lock_.number(), LOCK_EX | LOCK_NB);
  if (lock_ && renameat(folder_.number(), "lock.new", folder_.number(), lock_name) == 0) return;
  folder_ = Descriptor();
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (folder_ && owner_ == getpid()) fs::remove_all(path_, ignored);  // does not follow links
}

void WorkFolder::sweep(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (auto entry = fs::directory_iterator(parent, ignored); entry != fs::directory_iterator();
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.size() != prefix.size() + letters || !name.starts_with(prefix) || !is_abandoned(entry->path())) continue;
    std::error_code gone;
    fs::remove_all(entry->path(), gone);
  }
}

}  // namespace conesweep::model
