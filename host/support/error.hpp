#pragma once

#include <stdexcept>
#include <string>

namespace conesweep {

/// What the user wrote cannot be run; the text says what to change. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file, a device or the system refused. Exit code 3.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user asked us to stop (Ctrl-C). Exit code 130.
class Interrupted : public std::runtime_error {
 public:
  explicit Interrupted(const std::string& what = "interrupted; nothing was written") : std::runtime_error(what) {}
};

/// A broken invariant of ours. Exit code 3, with the place, so that it can be reported.
class InternalError : public std::logic_error {
 public:
  InternalError(const char* condition, const char* file, int line)
      : std::logic_error(std::string("internal error: ") + condition + " does not hold (" + file + ":" + std::to_string(line) + ")") {}
};

#define CS_ASSERT(condition) ((condition) ? static_cast<void>(0) : throw ::conesweep::InternalError(#condition, __FILE__, __LINE__))

}  // namespace conesweep
