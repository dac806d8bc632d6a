#pragma once

#include <optional>
#include <string>
#include <vector>

/// Changes of a scenario's text: what a key stands for is written where it stands, and the rest of the text stays as it
/// is, comments too. So whoever reads it then finds what is wrong in the same way as in any file.
namespace conesweep::scenario {

/// "model.contact.0.friction" in its parts; one in quotes may have dots. InputError if it is no key.
std::vector<std::string> split_key(const std::string& key);

/// A key as TOML writes it, in quotes where it needs them; a text in quotes.
std::string write_key(const std::string& part);
std::string write_string(const std::string& text);

/// Is it a table with lines of its own ([model]), or a list of them ([[model.contact]])? Then its keys are changed, one
/// by one.
bool is_section(const std::string& text, const std::vector<std::string>& key);
bool has_value(const std::string& text, const std::vector<std::string>& key);  // or a section

/// The text with this value, as TOML in one line, in place of what the key had, or with one more line. A number names
/// an element of a list, the number behind the last one a new element. A text that is no TOML stays as it is: its
/// reader says why. InputError where the key cannot be there.
std::string write_value(const std::string& text, const std::vector<std::string>& key, const std::string& value);

/// The text without the key and all that it had.
std::string erase_value(const std::string& text, const std::vector<std::string>& key);

}  // namespace conesweep::scenario
