#pragma once

#include <vector>

#include "executor/reference/member.hpp"

namespace conesweep::executor::reference {

/// Turns the nodes of one member into its observables, (O1) … (O6) of docs/theory.md. Reads only what a node records.
class Observers {
 public:
  explicit Observers(const scenario::Scenario& scenario);

  void see(const NodeRecord& node, const NodeExpressions& expressions);

  /// In the order of observable_names.
  std::vector<double> values() const;

 private:
  // (O1), (O2): one expression of the user
  struct Reduction {
    double value;       // what has been found so far
    bool held = false;  // the condition held at the node before
  };
  void reduce(Reduction& reduction, const scenario::Observable& observable, const NodeRecord& node, const NodeExpressions& expressions) const;

  void see_contact(const NodeRecord& node);
  double standard_value(scenario::Standard standard) const;

  const scenario::Scenario& scenario_;
  double h_;
  std::vector<Reduction> reductions_;
  NodeRecord last_;

  // (O3) … (O6)
  std::int64_t impacts_ = 0;
  double first_contact_;
  std::int64_t stick_ = 0, slip_ = 0, flight_ = 0;  // nodes
  std::int64_t gap_ = 0;                            // nodes without contact since the last one: slip or flight, the next onset tells
  bool touched_ = false;
  double dissipated_ = 0, impulse_ = 0, variation_ = 0, penetration_ = 0, work_ = 0;
};

}  // namespace conesweep::executor::reference
