#pragma once

#include <atomic>
#include <unordered_map>
#include <vector>

#include "executor/reference/laws_at_place.hpp"
#include "executor/reference/motion.hpp"

namespace conesweep::executor::reference {

/// Lets an observer evaluate a formula of the scenario at the node it is shown.
class NodeExpressions {
 public:
  virtual ~NodeExpressions() = default;
  virtual double value(const expression::Expr& expr) const = 0;
  virtual bool holds(const expression::Expr& expr) const = 0;
};

/// What normal(…) and slip(…) mean, by the number of the law (O8).
struct LawValues {
  std::vector<double> normal, slip;
};

/// What the names in a member's formulas mean where it is now; delays and windows look back from there (P10), (P11).
class Present final : public NodeExpressions {
 public:
  /// Of a member that moves so. Stops with bad_delay where a length is none.
  Present(const scenario::Scenario& scenario, const std::vector<double>& parameters, Motion& motion,
          const std::atomic<bool>* stop);

  /// Appends node i = 0, 1, … to what the past is made of, with the velocity that led to it.
  void add_node(const Vector& q, const Vector& v_before) { motion_.add_node(q, v_before); }
  const Motion& motion() const { return motion_; }

  /// From now on names mean the time k h, this position and this velocity. k is the newest node, or lies in the step
  /// after it: then the past after the node is the line to this position (B6).
  void look_from(double k, const Vector& q, const Vector& v) { look_from(k, k * h_, q, v); }

  /// The same where the time is known, and not only how many steps it is.
  void look_from(double k, double t, const Vector& q, const Vector& v);

  /// Velocities now mean this one, while what was before stays as it was.
  void set_velocity(const Vector& v) { now_.v = v; }

  /// For a judge: names mean a time later by t, and positions before now other by `past`; 0 and an empty one undo it.
  void disturb(double t, const Vector& past) { later_ = t, past_by_ = past; }

  LawValues laws;

  /// slip(…) of all laws that a formula asks for, with the rows at a place and the velocity v.
  void set_slips(const LawsAtPlace& rows, const Vector& v);

  double value(const expression::Expr& expr) const override;
  bool holds(const expression::Expr& expr) const override;

  /// f(t, past, v)
  Vector force() const;

  /// Throws Interrupted where the run shall stop.
  void require_going_on() const;

 private:
  struct Instant {
    double t;
    Vector q, v;
  };
  struct Now;       // leaves of an expression at the present
  struct Then;      // inside delay(…): everything as it was then
  struct InWindow;  // inside window_…(…): as then, but now(…) is the present

  double symbol_at(expression::Symbol s, const Instant& instant) const;
  double delayed(const expression::Node& node) const;
  double in_window(const expression::Node& node, double k) const;
  double window(const expression::Node& node) const;
  double find_lengths();

  const scenario::Scenario& scenario_;
  const std::vector<double>& parameters_;
  const std::atomic<bool>* stop_;  // may be none
  double h_;
  std::unordered_map<const expression::Node*, double> lengths_;  // of delays and windows, in time
  Motion& motion_;
  std::vector<int> slips_asked_;  // law numbers of all slip(…)
  double k_ = 0;                  // now, in steps
  Instant now_{};
  double later_ = 0;  // what a judge disturbs names by
  Vector past_by_;    // empty: nothing
};

}  // namespace conesweep::executor::reference
