#pragma once

#include "executor/executor.hpp"

namespace conesweep::executor::reference {

/// Thrown to end a member early; the member knows the time.
struct Stop {
  Status status;
  double residual = 0;  // of the step's laws, where they were solved together (B7)
};

}  // namespace conesweep::executor::reference
