#include "executor/reference/member.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <unordered_map>

#include "executor/reference/autodiff.hpp"
#include "expression/still_world.hpp"
#include "scenario/formulas.hpp"
#include "scenario/limits.hpp"
#include "support/error.hpp"

namespace conesweep::executor::reference {
namespace {

using expression::Expr;
using expression::Node;
using expression::Op;
using expression::Symbol;

// Ends a member early.
struct Stop {
  Status status;
  double time;
};

// What the names mean at one instant: now, or at some time of the past.
struct Instant {
  double t;
  const Vector& q;
  const Vector& v;
};

class Member final : public NodeExpressions {
 public:
  Member(const scenario::Scenario& scenario, const std::vector<double>& parameters, const std::atomic<bool>* stop)
      : scenario_(scenario), parameters_(parameters), stop_(stop), h_(scenario.h()), motion_(scenario, parameters, find_lengths()) {}

  void run(const NodeVisitor& visit) {
    Vector q = motion_.past_position(0);
    Vector v = motion_.past_velocity(0);
    Mode mode = Mode::flight;
    require_finite(q, 0), require_finite(v, 0);
    require_inside(q);

    for (std::int64_t i = 0; i < scenario_.steps; ++i) {
      require_going_on();
      i_ = i;
      NodeRecord node;
      node.i = i;
      node.t = scenario_.time(i);
      node.q = q;
      node.v_before = v;
      motion_.add_node(q, v);

      // (P1) prospective velocity: forces see the past
      node.f = force(node);
      node.w = v + h_ * node.f;
      require_finite(node.w, node.t);

      // (P2) contact is active where the particle is outside and moving further out
      node.contact = find_contact(node);
      node.penetration = penetration(q, node.t);

      // (P3), (P4), (P12) the velocity after contact
      node.v = node.w;
      if (node.contact) apply_contact(node);
      require_finite(node.v, node.t);

      show(node, visit);

      // (P5) move
      q = q + h_ * node.v;
      v = node.v;
      mode = node.mode;
      require_finite(q, scenario_.time(i + 1));
    }

    // node N, with v_N := v_{N-1}
    i_ = scenario_.steps;
    motion_.add_node(q, v);
    NodeRecord end;
    end.i = scenario_.steps;
    end.t = scenario_.time(end.i);
    end.q = q;
    end.v_before = end.w = end.v = v;
    end.mode = mode;
    end.penetration = penetration(q, end.t);
    end.last = true;
    show(end, visit);
  }

  // ---- expressions at the node being shown ----------------------------------------------------------------------------

  double value(const Expr& expr) const override { return expression::evaluate<double>(expr, Present{*this}); }
  bool holds(const Expr& expr) const override { return expression::holds<double>(expr, Present{*this}); }

 private:
  // ---- the scheme -----------------------------------------------------------------------------------------------------

  Vector force(const NodeRecord& node) {
    const Instant now{node.t, node.q, node.v_before};
    now_ = &now;
    Vector f(scenario_.dimension());
    for (int c = 0; c < scenario_.dimension(); ++c) f[c] = value(scenario_.force[static_cast<std::size_t>(c)].tree);
    now_ = nullptr;
    return f;
  }

  std::optional<ContactRecord> find_contact(const NodeRecord& node) {
    std::optional<ContactRecord> active;
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
      const double g = constraint(p, node.q);
      if (std::isnan(g)) throw Stop{Status::non_finite, node.t};  // a wall that is nowhere would let everything through
      if (g < 0) continue;
      const Vector outward = gradient_of_constraint(p, node.q, node.t);
      if (!(outward.dot(node.w) > 0)) continue;
      if (active) throw Stop{Status::several_contacts, node.t};
      active.emplace();
      active->contact = static_cast<int>(p);
      active->n = -outward / outward.norm();
    }
    return active;
  }

