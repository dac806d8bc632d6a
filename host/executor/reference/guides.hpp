#pragma once

#include <functional>

#include "executor/reference/coupled_laws.hpp"

namespace conesweep::executor::reference::coupled {

/// Guides (G), by their sides. A guide that presses on one side, r_n >= 0 there, is a contact that stays closed; on the
/// other it is one with its normal row turned. So a problem with n guides is one of 2ⁿ with contacts alone.

/// visit(sides), +1 or -1 for each of so many guides, until it returns true: first as `likely` says, then with one of
/// them turned, two, …
void for_each_choice_of_sides(const std::vector<double>& likely,
                              const std::function<bool(const std::vector<double>& sides)>& visit);

/// find_reactions where some parts may be guides: first with the sides on which they would press without friction.
Reactions find_reactions_with_guides(const Laws& laws);

}  // namespace conesweep::executor::reference::coupled
