#include "executor/reference/motion.hpp"

#include <cmath>
#include <limits>

#include "executor/reference/autodiff.hpp"
#include "expression/still_world.hpp"

namespace conesweep::executor::reference {
namespace {

using expression::StillWorld;

double derivative(const expression::Expr& past, const std::vector<double>& parameters, double t) {
  return gradient(expression::evaluate<Dual>(past, StillWorld<Dual>{parameters, {}, make_variable(t, 1, 0)}), 1)[0];
}

// abs, min, max and if may have a kink at 0, where they take the branch of 0; the past has only what is before. A
// smooth derivative changes by nothing on a way as short as this.
double left_derivative_at_zero(const expression::Expr& past, const std::vector<double>& parameters) {
  const double at = derivative(past, parameters, 0), before = derivative(past, parameters, -1e-200);
  return std::fabs(before - at) > 1e-9 * (1 + std::fabs(at)) ? before : at;
}

}  // namespace

double to_whole(double steps) {
  const double whole = std::round(steps);
  return std::fabs(steps - whole) <= 1e-9 ? whole : steps;
}

Motion::Motion(const scenario::Scenario& scenario, const std::vector<double>& parameters)
    : scenario_(scenario), parameters_(parameters), h_(scenario.h()) {}

void Motion::remember(double longest_length) {
  const double reach = std::ceil(longest_length / h_) + 2;
  kept_ = reach < 1e15 ? static_cast<std::size_t>(reach) : std::numeric_limits<std::size_t>::max();
}

double Motion::before_now(double length) const { return to_whole(now_ - to_whole(length / h_)); }

void Motion::add_node(const Vector& q, const Vector& v_before) {
  ++newest_;
  q_.push_back(q);
  v_before_.push_back(v_before);
  if (q_.size() > kept_) q_.pop_front(), v_before_.pop_front();
}

void Motion::look_from(double k, const Vector& q, const Vector& v) {
  now_ = k;
  q_now_ = q;
  v_now_ = v;
}

Vector Motion::position(double k) const {
  if (k < 0) return past_position(k * h_);
  const auto newest = static_cast<double>(newest_);
  if (k > newest) {
    const double share = (k - newest) / (now_ - newest);
    return (1 - share) * q_.back() + share * q_now_;
  }
  const double j = std::floor(k);
  const double share = k - j;
  const std::size_t at = place_of(static_cast<std::int64_t>(j));
  if (share == 0) return q_[at];
  return (1 - share) * q_[at] + share * q_[at + 1];
}

Vector Motion::delayed_velocity(double length) const {
  const double k = before_now(length);
  if (k < 0) return past_velocity(k * h_);
  if (k >= static_cast<double>(newest_)) return v_now_;  // not known yet is what that step will end with
  // the step [t_j, t_{j+1}[ has the velocity that led to node j + 1
  return v_before_[place_of(static_cast<std::int64_t>(std::floor(k)) + 1)];
}

Vector Motion::past_position(double t) const {
  Vector q(scenario_.dimension());
  for (int i = 0; i < scenario_.dimension(); ++i)
    q[i] = expression::evaluate<double>(scenario_.start[static_cast<std::size_t>(i)].past.tree,
                                        StillWorld<double>{parameters_, {}, t});
  return q;
}

Vector Motion::past_velocity(double t) const {
  Vector v(scenario_.dimension());
  for (int i = 0; i < scenario_.dimension(); ++i) {
    const scenario::Start& start = scenario_.start[static_cast<std::size_t>(i)];
    if (t == 0 && start.velocity) {
      v[i] = expression::evaluate<double>(start.velocity->tree, StillWorld<double>{parameters_, {}, 0});
    } else {
      v[i] =
          t == 0 ? left_derivative_at_zero(start.past.tree, parameters_) : derivative(start.past.tree, parameters_, t);
    }
  }
  return v;
}

}  // namespace conesweep::executor::reference
