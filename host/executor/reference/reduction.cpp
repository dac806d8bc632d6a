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

bool is_sum(Reducer reducer) { return reducer == Reducer::integral || reducer == Reducer::mean; }
bool is_time(Reducer reducer) { return reducer == Reducer::first_time || reducer == Reducer::last_time; }

// of a single comparison: by how much it holds
std::optional<double> find_margin(const expression::Expr& condition, const NodeExpressions& expressions) {
  using expression::Op;
  const bool less = condition->op == Op::less || condition->op == Op::less_equal;
  if (!less && condition->op != Op::greater && condition->op != Op::greater_equal) return std::nullopt;
  const double change = expressions.value(condition->args[1]) - expressions.value(condition->args[0]);
  return less ? change : -change;
}

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
      second_order_(scenario.order == 2),
      h_(scenario.h()),
      after_(in_steps(scenario, observable.after, parameters, -infinity)),
      before_(in_steps(scenario, observable.before, parameters, infinity)),
      best_(nan) {}

bool Reduction::is_seen(std::int64_t i) const {
  return static_cast<double>(i) >= after_ && static_cast<double>(i) <= before_;
}

void Reduction::see(const NodeRecord& node, const NodeExpressions& expressions) {
  if (!is_seen(node.i) || (node.between && (!is_seen(node.i + 1) || observable_.reducer == Reducer::share))) return;
  if (node.between && (observable_.reducer == Reducer::final)) return;
  if (second_order_ && is_sum(observable_.reducer))
    return see_second_order(expressions.value(observable_.formula.tree), node);
  if (second_order_ && is_time(observable_.reducer)) {
    if (const auto margin = find_margin(observable_.formula.tree, expressions)) {
      ++nodes_;
      return see_comparison(*margin, expressions.holds(observable_.formula.tree), node.t);
    }
  }
  // a step is seen whose ends are: the one before this node is over
  if (pending_ && !node.between) ++steps_, sum_ += pending_value_;
  if (!node.between) pending_ = !node.last;
  ++nodes_;
  if (takes_condition(observable_.reducer))
    see_condition(expressions.holds(observable_.formula.tree), node);
  else
    see_number(expressions.value(observable_.formula.tree), node);
}

// (A14) by the trapezoidal rule over pieces
void Reduction::see_second_order(double x, const NodeRecord& node) {
  ++nodes_;
  if (known_) sum_ += (node.t - t_before_) / h_ * (x_before_ + x) / 2;
  if (known_ && !node.between) ++steps_;
  known_ = true;
  x_before_ = x, t_before_ = node.t;
}

// (A14) a comparison begins or ceases to hold on the line between two looks
void Reduction::see_comparison(double margin, bool holds, double t) {
  double crossing = t;
  if (known_) {
    const double share = x_before_ / (x_before_ - margin);
    if (share >= 0 && share <= 1) crossing = t_before_ + share * (t - t_before_);
  }
  if (observable_.reducer == Reducer::first_time) {
    if (holds && std::isnan(best_)) best_ = crossing;
  } else if (holds) {
    best_ = t;
  } else if (held_) {
    best_ = crossing;
  }
  held_ = holds, known_ = true;
  x_before_ = margin, t_before_ = t;
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
  const double since = second_order_ ? t_before_ : node.t - h_;
  if (x * sign_ < 0) {
    ++count_;
    // the line from the node before, which is not above 0, to this one; where there is none, this node
    if (x > 0)
      rises_.push_back(std::isnan(x_before_) ? node.t : since + (node.t - since) * (-x_before_ / (x - x_before_)));
  }
  t_before_ = node.t;
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
