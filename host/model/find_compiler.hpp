#pragma once

#include <string>
#include <vector>

namespace conesweep::model {

/// The program of that name on PATH, or nothing.
std::string find_program(const std::string& name);

/// The host compiler as words of a command: $CONESWEEP_CXX, $CXX (which may be "ccache g++"), g++, clang++, c++; empty if there is none.
std::vector<std::string> find_host_compiler();

/// " (CXX says 'name')" where a variable names a compiler that is not there, else nothing: ready to append to a message.
std::string missing_compiler();

/// Changes whenever a compiler is another one.
std::string identify_compiler(const std::vector<std::string>& words);

/// Words between blanks.
std::vector<std::string> split_words(const std::string& text);

}  // namespace conesweep::model
