#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

struct Box {
  double left, low, right, high;
};

/// How far a place in the plane of two coordinates lies outside of the contacts that depend on them, at the defaults, t
/// = 0, and other coordinates where they start: the largest of their g, above 0 outside.
class Depth {
 public:
  /// InputError for names that are no coordinates.
  Depth(const Scenario& scenario, const std::string& x, const std::string& y);

  double operator()(double x, double y);  // -inf where no contact depends on the plane

  /// What of a part of the plane lies outside, in rows of strips whose ends are interpolated.
  std::vector<Box> outside(const Box& part);

 private:
  const Scenario& s_;
  std::size_t x_, y_;
  std::vector<double> place_;
  std::vector<expression::Expr> walls_;
};

}  // namespace conesweep::scenario
