#pragma once

#include <vector>

#include "executor/reference/member.hpp"
#include "executor/reference/reduction.hpp"

namespace conesweep::executor::reference {

/// Turns the nodes of one member into its observables, (O1) … (O9) of docs/theory.md. Reads only what a node records.
class Observers {
 public:
  Observers(const scenario::Scenario& scenario, const std::vector<double>& parameters);

  void see(const NodeRecord& node, const NodeExpressions& expressions);

  /// In the order of observable_names.
  std::vector<double> values() const;

 private:
  std::vector<Reduction> reductions_;

  void see_step(const NodeRecord& node);
  void see_pieces(const NodeRecord& node);
  void add_impulse(const ContactRecord& contact);
  double first_loss() const;
  double standard_value(scenario::Standard standard) const;

  const scenario::Scenario& scenario_;
  double h_;
  NodeRecord last_;

  // (O3) … (O7)
  std::int64_t impacts_ = 0;
  double first_contact_;
  std::int64_t stick_ = 0, slip_ = 0, flight_ = 0;  // nodes
  // nodes without contact since the last one: slip or flight, the next onset tells
  std::int64_t gap_ = 0;
  bool touched_ = false;
  double stuck_for_ = 0, slipped_for_ = 0;  // at order two
  double impulse_ = 0, penetration_ = 0;
  std::vector<double> impulse_of_contact_;
  Balance balance_;            // sums, and the least painleve
  std::vector<double> lost_;   // (T) of each contact; NaN: never
  Certificates certificates_;  // the least
};

}  // namespace conesweep::executor::reference
