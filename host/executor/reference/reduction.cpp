#include "executor/reference/reduction.hpp"

#include <cmath>

#include "expression/still_world.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::executor::reference {
namespace {

using expression::Symbol;
using scenario::Reducer;

// Parameters, and end.
struct RangeWorld {
  expression::StillWorld<double> still;
  double end;
  double symbol(Symbol s) const { return s.kind == Symbol::Kind::end ? end : still.symbol(s); }
  double history(const expression::Node& node) const { return still.history(node); }
};

// in steps; a whole number but for rounding is one
double in_steps(const scenario::Scenario& scenario, const std::optional<scenario::Formula>& time,
                const std::vector<double>& parameters, double otherwise) {
  if (!time) return otherwise;
  const double k = expression::evaluate<double>(time->tree, RangeWorld{{parameters}, scenario.end}) / scenario.h(),
               whole = std::round(k);
  return std::fabs(k - whole) <= 1e-9 * std::max(1.0, std::fabs(k)) ? whole : k;
}

}  // namespace

Reduction::Reduction(const scenario::Scenario& scenario, const scenario::Observable& observable,
                     const std::vector<double>& parameters)
    : observable_(observable),
      h_(scenario.h()),
      after_(in_steps(scenario, observable.after, parameters, -infinity)),
      before_(in_steps(scenario, observable.before, parameters, infinity)),
      best_(nan) {}

bool Reduction::is_seen(std::int64_t i) const {
  return static_cast<double>(i) >= after_ && static_cast<double>(i) <= before_;
}

void Reduction::see(const NodeRecord& node, const NodeExpressions& expressions) {
  if (!is_seen(node.i)) return;
  // a step is seen whose ends are: the one before this node is over
  if (pending_) ++steps_, sum_ += pending_value_;
  pending_ = !node.last;
  ++nodes_;
  if (takes_condition(observable_.reducer))
    see_condition(expressions.holds(observable_.formula.tree), node);
  else
    see_number(expressions.value(observable_.formula.tree), node);
}

void Reduction::see_condition(bool holds, const NodeRecord& node) {
  pending_value_ = holds ? 1 : 0;
  if (holds && (observable_.reducer == Reducer::last_time || std::isnan(best_))) best_ = node.t;
  if (holds && !held_) ++count_;
  held_ = holds;
}

void Reduction::see_number(double x, const NodeRecord& node) {
  pending_value_ = x;
  // a node where the expression is NaN is skipped
  const bool is_better = std::isnan(best_) || (observable_.reducer == Reducer::max ? x > best_ : x < best_);
  if (is_better || observable_.reducer == Reducer::final) best_ = x;
  if (x * sign_ < 0) {
    ++count_;
    // the line from the node before, which is not above 0, to this one; where there is none, this node
    if (x > 0) rises_.push_back(std::isnan(x_before_) ? node.t : node.t - h_ + h_ * (-x_before_ / (x - x_before_)));
  }
  if (x > 0 || x < 0) sign_ = x > 0 ? 1 : -1;
  x_before_ = x;
}

double Reduction::value() const {
  const bool some = nodes_ > 0;
  switch (observable_.reducer) {
    case Reducer::final:
    case Reducer::min:
    case Reducer::max:
    case Reducer::first_time:
    case Reducer::last_time: return best_;
    case Reducer::count:
    case Reducer::crossings: return static_cast<double>(count_);
    case Reducer::integral: return some ? h_ * sum_ : nan;
    case Reducer::mean:
    case Reducer::share: return steps_ > 0 ? sum_ / static_cast<double>(steps_) : nan;
    case Reducer::period:
      return rises_.size() > 1 ? (rises_.back() - rises_.front()) / static_cast<double>(rises_.size() - 1) : nan;
  }
  throw InternalError("every reducer is known", __FILE__, __LINE__);
}

}  // namespace conesweep::executor::reference
