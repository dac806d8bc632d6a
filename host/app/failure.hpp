#pragma once

#include <string>

namespace conesweep::app {

/// How the program ends when something was thrown.
struct Failure {
  int code;
  std::string sentence;  // empty: all is said
};

/// Of the exception that is being handled.
Failure describe_failure();

/// "conesweep: …" on standard error, in one piece: what several processes say at once, a launcher among them, mixes by lines and not by words.
void say(const std::string& sentence);

/// SystemError if standard output does not take what was printed.
void flush_output();

}  // namespace conesweep::app
