#include "io/new_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "support/error.hpp"
#include "support/hash.hpp"

namespace conesweep::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = ".conesweep-";
constexpr std::size_t digits = 16;  // of a number that nobody else draws

std::string draw_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) throw SystemError("the system gives no random number");
  return to_hex(number);
}

// As the file that it takes the place of, else as the user's files are.
void take_mode(int file, const fs::path& target) {
  struct stat there {};
  if (::stat(target.c_str(), &there) == 0 && S_ISREG(there.st_mode)) ::fchmod(file, there.st_mode & 0777);
}

}  // namespace

NewFile::NewFile(const fs::path& path, Replace replace) : path_(path), target_(path), replace_(replace) {
  std::error_code error;
  const fs::file_status there = fs::status(path, error);
  if (fs::is_directory(there)) throw InputError(path.string() + " is a folder; give the name of a file");
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    if (!fs::exists(there))
      throw InputError(path.string() + " is a link that leads nowhere; remove it, or choose another name");
    target_ = fs::canonical(path, error);
    if (error) refuse("write", path, error);
  }
  through_ = fs::exists(there) && !fs::is_regular_file(there);
  if (through_) {
    file_ = std::make_unique<Descriptor>(path, O_WRONLY);
    return;
  }
  if (fs::exists(there) && replace == Replace::no)
    throw InputError(path.string() + " is there; replace it with " + setting::force + ", or choose another name");
  open_in_folder();
  take_mode(*file_, target_);
}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

fs::path NewFile::own_name() const { return target_.parent_path() / (std::string(prefix) + draw_number()); }

// What refuses is told under the name that the user knows.
void NewFile::open_in_folder() {
  const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  // it gets its name by way of /proc
  if (nameless >= 0 && ::access(("/proc/self/fd/" + std::to_string(nameless)).c_str(), F_OK) == 0) {
    file_ = std::make_unique<Descriptor>(path_, adopt, nameless);
    ::flock(*file_, LOCK_EX | LOCK_NB);  // for the moment in which it has a name of ours
    return;
  }
  if (nameless >= 0) ::close(nameless);
  remove_leftovers(folder);
  for (;;) {
    temporary_ = own_name();
    const int number = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (number < 0) {
      temporary_.clear();
      if (errno == EEXIST) continue;
      refuse("write", path_, system_code());
    }
    file_ = std::make_unique<Descriptor>(path_, adopt, number);
    ::flock(*file_, LOCK_EX | LOCK_NB);
    // somebody may have cleaned up before it had its lock
    struct stat facts {};
    if (::fstat(*file_, &facts) != 0 || facts.st_nlink > 0) return;
  }
}

void NewFile::write(std::string_view bytes) { file_->write(bytes); }

void NewFile::start_over() {
  CS_ASSERT(!through_);
  if (::ftruncate(*file_, 0) != 0 || ::lseek(*file_, 0, SEEK_SET) != 0) refuse("write", path_, system_code());
}

void NewFile::give_name() {
  if (temporary_.empty()) {
    const std::string open_file = "/proc/self/fd/" + std::to_string(static_cast<int>(*file_));
    const fs::path name = replace_ == Replace::no ? target_ : own_name();
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
      refuse("write", path_, system_code());
    if (replace_ == Replace::no) return;
    temporary_ = name;
  } else if (replace_ == Replace::no) {
    // a second name, which is refused where one stands; where files have one name only, what came there within the last
    // moment goes
    if (::link(temporary_.c_str(), target_.c_str()) == 0) return;
    if (errno == EEXIST) refuse("write", path_, system_code());
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) refuse("write", path_, system_code());
  temporary_.clear();
}

void NewFile::finish() {
  if (through_) return file_->close();
  file_->sync();
  give_name();
  file_->close();
}

// .conesweep-0123456789abcdef
bool is_own_name(const std::string& name) {
  return name.size() == prefix.size() + digits && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789abcdef", prefix.size()) == name.npos;
}

void write_new(const fs::path& path, std::string_view bytes, Replace replace) {
  NewFile file(path, replace);
  file.write(bytes);
  file.finish();
}

void remove_leftovers(const fs::path& folder) noexcept {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!is_own_name(at->path().filename().string())) continue;
    const int number = ::open(at->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (number < 0) continue;
    struct stat facts {};
    if (::fstat(number, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
        ::flock(number, LOCK_EX | LOCK_NB) == 0)
      ::unlink(at->path().c_str());
    ::close(number);
  }
}

}  // namespace conesweep::io
