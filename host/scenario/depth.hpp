#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// How far a place in the plane of two coordinates lies outside of the contacts that depend on them, at the defaults, t = 0, and other coordinates where they
/// start: the largest of their g, above 0 outside.
class Depth {
 public:
  /// InputError for names that are no coordinates.
  Depth(const Scenario& scenario, const std::string& x, const std::string& y);

  bool is_everywhere_inside() const { return walls_.empty(); }
  double operator()(double x, double y);

 private:
  const Scenario& s_;
  std::size_t x_, y_;
  std::vector<double> place_;
  std::vector<expression::Expr> walls_;
};

}  // namespace conesweep::scenario
