#pragma once

#include <vector>

#include "executor/reference/stretch.hpp"

namespace conesweep::executor::reference {

/// Adds up the stretches of one step (B6): mostly one.
class StepAccount {
 public:
  StepAccount(const scenario::Scenario& scenario, const std::vector<bool>& active_before, const Vector& v_before)
      : scenario_(scenario), active_before_(active_before), v_(v_before) {}

  void add(const Solved& solved);

  /// At an arrival within a stretch (I): contacts that do nothing there, and resistances, stay as they were.
  void add_arrival(const Solved& solved, double time);

  /// Writes w, v, contacts, balance and mode into the node.
  void tell(NodeRecord& node);

  const std::vector<double>& normal_impulse() const { return normal_impulse_; }  // by law
  bool hyperstatic() const { return hyperstatic_; }

 private:
  void add_sums(const Solved& solved);
  void close_stretch();
  void add_contacts(const Solved& solved, double arrival);
  Mode mode(const NodeRecord& node) const;

  const scenario::Scenario& scenario_;
  const std::vector<bool>& active_before_;  // contacts at the node before
  std::vector<ContactPart> contacts_;       // that were active so far, in file order
  std::vector<ContactRecord> opened_;       // that pulled
  std::vector<Mode> guides_, resistances_;  // in the newest stretch
  std::vector<double> normal_impulse_;
  Balance balance_;
  Vector w_, v_;
  coupled::Vector steady_;       // (O7) what the newest stretch changed of the velocity, but for impacts on its way
  coupled::Matrix steady_mass_;  // its metric
  bool hyperstatic_ = false;
  Certificates certificates_;
  JointSolve joint_;  // passes of all stretches, their worst residual
};

}  // namespace conesweep::executor::reference
