#include "executor/reference/observers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/error.hpp"

namespace conesweep::executor::reference {
namespace {

using scenario::Reducer;
using scenario::Standard;

constexpr double never = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Observers::Observers(const scenario::Scenario& scenario) : scenario_(scenario), h_(scenario.h()), first_contact_(never) {
  for (const auto& observable : scenario.observables) {
    const bool sum = observable.reducer == Reducer::integral || observable.reducer == Reducer::mean || observable.reducer == Reducer::count;
    reductions_.push_back({sum ? 0 : never});
  }
}

void Observers::see(const NodeRecord& node, const NodeExpressions& expressions) {
  for (std::size_t k = 0; k < reductions_.size(); ++k) reduce(reductions_[k], scenario_.observables[k], node, expressions);
  penetration_ = std::max(penetration_, node.penetration);
  if (node.last)
    last_ = node;
  else
    see_contact(node);
}

void Observers::reduce(Reduction& reduction, const scenario::Observable& observable, const NodeRecord& node, const NodeExpressions& expressions) const {
  double& value = reduction.value;
  if (takes_condition(observable.reducer)) {
    const bool holds = expressions.holds(observable.formula.tree);
    if (observable.reducer == Reducer::first_time && holds && std::isnan(value)) value = node.t;
    if (observable.reducer == Reducer::last_time && holds) value = node.t;
    if (observable.reducer == Reducer::count && holds && !reduction.held) value += 1;
    reduction.held = holds;
    return;
  }
  const double x = expressions.value(observable.formula.tree);
  switch (observable.reducer) {
    case Reducer::final: value = x; break;
    case Reducer::max: value = x > value || std::isnan(value) ? x : value; break;  // a node where the expression is NaN is skipped
    case Reducer::min: value = x < value || std::isnan(value) ? x : value; break;
    case Reducer::integral:
      if (!node.last) value += h_ * x;
      break;
    case Reducer::mean:
      if (!node.last) value += h_ * x / scenario_.end;
      break;
    default: throw InternalError("every reducer is known", __FILE__, __LINE__);
  }
}

void Observers::see_contact(const NodeRecord& node) {
  variation_ += (node.v - node.v_before).norm();
  work_ += h_ * node.f.dot(node.v_before + node.v) / 2;
  if (!node.contact) {
    // before the first contact all is flight; later the next onset tells
    ++(touched_ ? gap_ : flight_);
    return;
  }
  const ContactRecord& contact = *node.contact;
  if (!touched_) first_contact_ = node.t;
  touched_ = true;

  // (O5) a gap that ends without an impact was slip along the surface
  (contact.impact ? flight_ : slip_) += gap_;
  gap_ = 0;
  ++(node.mode == Mode::stick ? stick_ : slip_);

  if (contact.impact) ++impacts_;
  impulse_ += contact.impulse.r_n;
  dissipated_ -= (node.v - node.w).dot(node.v_before + node.v) / 2;
}

double Observers::standard_value(Standard standard) const {
  switch (standard) {
    case Standard::impacts: return static_cast<double>(impacts_);
    case Standard::first_contact: return first_contact_;
    case Standard::stick_time: return h_ * static_cast<double>(stick_);
    case Standard::slip_time: return h_ * static_cast<double>(slip_);
    case Standard::flight_time: return h_ * static_cast<double>(flight_ + gap_);
    case Standard::dissipated: return dissipated_;
    case Standard::impulse: return impulse_;
    case Standard::variation: return variation_;
    case Standard::penetration: return penetration_;
    case Standard::work: return work_;
  }
  throw InternalError("every standard quantity is known", __FILE__, __LINE__);
}

std::vector<double> Observers::values() const {
  std::vector<double> all;
  for (const Reduction& reduction : reductions_) all.push_back(reduction.value);
  for (const Standard standard : scenario_.standard) all.push_back(standard_value(standard));
  all.insert(all.end(), last_.q.begin(), last_.q.end());
  all.insert(all.end(), last_.v.begin(), last_.v.end());
  return all;
}

}  // namespace conesweep::executor::reference
