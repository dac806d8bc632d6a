#pragma once

#include <Eigen/Core>

namespace conesweep::executor::reference {

/// The x >= 0 that makes |y - C x| least, by the active sets of [LawsonHanson1974]. Columns are compared by direction,
/// so their lengths do not matter. A sum of all columns with nonnegative shares is looked for first. Ends early where
/// |y - C x| <= enough.
Eigen::VectorXd nearest_nonnegative(const Eigen::MatrixXd& columns, const Eigen::VectorXd& y, double enough);

}  // namespace conesweep::executor::reference
