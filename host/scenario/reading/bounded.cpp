#include "scenario/reading/bounded.hpp"

#include <algorithm>
#include <numbers>
#include <string_view>

#include "scenario/formulas.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/dependence.hpp"
#include "support/special_numbers.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// What a contact's number may be.
struct AllowedNumber {
  std::string_view key;
  double upper;  // the lower end is 0
  bool upper_open;
  const char* text;
  Status status;
};
constexpr AllowedNumber ranges[] = {
    {"friction_angle", std::numbers::pi / 2, true, "0 <= friction_angle < pi/2 (in radians)", Status::bad_angle},
    {"friction", infinity, true, "friction >= 0", Status::bad_angle},
    {"restitution", 1, false, "0 <= restitution <= 1", Status::bad_restitution},
    {"cohesion", infinity, true, "cohesion >= 0", Status::bad_limit},
};

void bound_count(const Percussions& percussions, std::vector<Bounded>& list) {
  const Formula& count = percussions.count;
  const std::string range =
      "a whole number from 0 to " + format_count(static_cast<unsigned long long>(most_percussions));
  list.push_back({"count",
                  &count,
                  count.tree,
                  {0, count.text.size()},
                  0,
                  static_cast<double>(most_percussions),
                  false,
                  range,
                  Status::bad_percussions,
                  nullptr});
}

// A set that contains 0: one bound on the size, or two ends around it.
void bound_limit(const Resistance& resistance, std::vector<Bounded>& list) {
  const auto add = [&](const std::string& name, const Formula& formula, double lower, double upper,
                       const std::string& range) {
    list.push_back({name,
                    &formula,
                    formula.tree,
                    {0, formula.text.size()},
                    lower,
                    upper,
                    false,
                    range,
                    Status::bad_limit,
                    nullptr});
  };
  if (resistance.limit.size() == 2) {
    add("the lower end of limit", resistance.limit.front(), -infinity, 0, "<= 0, so that the set contains 0");
    add("the upper end of limit", resistance.limit.back(), 0, infinity, ">= 0, so that the set contains 0");
  } else if (resistance.limit.size() == 1) {
    add("limit", resistance.limit.front(), 0, infinity, "limit >= 0");
  }
  // at the start there may be no atom: only what is the same everywhere can be judged
  if (resistance.percussions && resistance.percussions->limit && is_fixed(resistance.percussions->limit->tree))
    add("percussions.limit", *resistance.percussions->limit, 0, infinity, "limit >= 0");
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
    if (bilateral.friction) {
      const Formula& mu = *bilateral.friction;
      list.push_back({"friction",
                      &mu,
                      mu.tree,
                      {0, mu.text.size()},
                      0,
                      infinity,
                      true,
                      "friction >= 0",
                      Status::bad_angle,
                      nullptr});
    }
  for (const Contact& contact : scenario.contacts)
    for_each_formula(contact, [&](std::string_view key, const Formula& formula) {
      const auto* range =
          std::find_if(std::begin(ranges), std::end(ranges), [&](const AllowedNumber& r) { return r.key == key; });
      if (range == std::end(ranges)) return;  // inside is no number
      list.push_back({std::string(key),
                      &formula,
                      formula.tree,
                      {0, formula.text.size()},
                      0,
                      range->upper,
                      range->upper_open,
                      range->text,
                      range->status,
                      &contact});
    });
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
