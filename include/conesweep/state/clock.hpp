#pragma once

namespace conesweep::state {

/// The time steps; the same for all members.
template <class Scalar>
struct Clock {
  Scalar h;    // T/N
  Scalar end;  // T
  long steps;  // N
};

}  // namespace conesweep::state
