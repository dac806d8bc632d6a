#include "model/shared_object.hpp"

#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "model/cache.hpp"
#include "support/error.hpp"

namespace conesweep::model {
namespace {

// The loader knows objects by their names, and keeps some after they are closed.
bool is_loaded(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

}  // namespace

SharedObject::SharedObject(const std::string& content) {
  if (load_from_memory(content) || load_from_private_file(content)) return;
  const char* const said = dlerror();
  const std::string why = said == nullptr ? "the system refuses" : said;
  const bool no_room = why.find("failed to map segment") != why.npos || why.find("allocate memory") != why.npos;
  throw SystemError(
      "cannot load the compiled model: " + why +
      (no_room ? "; there is too little memory left for it, or nothing may be loaded from that folder" : ""));
}

bool SharedObject::load_from_memory(const std::string& content) {
  memory_ = Descriptor(memfd_create("conesweep-model", MFD_CLOEXEC));
  if (!memory_ || !write_all(memory_.number(), content)) return false;
  const auto path = [&] { return "/proc/self/fd/" + std::to_string(memory_.number()); };
  std::vector<Descriptor> taken;  // numbers under which something else is loaded already
  while (is_loaded(path())) {
    Descriptor other(fcntl(memory_.number(), F_DUPFD_CLOEXEC, 0));
    if (!other) return false;
    taken.push_back(std::exchange(memory_, std::move(other)));
  }
  name_ = path();
  handle_ = dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle_ != nullptr;
}

// Where there is no /proc, or memory must not be executed.
bool SharedObject::load_from_private_file(const std::string& content) {
  WorkFolder place(private_folder()->path(), "object-");
  if (!place) return false;
  name_ = (place.path() / "model.so").string();
  {
    const Descriptor file(
        openat(place.folder(), "model.so", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700));
    if (!file || !write_all(file.number(), content)) return false;
  }
  handle_ = dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle_ != nullptr;
}

SharedObject::~SharedObject() {
  if (handle_ != nullptr) dlclose(handle_);
  if (memory_ && is_loaded(name_)) memory_.release();  // its number must not name another object
}

void* SharedObject::find(const char* name) const { return dlsym(handle_, name); }

}  // namespace conesweep::model