  void apply_contact(NodeRecord& node) {
    ContactRecord& contact = *node.contact;
    const auto& law = scenario_.contacts[static_cast<std::size_t>(contact.contact)];
    const Instant now{node.t, node.q, node.v_before};
    now_ = &now;
    contact.mu = friction(law, node.t);
    const double e = law.restitution ? value(law.restitution->tree) : 0;
    now_ = nullptr;
    if (!(e >= 0 && e <= 1)) throw Stop{Status::bad_restitution, node.t};

    contact.impulse = solve_contact(node.w, node.v_before, contact.n, contact.mu, e);
    node.v = contact.impulse.v;
    node.mode = contact.impulse.slip_after == 0 ? Mode::stick : Mode::slip;

    // (O3) an impact arrives faster than ten steps of the present force could make it
    contact.onset = previous_contact_ != contact.contact;
    contact.impact = contact.onset && std::fabs(node.v_before.dot(contact.n)) > 10 * std::fabs(h_ * node.f.dot(contact.n));
  }

  double friction(const scenario::Contact& law, double t) const {
    switch (law.friction_law) {
      case scenario::FrictionLaw::none: return 0;
      case scenario::FrictionLaw::angle: {
        const double alpha = value(law.friction->tree);
        if (!(alpha >= 0 && alpha < std::numbers::pi / 2)) throw Stop{Status::bad_angle, t};
        return std::tan(alpha);
      }
      case scenario::FrictionLaw::coefficient: {
        const double mu = value(law.friction->tree);
        if (!(mu >= 0 && std::isfinite(mu))) throw Stop{Status::bad_angle, t};
        return mu;
      }
    }
    throw InternalError("friction has one of three laws", __FILE__, __LINE__);
  }

  void show(const NodeRecord& node, const NodeVisitor& visit) {
    const Instant now{node.t, node.q, node.v};
    now_ = &now;
    visit(node, *this);
    now_ = nullptr;
    previous_contact_ = node.contact ? node.contact->contact : -1;
  }

  // ---- the constraint g and its gradient ------------------------------------------------------------------------------

  double constraint(std::size_t p, const Vector& q) const {
    return expression::evaluate<double>(scenario_.contacts[p].g,
                                        expression::StillWorld<double>{parameters_, std::span(q.data(), static_cast<std::size_t>(q.size()))});
  }

  Vector gradient_of_constraint(std::size_t p, const Vector& q, double t) const {
    std::vector<Dual> variables;
    for (int i = 0; i < q.size(); ++i) variables.push_back(make_variable(q[i], static_cast<int>(q.size()), i));
    const Dual g = expression::evaluate<Dual>(scenario_.contacts[p].g, expression::StillWorld<Dual>{parameters_, variables});
    const Vector outward = gradient(g, q.size());
    const double steepness = outward.norm();
    if (!(steepness > 0) || !std::isfinite(steepness)) throw Stop{Status::singular_gradient, t};
    return outward;
  }

  // (O7) the largest max(0, g) / |grad g|
  double penetration(const Vector& q, double t) const {
    double deepest = 0;
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p)
      if (const double g = constraint(p, q); g > 0) deepest = std::max(deepest, g / gradient_of_constraint(p, q, t).norm());
    return deepest;
  }

  // ---- history (P10), (P11) -------------------------------------------------------------------------------------------

  // Leaves of an expression at the present; delays and windows look back from here.
  struct Present {
    const Member& member;
    double symbol(Symbol s) const { return member.symbol_at(s, *member.now_); }
    double history(const Node& node) const { return node.op == Op::delay ? member.delayed(node) : member.window(node); }
  };

  // Leaves inside delay(…): everything as it was then.
  struct Then {
    const Member& member;
    Instant instant;
    double symbol(Symbol s) const { return member.symbol_at(s, instant); }
    double history(const Node&) const { throw InternalError("delays do not nest", __FILE__, __LINE__); }
  };

  // Leaves inside window_…(…): as then, but now(…) is the present.
  struct InWindow {
    const Member& member;
    Instant instant;
    double symbol(Symbol s) const { return member.symbol_at(s, instant); }
    double history(const Node& node) const { return expression::evaluate<double>(node.args[0], Then{member, *member.now_}); }
  };

