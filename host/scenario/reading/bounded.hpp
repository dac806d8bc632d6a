#pragma once

#include <string>
#include <vector>

#include "expression/interval.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// A number of the scenario with its allowed range: numbers of contacts, friction of guides, limits of
/// resistances, numbers of percussions, the lengths of delays and windows.
struct Bounded {
  std::string name;        // as in the file
  const Formula* formula;  // where it stands
  expression::Expr tree;   // of the whole formula, or of a delay inside it
  expression::Span span;
  double lower, upper;
  bool upper_open;         // the upper end itself is not allowed
  std::string range;       // for people
  Status status;           // what becomes of a member that violates it
  const Contact* contact;  // whose number it is; none: a resistance's or a delay's

  bool allows(double x) const { return x >= lower && (upper_open ? x < upper : x <= upper); }
  bool excludes(expression::Interval i) const {
    return i.upper < lower || (upper_open ? i.lower >= upper : i.lower > upper);
  }
};
std::vector<Bounded> bounded_numbers(const Scenario& scenario);

/// A problem that stands inside a formula's string.
Fault make_problem(const Source& source, const Formula& formula, expression::Span span, Severity severity,
                   std::string message);

}  // namespace conesweep::scenario
