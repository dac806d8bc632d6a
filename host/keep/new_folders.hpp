#pragma once

#include <filesystem>
#include <vector>

namespace conesweep::keep {

/// Folders that were not there. They go again as far as they are empty, unless they are kept.
class NewFolders {
 public:
  NewFolders() = default;
  ~NewFolders() { remove_empty(); }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

  /// SystemError if it cannot be made.
  void make(const std::filesystem::path& path);

  void remove_empty() noexcept;
  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;  // outermost first
};

}  // namespace conesweep::keep