  double symbol_at(Symbol s, const Instant& instant) const {
    switch (s.kind) {
      case Symbol::Kind::time: return instant.t;
      case Symbol::Kind::coordinate: return instant.q[s.index];
      case Symbol::Kind::velocity: return instant.v[s.index];
      case Symbol::Kind::parameter: return parameters_[static_cast<std::size_t>(s.index)];
    }
    throw InternalError("a symbol has one of four kinds", __FILE__, __LINE__);
  }

  double delayed(const Node& node) const {
    const double k = static_cast<double>(i_) - motion_.in_steps(lengths_.at(&node));
    const Vector q = motion_.position(k), v = motion_.velocity(k);
    return expression::evaluate<double>(node.args[0], Then{*this, {k * h_, q, v}});
  }

  double in_window(const Node& node, double k) const {
    const Vector q = motion_.position(k);
    return expression::evaluate<double>(node.args[0], InWindow{*this, {k * h_, q, q}});  // velocities have no place in a window
  }

  // the nodes in [t - delta, t], and the window's older end where it is none
  double window(const Node& node) const {
    const double now = static_cast<double>(i_);
    const double oldest = now - motion_.in_steps(lengths_.at(&node));
    double k = oldest;
    double value = in_window(node, k);
    double best = value, area = 0;
    for (int seen = 1; k < now; ++seen) {
      if (seen % 65536 == 0) require_going_on();
      const double next = std::floor(k) + 1;
      const double next_value = in_window(node, next);
      if (node.op == Op::window_max ? next_value > best : next_value < best) best = next_value;
      area += (next - k) * (value + next_value) / 2;  // trapezoidal rule
      k = next, value = next_value;
    }
    if (node.op != Op::window_mean) return best;
    return now > oldest ? area / (now - oldest) : value;
  }

  // Evaluates the lengths of all delays and windows; returns the longest.
  double find_lengths() {
    double longest = 0;
    for (const scenario::Length& term : scenario::history_lengths(scenario_)) {
      const double length = expression::evaluate<double>(term.node->args[1], expression::StillWorld<double>{parameters_});
      if (!(length >= 0 && std::isfinite(length))) throw Stop{Status::bad_delay, 0};
      if (term.node->op != Op::delay && !(length / h_ < static_cast<double>(scenario::most_window_steps + 1))) throw Stop{Status::bad_delay, 0};
      lengths_[term.node.get()] = length;
      longest = std::max(longest, length);
    }
    return longest;
  }

  // ---- what stops a member --------------------------------------------------------------------------------------------

  void require_going_on() const {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw Interrupted();
  }

  static void require_finite(const Vector& x, double t) {
    if (!x.allFinite()) throw Stop{Status::non_finite, t};
  }

  void require_inside(const Vector& q) const {
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
      const double g = constraint(p, q);
      if (g > 0 && g / gradient_of_constraint(p, q, 0).norm() > scenario::start_tolerance * (1 + q.norm())) throw Stop{Status::start_outside, 0};
    }
  }

  const scenario::Scenario& scenario_;
  const std::vector<double>& parameters_;
  const std::atomic<bool>* stop_;  // may be none
  double h_;
  std::unordered_map<const Node*, double> lengths_;  // of delays and windows, in time
  Motion motion_;
  std::int64_t i_ = 0;            // the present node
  const Instant* now_ = nullptr;  // what names mean at it
  int previous_contact_ = -1;     // active at the node before; -1: none
};

}  // namespace

MemberEnd run_member(const scenario::Scenario& scenario, const std::vector<double>& parameters, const NodeVisitor& visit, const std::atomic<bool>* stop) {
  try {
    Member(scenario, parameters, stop).run(visit);
    return {};
  } catch (const Stop& early) {
    return {early.status, early.time};
  }
}

}  // namespace conesweep::executor::reference
