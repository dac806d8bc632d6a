#pragma once

#include <string>

#include "model/descriptor.hpp"

namespace conesweep::model {

/// A shared object loaded from memory: what was checked is what runs, whatever becomes of the file it came from.
class SharedObject {
 public:
  /// Throws SystemError with the loader's words.
  explicit SharedObject(const std::string& content);
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  void* find(const char* name) const;  // null if there is none

 private:
  bool load_from_memory(const std::string& content);
  bool load_from_private_file(const std::string& content);

  Descriptor memory_;
  std::string name_;  // by which the loader knows it
  void* handle_ = nullptr;
};

}  // namespace conesweep::model
