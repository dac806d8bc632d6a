#include "expression/states.hpp"

#include <algorithm>

namespace conesweep::expression {
namespace {

// first those that are summed: who sums tracks takes the first columns
static_assert(std::is_sorted(std::begin(state_kinds), std::end(state_kinds),
                             [](const StateKind& a, const StateKind& b) { return a.summed && !b.summed; }));

std::string name_in(const StateKind& kind, const std::string& of) { return std::string(kind.prefix) + of; }

}  // namespace

const StateKind* kind_of_state(Symbol::Kind kind) {
  const auto found = std::find_if(std::begin(state_kinds), std::end(state_kinds),
                                  [kind](const StateKind& row) { return row.symbol == kind; });
  return found == std::end(state_kinds) ? nullptr : found;
}

std::vector<StateColumn> state_columns(const Names& names) {
  std::vector<StateColumn> columns;
  for (const StateKind& kind : state_kinds) {
    int index = 0;
    for (const std::string& of : names.*kind.of) columns.push_back({name_in(kind, of), {kind.symbol, index++}, &kind});
  }
  return columns;
}

std::vector<std::string> state_names(const Names& names) {
  std::vector<std::string> all;
  for (const StateKind& kind : state_kinds)
    for (const std::string& of : names.*kind.of) all.push_back(name_in(kind, of));
  return all;
}

std::size_t count_states(const Names& names) {
  std::size_t count = 0;
  for (const StateKind& kind : state_kinds) count += (names.*kind.of).size();
  return count;
}

std::vector<std::string> summed_states(const Names& names) {
  std::vector<std::string> summed;
  for (const StateColumn& column : state_columns(names))
    if (column.kind->summed) summed.push_back(column.name);
  return summed;
}

std::optional<Symbol> find_state(const Names& names, std::string_view name) {
  for (const StateKind& kind : state_kinds) {
    if (!name.starts_with(kind.prefix)) continue;
    const auto& all = names.*kind.of;
    const auto found = std::find(all.begin(), all.end(), name.substr(kind.prefix.size()));
    if (found != all.end()) return Symbol{kind.symbol, static_cast<int>(found - all.begin())};
  }
  return std::nullopt;
}

std::string velocity_of(const std::string& coordinate) {
  return name_in(*kind_of_state(Symbol::Kind::velocity), coordinate);
}

}  // namespace conesweep::expression
