#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "support/sentence.hpp"

namespace conesweep {

/// What is thrown to users: `what` has the library's spelling of settings, and whoever has another asks for the
/// sentence.
class UserError : public std::runtime_error {
 public:
  explicit UserError(Sentence sentence)
      : std::runtime_error(sentence.text()), sentence_(std::make_shared<const Sentence>(std::move(sentence))) {}

  const Sentence& sentence() const { return *sentence_; }

 private:
  std::shared_ptr<const Sentence> sentence_;  // a copy of an exception must not throw
};

/// What the user wrote cannot be run; the text says what to change. Exit code 2.
class InputError : public UserError {
 public:
  using UserError::UserError;
};

/// A file, a device or the system refused. Exit code 3.
class SystemError : public UserError {
 public:
  using UserError::UserError;
};

/// The user asked us to stop (Ctrl-C). Exit code 130.
class Interrupted : public UserError {
 public:
  explicit Interrupted(Sentence sentence = "interrupted; nothing was written") : UserError(std::move(sentence)) {}
};

/// A broken invariant of ours. Exit code 3, with the place, so that it can be reported.
class InternalError : public std::logic_error {
 public:
  InternalError(const char* condition, const char* file, int line)
      : std::logic_error(std::string("internal error: ") + condition + " does not hold (" + file + ":" +
                         std::to_string(line) + ")") {}
};

#define CS_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : throw ::conesweep::InternalError(#condition, __FILE__, __LINE__))

}  // namespace conesweep
