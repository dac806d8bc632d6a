#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conesweep {

/// Shortest decimal text that reads back to the same double; "nan", "inf", "-inf" otherwise.
std::string format_number(double value);

/// At most `digits` significant digits, for tables that people read.
std::string format_short(double value, int digits = 6);

/// The same as people write it: −1.5, 7.7·10⁻⁵; and 10⁻⁶.
std::string written(double value, int digits);
std::string power_of_ten(int power);

/// All bits, as C++ reads them: 0x1.8p+1. Like the others the same in every locale.
std::string format_bits(double value);

/// A whole number with thin grouping: 1234567 -> "1,234,567".
std::string format_count(unsigned long long value);

/// The same of a signed count, and with its word: "1 member", "1,234 members".
std::string counted(std::int64_t n);
std::string counted(std::int64_t n, std::string_view one);

/// The word alone: "member" of one, else "members".
std::string plural(std::int64_t n, std::string_view one);

/// Characters of UTF-8 as people count them: what a text is wide in a terminal.
std::size_t display_width(std::string_view text);

/// Of a longer text the first ones, and dots.
std::string cut(const std::string& text, std::size_t most);

/// Seconds as a person says them: "0.42 s", "3 min 05 s", "2 h 10 min", "3 days".
std::string format_duration(double seconds);

/// The known word closest to `word` by edits (insert, delete, replace, swap neighbours); empty if none is near.
std::string closest_name(std::string_view word, std::span<const std::string> known);

/// " did you mean 'x'?" prefixed by ';', or nothing. Ready to append to a message.
std::string suggest(std::string_view word, std::span<const std::string> known);

/// "a, b and c"
std::string join_words(std::span<const std::string> words, std::string_view last = "and");

/// A letter, then letters, digits and underscores.
bool is_identifier(std::string_view text);

}  // namespace conesweep
