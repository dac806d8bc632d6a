#pragma once

#include "executor/reference/motion.hpp"
#include "expression/tree.hpp"

namespace conesweep::executor::reference {

/// A place and a time at which formulas without history are evaluated, by numbers that carry their gradient.
struct Place {
  const std::vector<double>& parameters;
  const Vector& q;
  double t;
};

/// A value and its gradient.
struct Slope {
  double value;
  Eigen::VectorXd gradient;
};

double value_at(const expression::Expr& formula, const Place& place);
Slope slope_by_coordinates(const expression::Expr& formula, const Place& place);
// at v = 0: of what is affine in v, the part without v and the row
Slope slope_by_velocities(const expression::Expr& formula, const Place& place);
double slope_by_time(const expression::Expr& formula, const Place& place);

}  // namespace conesweep::executor::reference
