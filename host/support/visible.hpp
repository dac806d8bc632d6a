#pragma once

#include <string>
#include <string_view>

namespace conesweep {

/// Text of a user's file, safe to show: what a terminal would obey (escape sequences, other control characters, marks that turn the direction of
/// writing) becomes visible, \x1b or \u202e. Line ends and tabs stay.
std::string visible(std::string_view text);

}  // namespace conesweep
