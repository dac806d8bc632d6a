#pragma once

#include <Eigen/Core>

namespace conesweep::executor {

/// The velocity after a part of a step: a stretch, a percussion (B6), or the arrival at a wall (I).
struct StepPart {
  Eigen::VectorXd v;
  bool arrival = false;
};

}  // namespace conesweep::executor
