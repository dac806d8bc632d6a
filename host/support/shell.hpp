#pragma once

#include <string>
#include <string_view>

namespace conesweep {

/// One word of a command line, as a shell reads it back: as it is where that is safe, else in single quotes.
std::string quote_for_shell(std::string_view word);

}  // namespace conesweep
