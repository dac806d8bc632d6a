#pragma once

#include <vector>

#include "executor/reference/member.hpp"

namespace conesweep::executor::reference {

/// One expression of the user as a number, (O1), (O2), (O9). Keeps what it has seen, and makes the number of it at the
/// end.
class Reduction {
 public:
  Reduction(const scenario::Scenario& scenario, const scenario::Observable& observable,
            const std::vector<double>& parameters);

  void see(const NodeRecord& node, const NodeExpressions& expressions);

  double value() const;

 private:
  bool is_seen(std::int64_t i) const;
  void see_second_order(double x, const NodeRecord& node);
  void see_comparison(double margin, bool holds, double t);
  void see_condition(bool holds, const NodeRecord& node);
  void see_number(double x, const NodeRecord& node);

  const scenario::Observable& observable_;
  bool second_order_;
  double h_;
  double after_, before_;      // in steps
  std::int64_t nodes_ = 0;     // seen
  std::int64_t steps_ = 0;     // seen from one end to the other
  bool pending_ = false;       // a step has begun at a node that was seen
  double pending_value_ = 0;   // what it counts, should its end be seen, too
  double sum_ = 0;             // over the steps
  double best_;                // extreme, last value, or time
  bool held_ = false;          // the condition held at the node before
  std::int64_t count_ = 0;     // onsets of the condition, or changes of sign
  double sign_ = 0;            // that the number had last
  double x_before_ = 0;        // the number at the node before
  double t_before_ = 0;        // at order two: when that was
  std::int64_t step_ = -1;     // and the number of that node
  bool known_ = false;         // and whether there was one
  std::vector<double> rises_;  // times of upward crossings
};

}  // namespace conesweep::executor::reference
