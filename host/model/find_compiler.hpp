#pragma once

#include <string>
#include <vector>

namespace conesweep::model {

/// Words of a command: g++; ccache g++; python3 -m ziglang c++.
using Command = std::vector<std::string>;
std::string join(const Command& words);

/// The program of that name on PATH, or nothing.
std::string find_program(const std::string& name);

/// The C++ compilers of this machine, in the order in which they are tried: $CONESWEEP_CXX, $CXX, g++, clang++, c++;
/// where none of them works, or `further`, also those with a number in their names, the newest first; then that of the
/// Python package ziglang. Those that refused something in this process come last.
std::vector<Command> find_host_compilers(bool further = false);

/// The first of them; empty if there is none.
Command find_host_compiler();

/// That a compiler refused, in words for the user, as long as the process lives; and these words, or nothing.
void keep_refusal(const Command& words, const std::string& what);
std::string find_refusal(const Command& words);

/// " (CXX says 'name')" where a variable names a compiler that is not there, else nothing: ready to append to a
/// message.
std::string missing_compiler();

/// What to do where there is none, for a message: "install g++", and pip's way where pip installed us.
std::string advise_compiler();

/// What a compiler says about itself, by --version.
std::string ask_version(const Command& words);

/// Changes whenever a compiler is another one: by its files; one that is named by words that are no programs is asked.
std::string identify_compiler(const Command& words);

/// Words between blanks.
std::vector<std::string> split_words(const std::string& text);

}  // namespace conesweep::model
