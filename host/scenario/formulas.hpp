#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/states.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::scenario {

// The one walk over all formulas. Who adds a formula to the problem adds it here: the reader counts those it has read
// and asserts that the walk meets as many; the writer writes, the checks look for delays, and the generator plans its
// history along it.
//
// Definitions are not among them: they are part of the formulas that use them.
//
// visit(key, formula): the key is the one before the formula in the file, "force", "inside", "vx", "max". A formula
// that was not understood has no tree and is left out.

/// Of one contact.
template <class Visit>
void for_each_formula(const Contact& contact, const Visit& visit) {
  if (contact.inside.tree) visit(std::string_view("inside"), contact.inside);
  for (const ContactNumber& number : contact_numbers)
    if (number.is_of(contact)) visit(number.key, *(contact.*number.formula));
  for (const Formula& entry : contact.belt) visit(std::string_view("belt"), entry);
  for (const Formula& entry : contact.point) visit(std::string_view("point"), entry);
  for (const Formula& entry : contact.slip) visit(std::string_view("slip"), entry);
}

/// Of one bilateral constraint.
template <class Visit>
void for_each_formula(const Bilateral& bilateral, const Visit& visit) {
  if (bilateral.equation.tree) visit(std::string_view(bilateral.holonomic ? "holds" : "velocity"), bilateral.equation);
  if (bilateral.friction) visit(std::string_view("friction"), *bilateral.friction);
  for (const Formula& entry : bilateral.slip) visit(std::string_view("slip"), entry);
}

/// Of one resistance. Those of its percussions are time, size, count and percussions.limit.
template <class Visit>
void for_each_formula(const Resistance& resistance, const Visit& visit) {
  for (const Formula& entry : resistance.slip) visit(std::string_view("slip"), entry);
  for (const Formula& entry : resistance.drive) visit(std::string_view("drive"), entry);
  for (const Formula& entry : resistance.limit) visit(std::string_view("limit"), entry);
  if (!resistance.percussions) return;
  visit(std::string_view("time"), resistance.percussions->time);
  visit(std::string_view("size"), resistance.percussions->size);
  visit(std::string_view("count"), resistance.percussions->count);
  if (resistance.percussions->limit) visit(std::string_view("percussions.limit"), *resistance.percussions->limit);
}

/// Of [start]: all pasts, then the velocities that are given.
template <class Visit>
void for_each_start_formula(const Problem& problem, const Visit& visit) {
  for (std::size_t i = 0; i < problem.start.size(); ++i)
    if (problem.start[i].past.tree) visit(std::string_view(problem.names.coordinates[i]), problem.start[i].past);
  for (std::size_t i = 0; i < problem.start.size(); ++i)
    if (problem.start[i].velocity)
      visit(std::string_view(expression::velocity_of(problem.names.coordinates[i])), *problem.start[i].velocity);
}

/// Of one observable.
template <class Visit>
void for_each_formula(const Observable& observable, const Visit& visit) {
  visit(to_name(observable.reducer), observable.formula);
  if (observable.after) visit(std::string_view("after"), *observable.after);
  if (observable.before) visit(std::string_view("before"), *observable.before);
}

/// Of the whole problem, each once, in the order in which it is written.
template <class Visit>
void for_each_formula(const Problem& problem, const Visit& visit) {
  for (const Formula& force : problem.force) visit(std::string_view("force"), force);
  for (const Formula& entry : problem.mass) visit(std::string_view("mass"), entry);
  for (const Contact& contact : problem.contacts) for_each_formula(contact, visit);
  for (const Bilateral& bilateral : problem.bilaterals) for_each_formula(bilateral, visit);
  for (const Resistance& resistance : problem.resistances) for_each_formula(resistance, visit);
  for_each_start_formula(problem, visit);
  if (problem.stop) visit(std::string_view("stop"), *problem.stop);
  for (const Observable& observable : problem.observables) for_each_formula(observable, visit);
}

std::size_t count_formulas(const Problem& problem);

/// As they are written.
std::vector<std::string> texts_of(const std::vector<Formula>& formulas);

/// A delay or window somewhere in the problem.
struct Length {
  expression::Expr node;  // delay(…, tau) or window_…(…, delta); its second argument is an expression of parameters
  const Formula* formula;  // where it stands
};
std::vector<Length> history_lengths(const Problem& problem);

}  // namespace conesweep::scenario
