#pragma once

#include <string>
#include <vector>

#include "model/emitter.hpp"
#include "model/history_plan.hpp"

namespace conesweep::model {

/// Values that generated functions have beside the user's, by their C++ names: w[0], n.past_q[0][1].
///
/// As leaves of trees they are coordinates beyond the user's: a coordinate's index below the dimension is the user's,
/// from there on ours.
class Locals {
 public:
  explicit Locals(int dimension) : dimension_(dimension) {}

  expression::Expr leaf(const std::string& name);

  /// name[0], name[1], … for every coordinate.
  std::vector<expression::Expr> vector(const std::string& name);

  /// How a function being written calls its leaves: "n." and "n.c" where it has a node, nothing and "c" where it has
  /// plain arrays. The names live in this object.
  Leaves names(const std::string& prefix, const std::string& constants) const;

 private:
  int dimension_;
  std::vector<std::string> names_;
};

/// Formulas in terms of what a node has: the past by lag and column, windows by number.
class Lowering {
 public:
  Lowering(const HistoryPlan& history, Locals& locals) : history_(history), locals_(locals) {}

  /// The user's formula: delay(…) becomes its expression in the values of its lag, windows become their values.
  expression::Expr lower(const expression::Expr& formula);

  /// The expression inside a window: coordinates are those of a node of the past, q_then by column; now(…) is the
  /// present.
  expression::Expr lower_in_window(const expression::Expr& inside);

 private:
  expression::Expr lower_delayed(const expression::Expr& inside, int lag);

  const HistoryPlan& history_;
  Locals& locals_;
};

}  // namespace conesweep::model
