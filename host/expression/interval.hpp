#pragma once

#include <functional>

#include "expression/tree.hpp"

namespace conesweep::expression {

struct Interval {
  double lower;
  double upper;

  bool is_point() const { return lower == upper; }
};

/// An interval that holds every value of `expr` while its symbols move in theirs. Wide rather than wrong: where a tight
/// answer would take thought (mod, tan across a pole, history terms) it is the whole line. Bounds are rounded to
/// nearest, so a comparison with a limit is sharp for plain numbers and parameters, which is what it is used for.
Interval bounds(const Expr& expr, const std::function<Interval(Symbol)>& symbol);

}  // namespace conesweep::expression
