#pragma once

#include <string>

#include "support/sentence.hpp"

namespace conesweep::app {

/// How the program ends when something was thrown.
struct Failure {
  int code;
  std::string sentence;  // empty: all is said
};

/// What is needed to end with a sentence when there is no memory left: some of it is put aside, and given back when
/// memory is refused. Where that happens in a place that cannot throw (inside of an OpenMP thread), the program ends
/// there, with the same sentence and code.
void prepare_for_want_of_memory();

/// Of the exception that is being handled.
Failure describe_failure();

/// "conesweep: …" on standard error, in one piece: what several processes say at once, a launcher among them, mixes by
/// lines and not by words.
void say(const Sentence& sentence);

/// SystemError if standard output does not take what was printed.
void flush_output();

}  // namespace conesweep::app
