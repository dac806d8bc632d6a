#include "scenario/reading/bounded.hpp"

#include <algorithm>
#include <string_view>

#include "scenario/formulas.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/dependence.hpp"
#include "support/special_numbers.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// The number that a whole formula gives, which may be any.
Bounded of_formula(const std::string& name, const Formula& formula, Status status) {
  return {name, &formula, formula.tree, {0, formula.text.size()}, -infinity, infinity, true, {}, status, nullptr};
}

// As a contact's number of that row may be: also of what rubs likewise.
Bounded as_contacts(const ContactNumber& number, const Formula& formula) {
  Bounded bounded = of_formula(std::string(number.key), formula, number.status);
  bounded.lower = 0, bounded.upper = number.upper, bounded.upper_open = number.upper_open;
  bounded.range = number.range;
  return bounded;
}

void bound_friction(const Bilateral& guide, std::vector<Bounded>& list) {
  const auto* friction = std::find_if(std::begin(contact_numbers), std::end(contact_numbers),
                                      [](const ContactNumber& number) { return number.key == "friction"; });
  list.push_back(as_contacts(*friction, *guide.friction));
}

void bound_numbers(const Contact& contact, std::vector<Bounded>& list) {
  for (const ContactNumber& number : contact_numbers) {
    if (!number.is_of(contact)) continue;
    list.push_back(as_contacts(number, *(contact.*number.formula)));
    list.back().contact = &contact;
  }
}

void bound_count(const Percussions& percussions, std::vector<Bounded>& list) {
  Bounded count = of_formula("count", percussions.count, Status::bad_percussions);
  count.lower = 0, count.upper = static_cast<double>(most_percussions), count.upper_open = false;
  count.range = "a whole number from 0 to " + format_count(static_cast<unsigned long long>(most_percussions));
  list.push_back(count);
}

// A set that contains 0: one bound on the size, or two ends around it.
void bound_limit(const Resistance& resistance, std::vector<Bounded>& list) {
  const auto add = [&](const std::string& name, const Formula& formula, const std::string& range) -> Bounded& {
    Bounded end = of_formula(name, formula, Status::bad_limit);
    end.lower = 0, end.upper_open = false, end.range = range;
    list.push_back(end);
    return list.back();
  };
  if (resistance.limit.size() == 2) {
    Bounded& below = add("the lower end of limit", resistance.limit.front(), "<= 0, so that the set contains 0");
    below.lower = -infinity, below.upper = 0;
    add("the upper end of limit", resistance.limit.back(), ">= 0, so that the set contains 0");
  } else if (resistance.limit.size() == 1) {
    add("limit", resistance.limit.front(), "limit >= 0");
  }
  // at the start there may be no atom: only what is the same everywhere can be judged
  if (resistance.percussions && resistance.percussions->limit && is_fixed(resistance.percussions->limit->tree))
    add("percussions.limit", *resistance.percussions->limit, "limit >= 0");
}

Bounded bound_length(const Scenario& scenario, const Length& term) {
  const expression::Expr& length = term.node->args[1];
  const bool window = term.node->op != expression::Op::delay;
  const bool limited = window && scenario.steps > 0;  // a step that was not understood limits nothing
  const double most = limited ? scenario.h() * static_cast<double>(most_window_steps) : infinity;
  const std::string range = limited ? "0 to " + format_short(most) + " (" +
                                          format_count(static_cast<unsigned long long>(most_window_steps)) + " steps)"
                                    : "a finite number >= 0";
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
  for (const Bilateral& bilateral : scenario.bilaterals)
    if (bilateral.friction) bound_friction(bilateral, list);
  for (const Contact& contact : scenario.contacts) bound_numbers(contact, list);
  for (const Resistance& resistance : scenario.resistances) {
    bound_limit(resistance, list);
    if (resistance.percussions) bound_count(*resistance.percussions, list);
  }
  for (const Length& term : history_lengths(scenario)) list.push_back(bound_length(scenario, term));
  return list;
}

Fault make_problem(const Source& source, const Formula& formula, expression::Span span, Severity severity,
                   std::string message) {
  const FilePlace place = source.inside_string(formula.quote, span.offset);
  const int length =
      count_characters(std::string_view(formula.text).substr(std::min(span.offset, formula.text.size()), span.length));
  return {severity, source.name, place, std::max(1, length), std::string(source.line(place.line)), std::move(message)};
}

}  // namespace conesweep::scenario
