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

}  // namespace

void check_ranges(const Scenario& scenario, const Source& source, Problems& problems) {
  const std::function<Interval(Symbol)> parameters_only = [&](Symbol symbol) -> Interval {
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
  };
  for (const Bounded& number : bounded_numbers(scenario)) {
    const Interval range = expression::bounds(number.tree, parameters_only);
    if (!number.excludes(range)) continue;
    const std::string got =
        range.is_point() ? "is " + format_number(range.lower) : "lies between " + format_number(range.lower) + " and " + format_number(range.upper);
    problems.push_back(make_problem(source, *number.formula, number.span, Severity::error, number.name + " " + got + "; allowed: " + number.range));
  }

  // the start, as far as its support tells; a start known to the number is tried by try_members
  std::vector<Interval> start;
  for (const Start& s : scenario.start) {
    if (!s.past.tree) return;  // not understood
    start.push_back(expression::bounds(s.past.tree, [&](Symbol symbol) {
      return symbol.kind == Symbol::Kind::time ? Interval{0, 0} : parameters_only(symbol);
    }));
  }
  if (start.size() != scenario.names.coordinates.size()) return;
  const auto at_start = [&](Symbol symbol) {
    if (symbol.kind == Symbol::Kind::time) return Interval{0, 0};
    return symbol.kind == Symbol::Kind::coordinate ? start[static_cast<std::size_t>(symbol.index)] : parameters_only(symbol);
  };
  const auto largest = [](Interval i) { return std::max(std::fabs(i.lower), std::fabs(i.upper)); };
  double size = 0;
  for (const Interval& q : start) size = std::hypot(size, largest(q));
  for (const Contact& contact : scenario.contacts)
    if (contact.wall_moves() && contact.friction && contact.belt.empty())
      problems.push_back(
          make_problem(source, contact.inside, {0, contact.inside.text.size()}, Severity::warning,
                       "the wall '" + contact.name + "' moves and has friction, but no belt: along itself its material is taken to stand still"));
  for (const Contact& contact : scenario.contacts)
    if (!contact.belt.empty() && !contact.friction)
      problems.push_back(make_problem(source, contact.belt.front(), {0, contact.belt.front().text.size()}, Severity::warning,
                                      "'" + contact.name + "' has a belt, but no friction: its material moves along and takes nothing with it"));
  warn_of_several_bodies(scenario, source, problems);
  for (const Contact& contact : scenario.contacts) {
    if (!contact.g) continue;  // not understood
    const Interval g = expression::bounds(contact.g, at_start);
    if (g.is_point() || !(g.lower > 0)) continue;
    double steepness = 0;
    for (int i = 0; i < scenario.dimension(); ++i)
      steepness = std::hypot(steepness, largest(expression::bounds(expression::differentiate(contact.g, {Symbol::Kind::coordinate, i}), at_start)));
    const double allowed = scenario.settle ? settling_distance * std::max(1.0, steepness) : start_tolerance * steepness;
    if (g.lower > allowed * (1 + size))
      problems.push_back(
          make_problem(source, contact.inside, {0, contact.inside.text.size()}, Severity::error,
                       "every member starts outside '" + contact.name + "': inside does not hold at t = 0 for any value of the varied parameters"));
  }
}

}  // namespace conesweep::scenario
