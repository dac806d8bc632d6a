#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace conesweep::io {

/// JSON for people: a list of numbers, or an object of numbers and words, on one line. NaN and infinity become null.
std::string format_json(const nlohmann::ordered_json& json);

/// The same of a value inside of others: appended, with so many blanks before each further line, and no end of line
/// behind.
void append_json(const nlohmann::ordered_json& json, std::size_t indent, std::string& text);

}  // namespace conesweep::io
