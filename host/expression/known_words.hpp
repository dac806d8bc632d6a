#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/tree.hpp"

namespace conesweep::expression {

/// normal, slip and gap ask for something of a law: normal(name). They are words only before a parenthesis, and may be
/// names elsewhere.
bool is_law_word(std::string_view word);

/// A function of the language; none has this name: nullptr.
const Function* find_function(std::string_view name);

/// t, a coordinate, a parameter, or v and a coordinate.
std::optional<Symbol> find_symbol(std::string_view name, const Names& names);

/// All names that an expression may use, for suggestions; with `outcomes` one of a finished member.
std::vector<std::string> known_names(const Names& names, bool outcomes);
std::vector<std::string> known_functions();

/// What is taken from t where the text begins with "(t - tau)", as others write a delay; nothing where it does not, or
/// is no text for a message.
std::string_view find_lag(std::string_view text);

}  // namespace conesweep::expression
