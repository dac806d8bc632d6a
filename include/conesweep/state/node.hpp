#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

namespace conesweep::state {

/// What the scenario's expressions see at node i.
template <class Real, class Model>
struct Node {
  using Number = Real;

  Real t;  // t_i
  Real q[Model::dimension];
  Real v[Model::dimension];                                                // v_{i-1} for forces and contacts, v_i for observables
  const Real* c;                                                           // what was computed once from the parameters
  Real past_t[at_least_one(Model::lags)];                                  // t_i - τ of each lag
  Real past_q[at_least_one(Model::lags)][at_least_one(Model::q_columns)];  // coordinates then
  Real past_v[at_least_one(Model::lags)][at_least_one(Model::v_columns)];  // velocities then
  Real window[at_least_one(Model::windows)];                               // window functionals (P11)
};

}  // namespace conesweep::state
