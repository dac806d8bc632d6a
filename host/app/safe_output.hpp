#pragma once

#include <iosfwd>
#include <memory>

namespace conesweep::app {

/// While it lives, all that std::cout and std::cerr print is made visible on its way (support/visible.hpp): the one
/// place where text of a user's, which may stand in every name and every sentence, reaches a terminal.
class SafeOutput {
 public:
  SafeOutput();
  ~SafeOutput();
  SafeOutput(const SafeOutput&) = delete;
  SafeOutput& operator=(const SafeOutput&) = delete;

 private:
  class Filter;
  std::unique_ptr<Filter> out_, err_;
};

/// Past it: a table for programs, to standard output as it is unless that is a terminal.
std::ostream& plain_output();

/// Past it, too: what stands on the terminal's last line goes.
void wipe_line();

}  // namespace conesweep::app
