#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expression/tree.hpp"

namespace conesweep::expression {

/// A kind of numbers that a member's state is made of.
struct StateKind {
  Symbol::Kind symbol;    // what formulas know it by
  std::string_view word;  // for people: "coordinate x"
  // one number for each of these, named like it with the prefix before
  std::vector<std::string> Names::*of;
  std::string_view prefix;
  bool summed;  // mean, spread and quantiles over all members go with the trajectories
};

/// The table of a member's state: whatever has a column for each number of it (trajectories, final values, the ring,
/// the names that formulas know) has these, in this order. include/conesweep/state/columns.hpp is the same for compiled
/// models.
inline constexpr StateKind state_kinds[] = {
    {Symbol::Kind::coordinate, "coordinate", &Names::coordinates, "", true},
    {Symbol::Kind::velocity, "velocity", &Names::coordinates, "v", false},
};

/// One number of the state.
struct StateColumn {
  std::string name;
  Symbol symbol;
  const StateKind* kind;
};
std::vector<StateColumn> state_columns(const Names& names);

/// Their names alone, and how many there are.
std::vector<std::string> state_names(const Names& names);
std::size_t count_states(const Names& names);

/// Those that have statistics over time. They come first.
std::vector<std::string> summed_states(const Names& names);

/// What a name is of the state, if it is anything.
std::optional<Symbol> find_state(const Names& names, std::string_view name);

/// The kind of a symbol; null if it is no part of the state.
const StateKind* kind_of_state(Symbol::Kind kind);

/// The name of a coordinate's velocity.
std::string velocity_of(const std::string& coordinate);

}  // namespace conesweep::expression
