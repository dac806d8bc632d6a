#include "executor/reference/present.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "executor/reference/stop.hpp"
#include "expression/still_world.hpp"
#include "scenario/formulas.hpp"
#include "scenario/limits.hpp"
#include "support/error.hpp"

namespace conesweep::executor::reference {

using expression::Expr;
using expression::Node;
using expression::Op;
using expression::Symbol;

struct Present::Now {
  const Present& present;
  double symbol(Symbol s) const { return present.symbol_at(s, present.now_); }
  double history(const Node& node) const { return node.op == Op::delay ? present.delayed(node) : present.window(node); }
};

struct Present::Then {
  const Present& present;
  const Instant& instant;
  double symbol(Symbol s) const { return present.symbol_at(s, instant); }
  double history(const Node&) const { throw InternalError("delays do not nest", __FILE__, __LINE__); }
};

struct Present::InWindow {
  const Present& present;
  const Instant& instant;
  double symbol(Symbol s) const { return present.symbol_at(s, instant); }
  double history(const Node& node) const {
    return expression::evaluate<double>(node.args[0], Then{present, present.now_});
  }
};

Present::Present(const scenario::Scenario& scenario, const std::vector<double>& parameters, Motion& motion,
                 const std::atomic<bool>* stop)
    : scenario_(scenario), parameters_(parameters), stop_(stop), h_(scenario.h()), motion_(motion) {
  motion_.remember(find_lengths());
  const std::size_t count = scenario.contacts.size() + scenario.bilaterals.size() + scenario.resistances.size();
  laws.normal.assign(count, 0);
  laws.slip.assign(count, 0);
  std::set<int> asked;
  scenario::for_each_formula(scenario, [&](std::string_view, const scenario::Formula& formula) {
    expression::for_each_node(formula.tree, [&](const Expr& node) {
      if (node->op == Op::symbol && node->symbol.kind == Symbol::Kind::slip) asked.insert(node->symbol.index);
    });
  });
  slips_asked_.assign(asked.begin(), asked.end());
}

void Present::set_slips(const LawsAtPlace& rows, const Vector& v) {
  for (const int law : slips_asked_) {
    const auto at = static_cast<std::size_t>(law);
    // laws are numbered: contacts, bilateral constraints, resistances
    const std::size_t contacts = scenario_.contacts.size(), others = contacts + scenario_.bilaterals.size();
    if (at < contacts)
      laws.slip[at] = rows.sliding_speed(at, v);
    else if (at < others)
      laws.slip[at] = speed_along(rows.guide(at - contacts), v);
    else
      laws.slip[at] = rows.resistance(at - others).velocities(v).norm();
  }
}

void Present::look_from(double k, double t, const Vector& q, const Vector& v) {
  k_ = k;
  now_ = {t, q, v};
  motion_.look_from(k, q, v);
}

double Present::value(const Expr& expr) const { return expression::evaluate<double>(expr, Now{*this}); }

Vector Present::force() const {
  Vector f(scenario_.dimension());
  for (int c = 0; c < scenario_.dimension(); ++c) f[c] = value(scenario_.force[static_cast<std::size_t>(c)].tree);
  return f;
}
bool Present::holds(const Expr& expr) const { return expression::holds<double>(expr, Now{*this}); }

double Present::symbol_at(Symbol s, const Instant& instant) const {
  const auto index = static_cast<std::size_t>(s.index);
  switch (s.kind) {
    case Symbol::Kind::time: return later_ == 0 ? instant.t : instant.t + later_;
    case Symbol::Kind::coordinate:
      return past_by_.size() == 0 || &instant == &now_ ? instant.q[s.index] : instant.q[s.index] + past_by_[s.index];
    case Symbol::Kind::velocity: return instant.v[s.index];
    case Symbol::Kind::parameter: return parameters_[index];
    case Symbol::Kind::normal: return laws.normal[index];
    case Symbol::Kind::slip: return laws.slip[index];
    case Symbol::Kind::atom:
    case Symbol::Kind::end: break;
  }
  throw InternalError("this symbol has no value here", __FILE__, __LINE__);
}

double Present::delayed(const Node& node) const {
  const double length = lengths_.at(&node), k = motion_.before_now(length);
  return expression::evaluate<double>(node.args[0],
                                      Then{*this, {k * h_, motion_.position(k), motion_.delayed_velocity(length)}});
}

double Present::in_window(const Node& node, double k) const {
  const Vector q = motion_.position(k);
  // a window sees no velocities (the reader refuses them): q stands in for them
  return expression::evaluate<double>(node.args[0], InWindow{*this, {k * h_, q, q}});
}

// the nodes in [t - delta, t], and the window's ends where they are none
double Present::window(const Node& node) const {
  const double oldest = motion_.before_now(lengths_.at(&node));
  double k = oldest;
  double value = in_window(node, k);
  double best = value, area = 0;
  for (int seen = 1; k < k_; ++seen) {
    if (seen % 65536 == 0) require_going_on();
    const double next = std::min(std::floor(k) + 1, k_);
    const double next_value = in_window(node, next);
    if (node.op == Op::window_max ? next_value > best : next_value < best) best = next_value;
    area += (next - k) * (value + next_value) / 2;  // trapezoidal rule
    k = next, value = next_value;
  }
  if (node.op != Op::window_mean) return best;
  return k_ > oldest ? area / (k_ - oldest) : value;
}

// Evaluates the lengths of all delays and windows; returns the longest.
double Present::find_lengths() {
  double longest = 0;
  for (const scenario::Length& term : scenario::history_lengths(scenario_)) {
    const double length = expression::evaluate<double>(term.node->args[1], expression::StillWorld<double>{parameters_});
    if (!(length >= 0 && std::isfinite(length))) throw Stop{Status::bad_delay};
    if (term.node->op != Op::delay && !(length / h_ < static_cast<double>(scenario::most_window_steps + 1)))
      throw Stop{Status::bad_delay};
    lengths_[term.node.get()] = length;
    longest = std::max(longest, length);
  }
  return longest;
}

void Present::require_going_on() const {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw Interrupted();
}

}  // namespace conesweep::executor::reference
