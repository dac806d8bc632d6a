#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

// The one walk over all formulas. Who adds a formula to the scenario adds it here: the reader counts those it has read and asserts that the walk meets
// as many; the writer writes, the checks look for delays, and the generator plans its history along it.
//
// Definitions are not among them: they are part of the formulas that use them.
//
// visit(key, formula): the key is the one before the formula in the file, "force", "inside", "vx", "max". A formula that was not understood has no tree
// and is left out.

/// Of one contact.
template <class Visit>
void for_each_formula(const Contact& contact, const Visit& visit) {
  if (contact.inside.tree) visit(std::string_view("inside"), contact.inside);
  if (contact.friction) visit(std::string_view(contact.friction_law == FrictionLaw::angle ? "friction_angle" : "friction"), *contact.friction);
  if (contact.restitution) visit(std::string_view("restitution"), *contact.restitution);
}

/// Of [start]: all pasts, then the velocities that are given.
template <class Visit>
void for_each_start_formula(const Scenario& scenario, const Visit& visit) {
  for (std::size_t i = 0; i < scenario.start.size(); ++i)
    if (scenario.start[i].past.tree) visit(std::string_view(scenario.names.coordinates[i]), scenario.start[i].past);
  for (std::size_t i = 0; i < scenario.start.size(); ++i)
    if (scenario.start[i].velocity) visit(std::string_view("v" + scenario.names.coordinates[i]), *scenario.start[i].velocity);
}

/// Of the whole scenario, each once, in the order in which it is written.
template <class Visit>
void for_each_formula(const Scenario& scenario, const Visit& visit) {
  for (const Formula& force : scenario.force) visit(std::string_view("force"), force);
  for (const Contact& contact : scenario.contacts) for_each_formula(contact, visit);
  for_each_start_formula(scenario, visit);
  for (const Observable& observable : scenario.observables) visit(to_name(observable.reducer), observable.formula);
}

std::size_t count_formulas(const Scenario& scenario);

/// A delay or window somewhere in the scenario.
struct Length {
  expression::Expr node;   // delay(…, tau) or window_…(…, delta); its second argument is an expression of parameters
  const Formula* formula;  // where it stands
};
std::vector<Length> history_lengths(const Scenario& scenario);

}  // namespace conesweep::scenario
