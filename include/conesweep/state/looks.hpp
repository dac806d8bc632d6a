#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

namespace conesweep::state {

/// What observers see of a member between two nodes (A14): its place and the velocities before and after, where pieces
/// of a step end.
template <class Real, int D>
struct Look {
  Real t;
  Real q[D], before[D], after[D];
};

/// So many a step: located events, what is struck at its begin, and the end of a step with more.
enum LookLimit : int { most_looks = 10 };

template <class Real, class Model>
struct Looks {
  int count = 0;
  Look<Real, Model::dimension> of[most_looks];

  CS_HD void add(Real t, const Real* q, const Real* before, const Real* after) {
    if (count == most_looks) return;
    auto& look = of[count++];
    look.t = t;
    for (int k = 0; k < Model::dimension; ++k) look.q[k] = q[k], look.before[k] = before[k], look.after[k] = after[k];
  }
};

}  // namespace conesweep::state
