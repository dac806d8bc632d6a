#include "expression/known_words.hpp"

#include <algorithm>
#include <array>

#include "expression/states.hpp"

namespace conesweep::expression {
namespace {

constexpr std::array<std::string_view, 3> law_words = {"normal", "slip", "gap"};

}  // namespace

bool is_law_word(std::string_view word) {
  return std::find(law_words.begin(), law_words.end(), word) != law_words.end();
}

const Function* find_function(std::string_view name) {
  for (const auto& function : functions())
    if (function.name == name) return &function;
  return nullptr;
}

std::optional<Symbol> find_symbol(std::string_view name, const Names& names) {
  if (name == "t") return Symbol{Symbol::Kind::time, 0};
  const auto& parameters = names.parameters;
  if (const auto found = std::find(parameters.begin(), parameters.end(), name); found != parameters.end())
    return Symbol{Symbol::Kind::parameter, static_cast<int>(found - parameters.begin())};
  return find_state(names, name);
}

std::vector<std::string> known_names(const Names& names, bool outcomes) {
  std::vector<std::string> known;
  if (!outcomes) known = {"t", "pi"};
  for (const auto& list : {state_names(names), names.parameters}) known.insert(known.end(), list.begin(), list.end());
  for (const auto* list : {&names.definitions, &names.computed})
    for (const auto& definition : *list)
      if (definition.state == Definition::State::ready) known.push_back(definition.name);
  return known;
}

std::vector<std::string> known_functions() {
  std::vector<std::string> known;
  for (const auto& function : functions()) known.emplace_back(function.name);
  known.insert(known.end(), law_words.begin(), law_words.end());
  return known;
}

std::string_view find_lag(std::string_view text) {
  constexpr std::size_t longest_lag = 64;
  std::size_t at = 0;
  const auto skip_spaces = [&] { at = std::min(text.find_first_not_of(' ', at), text.size()); };
  for (const char wanted : {'(', 't', '-'}) {
    skip_spaces();
    if (at == text.size() || text[at++] != wanted) return {};
  }
  skip_spaces();
  int open = 1;
  for (std::size_t end = at; end < std::min(text.size(), at + longest_lag); ++end) {
    if (text[end] < 0x20 || text[end] > 0x7E) return {};
    open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (open == 0) return text.substr(at, text.find_last_not_of(' ', end - 1) + 1 - at);
  }
  return {};
}

}  // namespace conesweep::expression
