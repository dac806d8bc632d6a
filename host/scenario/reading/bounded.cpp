#include "scenario/reading/bounded.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <string_view>

#include "scenario/formulas.hpp"
#include "scenario/limits.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What a contact's number may be.
struct Range {
  std::string_view key;
  double upper;  // the lower end is 0
  bool upper_open;
  const char* text;
  Status status;
};
constexpr Range ranges[] = {
    {"friction_angle", std::numbers::pi / 2, true, "0 <= friction_angle < pi/2 (in radians)", Status::bad_angle},
    {"friction", infinity, true, "friction >= 0", Status::bad_angle},
    {"restitution", 1, false, "0 <= restitution <= 1", Status::bad_restitution},
};

Bounded bound_length(const Scenario& scenario, const Length& term) {
  const expression::Expr& length = term.node->args[1];
  const bool window = term.node->op != expression::Op::delay;
  const bool limited = window && scenario.steps > 0;  // a step that was not understood limits nothing
  const double most = limited ? scenario.h() * static_cast<double>(most_window_steps) : infinity;
  const std::string range =
      limited ? "0 to " + format_short(most) + " (" + format_count(static_cast<unsigned long long>(most_window_steps)) + " steps)" : "a finite number >= 0";
  return {"the length of " + std::string(expression::op_name(term.node->op)),
          term.formula,
          length,
          length->span,
          0,
          most,
          !limited,
          range,
          Status::bad_delay,
          nullptr};
}

}  // namespace

std::vector<Bounded> bounded_numbers(const Scenario& scenario) {
  std::vector<Bounded> list;
  for (const Contact& contact : scenario.contacts)
    for_each_formula(contact, [&](std::string_view key, const Formula& formula) {
      const auto* range = std::find_if(std::begin(ranges), std::end(ranges), [&](const Range& r) { return r.key == key; });
      if (range == std::end(ranges)) return;  // inside is no number
      list.push_back(
          {std::string(key), &formula, formula.tree, {0, formula.text.size()}, 0, range->upper, range->upper_open, range->text, range->status, &contact});
    });
  for (const Length& term : history_lengths(scenario)) list.push_back(bound_length(scenario, term));
  return list;
}

Problem make_problem(const Source& source, const Formula& formula, expression::Span span, Severity severity, std::string message) {
  const Place place = source.inside_string(formula.quote, span.offset);
  const int length = count_characters(std::string_view(formula.text).substr(std::min(span.offset, formula.text.size()), span.length));
  return {severity, source.name, place, std::max(1, length), std::string(source.line(place.line)), std::move(message)};
}

}  // namespace conesweep::scenario
