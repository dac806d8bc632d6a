#include "keep/new_folders.hpp"

#include <system_error>

#include "io/files.hpp"

namespace conesweep::keep {

namespace fs = std::filesystem;

void NewFolders::make(const fs::path& path) {
  std::error_code error;
  std::vector<fs::path> missing;
  fs::path folder = fs::absolute(path, error);
  if (error) io::refuse("make", path, error);
  for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path()) {
    if (error) io::refuse("make", path, error);
    if (folder.has_filename()) missing.push_back(folder);
  }
  for (; !missing.empty(); missing.pop_back()) {
    if (fs::create_directory(missing.back(), error)) made_.push_back(missing.back());
    if (error) io::refuse("make", path, error);
  }
}

void NewFolders::remove_empty() noexcept {
  std::error_code error;
  for (; !made_.empty(); made_.pop_back()) {
    if (!fs::is_empty(made_.back(), error) || error) break;
    fs::remove(made_.back(), error);
  }
}

}  // namespace conesweep::keep
