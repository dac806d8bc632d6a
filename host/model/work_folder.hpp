#pragma once

#include <filesystem>
#include <string>

#include "model/descriptor.hpp"

namespace conesweep::model {

/// A fresh folder that only we can enter, removed at the end. Its name is `prefix` and six random letters. While we
/// live we hold the lock of a file in it, so that sweep() of another process can tell it from what a killed one left:
/// process ids would not do, two containers on one disk have the same.
class WorkFolder {
 public:
  /// Without a folder (see operator bool) if the system refuses.
  WorkFolder(const std::filesystem::path& parent, const std::string& prefix);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  explicit operator bool() const { return static_cast<bool>(folder_); }
  const std::filesystem::path& path() const { return path_; }
  int folder() const { return folder_.number(); }

  /// Removes what killed processes left there.
  static void sweep(const std::filesystem::path& parent, const std::string& prefix);

 private:
  std::filesystem::path path_;
  Descriptor folder_, lock_;
  pid_t owner_;  // a child made by fork does not remove it
};

}  // namespace conesweep::model
