#include "model/sealed_file.hpp"

#include <cstdint>

#include <fcntl.h>
#include <sys/stat.h>

#include "model/descriptor.hpp"
#include "support/hash.hpp"

namespace conesweep::model {
namespace {

constexpr off_t largest_entry = off_t{1} << 30;  // bytes; a model of 2000 observables has a few millions

std::string seal_of(const std::string& name, std::string_view content) {
  return "conesweep:" + to_hex(fnv1a(content, fnv1a(name)));
}

}  // namespace

std::optional<std::string> read_sealed(int folder, const std::string& name) {
  const Descriptor file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file || fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size > largest_entry)
    return std::nullopt;
  if (facts.st_uid != geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) return std::nullopt;
  std::string content;
  if (!read_all(file.number(), content)) return std::nullopt;
  const std::size_t length = seal_of(name, "").size();
  if (content.size() <= length) return std::nullopt;
  const std::string seal = content.substr(content.size() - length);
  content.resize(content.size() - length);
  if (seal != seal_of(name, content)) return std::nullopt;
  futimens(file.number(), nullptr);  // used: keep it
  return content;
}

bool write_sealed(int work, int folder, const std::string& name, const std::string& content) {
  const char* fresh = "sealed";
  unlinkat(work, fresh, 0);
  const Descriptor file(openat(work, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file || !write_all(file.number(), content + seal_of(name, content))) return false;
  return renameat(work, fresh, folder, name.c_str()) == 0;
}

}  // namespace conesweep::model
