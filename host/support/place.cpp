#include "support/place.hpp"

#include <cstdlib>

#include <dlfcn.h>

namespace conesweep {

namespace fs = std::filesystem;

fs::path file_of(const void* function) {
  Dl_info found{};
  if (dladdr(function, &found) == 0 || found.dli_fname == nullptr) return {};
  std::error_code ignored;
  return fs::absolute(found.dli_fname, ignored).lexically_normal();  // where a program found us by bin/..
}

fs::path own_folder() { return file_of(reinterpret_cast<const void*>(&own_folder)).parent_path(); }

bool is_python_package() {
  std::error_code ignored;
  return fs::exists(own_folder() / "__init__.py", ignored);
}

std::vector<fs::path> python_folders() {
  std::vector<fs::path> folders;
  if (is_python_package()) folders.push_back(own_folder().parent_path());
  std::error_code ignored;
  if (const char* environment = std::getenv("VIRTUAL_ENV"); environment != nullptr && *environment != '\0')
    for (const auto& python : fs::directory_iterator(fs::path(environment) / "lib", ignored))
      if (const fs::path folder = python.path() / "site-packages"; fs::is_directory(folder, ignored))
        folders.push_back(folder);
  return folders;
}

}  // namespace conesweep
