#pragma once

#include <string>
#include <string_view>

namespace conesweep {

/// Text of a user's file, safe to show: what a terminal would obey (escape sequences, other control characters, marks
/// that turn the direction of writing) becomes visible, \x1b or \u202e; so do bytes that are no UTF-8, \xff. Line ends
/// and tabs stay.
std::string visible(std::string_view text);

/// How many bytes of a text that goes on end with a whole character.
std::size_t whole_characters(std::string_view text);

}  // namespace conesweep
