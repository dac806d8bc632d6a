#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

namespace conesweep::step {

/// Numbers a node leaves in the ring: coordinates and velocities that are asked for later, and an item of every gathered window.
template <class Model>
inline constexpr int ring_columns = Model::q_columns + Model::v_columns + Model::gathered_windows;

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

/// What contact did at a node; observers read only this, the node and the scenario's expressions.
template <class Real>
struct ContactRecord {
  MaskOf<Real> active;  // some contact was active
  Real which;           // its number
  MaskOf<Real> stick;   // tangential velocity after it exactly 0
  Real v_n_before;      // v_{i-1}·n
  Real force_n;         // h f·n
  Real r_n;             // normal impulse
  bool outside;         // some member of the pack is outside some wall
  Real penetration;     // max(0, g) / |∇g|, the largest
};

}  // namespace conesweep::step
