#include <algorithm>
#include <cmath>
#include <functional>

#include "expression/calculus.hpp"
#include "expression/interval.hpp"
#include "sampling/distribution.hpp"
#include "scenario/formulas.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/bodies.hpp"
#include "scenario/reading/bounded.hpp"
#include "scenario/reading/check.hpp"
#include "support/special_numbers.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Interval;
using expression::Symbol;
using Bounds = std::function<Interval(Symbol)>;

std::string describe(const std::string& name, Interval range) {
  return name + " " +
         (range.is_point() ? "is " + format_number(range.lower)
                           : "lies between " + format_number(range.lower) + " and " + format_number(range.upper));
}

// (O9) A time in steps; one that is a node but for rounding is that node.
double in_steps(const Scenario& scenario, double time) {
  const double steps = time / scenario.h(), nearest = std::round(steps);
  return std::fabs(steps - nearest) <= whole_steps_tolerance * std::max(1.0, std::fabs(steps)) ? nearest : steps;
}

// An observable that no member sees a node for. `after` at its earliest and `before` at its latest see the most: where
// they see nothing, nobody does.
void check_seen_nodes(const Scenario& scenario, const Observable& observable, const Bounds& parameters,
                      const Source& source, Faults& problems) {
  const auto bounds_of = [&](const std::optional<Formula>& time, double otherwise) {
    if (!time) return Interval{otherwise, otherwise};
    return expression::bounds(time->tree, [&](Symbol s) {
      return s.kind == Symbol::Kind::end ? Interval{scenario.end, scenario.end} : parameters(s);
    });
  };
  const auto report = [&](const std::optional<Formula>& time, const std::string& message) {
    problems.push_back(make_problem(source, *time, {0, time->text.size()}, Severity::error, message));
  };
  const Interval after = bounds_of(observable.after, 0), before = bounds_of(observable.before, scenario.end);
  const double first = std::max(0.0, std::ceil(in_steps(scenario, after.lower))),
               last = std::floor(in_steps(scenario, before.upper));
  const auto end = static_cast<double>(scenario.steps);
  const std::string none = ", so that '" + observable.name + "' sees no node of any member; ";
  const bool of_steps = observable.reducer == Reducer::mean || observable.reducer == Reducer::share;
  if (first > end)
    report(observable.after, describe("after", after) + " and members end at " + format_number(scenario.end) + none +
                                 "give an earlier time, \"end/2\" for example");
  else if (last < 0)
    report(observable.before,
           describe("before", before) + " and members start at 0" + none + "give a later time, \"end/2\" for example");
  else if (first > last)
    report(observable.before, describe("after", after) + ", " + describe("before", before) + none +
                                  "they must leave a step between them, of " + format_short(scenario.h()));
  else if (of_steps && first >= std::min(last, end))
    report(observable.after ? observable.after : observable.before,
           (observable.after ? describe("after", after) : describe("before", before)) + ", so that '" +
               observable.name + "' sees one node and no step, of which a " + std::string(to_name(observable.reducer)) +
               " is made; let it see more time");
}

// What a parameter may be; anything else may be any number.
Interval bounds_of_parameter(const Scenario& scenario, Symbol symbol) {
  if (symbol.kind != Symbol::Kind::parameter) return {-infinity, infinity};
  for (const Variation& variation : scenario.vary)
    if (variation.parameter == symbol.index) {
      const auto [lower, upper] = sampling::support(variation.distribution);
      return {lower, upper};
    }
  for (const SweepAxis& axis : scenario.sweep)
    if (axis.parameter == symbol.index) {
      const auto [lower, upper] = std::minmax_element(axis.values.begin(), axis.values.end());
      return {*lower, *upper};
    }
  const double value = scenario.defaults[static_cast<std::size_t>(symbol.index)];
  return {value, value};
}

// Belts that take nothing with them, and walls with friction that move without one.
void warn_of_belts(const Scenario& scenario, const Source& source, Faults& problems) {
  for (const Contact& contact : scenario.contacts)
    if (contact.wall_moves() && contact.friction && contact.belt.empty())
      problems.push_back(
          make_problem(source, contact.inside, {0, contact.inside.text.size()}, Severity::warning,
                       "the wall '" + contact.name +
                           "' moves and has friction, but no belt: along itself its material is taken to stand still"));
  for (const Contact& contact : scenario.contacts)
    if (!contact.belt.empty() && !contact.friction)
      problems.push_back(make_problem(
          source, contact.belt.front(), {0, contact.belt.front().text.size()}, Severity::warning,
          "'" + contact.name + "' has a belt, but no friction: its material moves along and takes nothing with it"));
}

// Contacts outside of which every member starts, whatever the parameters; `start` has the bounds of all coordinates.
void check_start(const Scenario& scenario, const Source& source, const std::vector<Interval>& start, Faults& problems) {
  const auto at_start = [&](Symbol symbol) {
    if (symbol.kind == Symbol::Kind::time) return Interval{0, 0};
    return symbol.kind == Symbol::Kind::coordinate ? start[static_cast<std::size_t>(symbol.index)]
                                                   : bounds_of_parameter(scenario, symbol);
  };
  const auto largest = [](Interval i) { return std::max(std::fabs(i.lower), std::fabs(i.upper)); };
  double size = 0;
  for (const Interval& q : start) size = std::hypot(size, largest(q));
  for (const Contact& contact : scenario.contacts) {
    if (!contact.g) continue;  // not understood
    const Interval g = expression::bounds(contact.g, at_start);
    if (g.is_point() || !(g.lower > 0)) continue;
    double steepness = 0;
    for (int i = 0; i < scenario.dimension(); ++i)
      steepness = std::hypot(
          steepness,
          largest(expression::bounds(expression::differentiate(contact.g, {Symbol::Kind::coordinate, i}), at_start)));
    const double allowed = scenario.settle ? settling_distance * std::max(1.0, steepness) : start_tolerance * steepness;
    if (g.lower > allowed * (1 + size))
      problems.push_back(make_problem(source, contact.inside, {0, contact.inside.text.size()}, Severity::error,
                                      "every member starts outside '" + contact.name +
                                          "': inside does not hold at t = 0 for any value of the varied parameters"));
  }
}

}  // namespace

void check_ranges(const Scenario& scenario, const Source& source, Faults& problems) {
  const Bounds parameters_only = [&](Symbol symbol) { return bounds_of_parameter(scenario, symbol); };
  for (const Bounded& number : bounded_numbers(scenario)) {
    const Interval range = expression::bounds(number.tree, parameters_only);
    if (!number.excludes(range)) continue;
    problems.push_back(make_problem(source, *number.formula, number.span, Severity::error,
                                    describe(number.name, range) + "; allowed: " + number.range));
  }
  for (const Observable& observable : scenario.observables)
    if (has_range(observable) && scenario.steps > 0)
      check_seen_nodes(scenario, observable, parameters_only, source, problems);

  // the start, as far as its support tells; a start known to the number is tried by try_members
  std::vector<Interval> start;
  for (const Start& s : scenario.start) {
    if (!s.past.tree) return;  // not understood
    start.push_back(expression::bounds(s.past.tree, [&](Symbol symbol) {
      return symbol.kind == Symbol::Kind::time ? Interval{0, 0} : parameters_only(symbol);
    }));
  }
  if (start.size() != scenario.names.coordinates.size()) return;
  warn_of_belts(scenario, source, problems);
  warn_of_several_bodies(scenario, source, problems);
  check_start(scenario, source, start, problems);
}

}  // namespace conesweep::scenario
