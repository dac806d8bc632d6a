#include "expression/known_words.hpp"

#include <algorithm>
#include <array>

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
  const auto index_in = [](const std::vector<std::string>& list, std::string_view word) {
    const auto found = std::find(list.begin(), list.end(), word);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  };
  if (name == "t") return Symbol{Symbol::Kind::time, 0};
  if (const int i = index_in(names.coordinates, name); i >= 0) return Symbol{Symbol::Kind::coordinate, i};
  if (const int i = index_in(names.parameters, name); i >= 0) return Symbol{Symbol::Kind::parameter, i};
  if (name.starts_with('v'))
    if (const int i = index_in(names.coordinates, name.substr(1)); i >= 0) return Symbol{Symbol::Kind::velocity, i};
  return std::nullopt;
}

std::vector<std::string> known_names(const Names& names, bool outcomes) {
  std::vector<std::string> known;
  if (!outcomes) known = {"t", "pi"};
  known.insert(known.end(), names.coordinates.begin(), names.coordinates.end());
  known.insert(known.end(), names.parameters.begin(), names.parameters.end());
  for (const auto& name : names.coordinates) known.push_back("v" + name);
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
