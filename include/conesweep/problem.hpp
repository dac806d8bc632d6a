#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace conesweep {

/// One thing that is wrong with a scenario, or worth a warning, or good to know, with its place.
struct Problem {
  enum class Severity { error, warning, note };

  Severity severity = Severity::error;
  std::string file;     // the scenario's name, or the setting that came beside it: "step"
  int line = 0;         // from 1; 0: the file as a whole, or a setting
  int column = 0;       // from 1, in characters
  int length = 1;       // characters that it is about
  std::string excerpt;  // the line as it is written; empty where there is none
  std::string text;     // what is wrong
  std::string hint;     // the names that are meant, or allowed: "did you mean 'alpha'?"; mostly empty

  /// "slider.toml:14:18: unknown name …", with the line and a caret under what it is about.
  std::string words() const;
};

/// A scenario that cannot be run, or options that cannot be followed; what() lists every problem with its place.
class ScenarioError : public std::runtime_error {
 public:
  explicit ScenarioError(const std::string& what, std::vector<Problem> problems = {})
      : std::runtime_error(what), problems_(std::make_shared<const std::vector<Problem>>(std::move(problems))) {}

  /// All of them, of a scenario; empty where an option cannot be followed: what() says it.
  const std::vector<Problem>& problems() const { return *problems_; }

 private:
  std::shared_ptr<const std::vector<Problem>> problems_;  // a copy of an exception must not throw
};

/// Something was asked to stop; what() says what is kept.
class Cancelled : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace conesweep
