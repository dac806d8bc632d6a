#pragma once

#include <conesweep/math/unroll.hpp>
#include <conesweep/math/scalar.hpp>

namespace conesweep::history {

/// A delay τ (or a window's length) counted in steps.
///
///   (P10)  q(t_i - τ) = rest q_{i-D} + share q_{i-D+1},   D = max(1, ⌈τ/h⌉),  share = D - τ/h,  rest = 1 - share
///
/// Exact for the affine q_N: τ = 0 gives D = 1, share = 1, the present node; a whole number of steps gives share = 0. τ/h
/// within 1e-9 of an integer is that integer. A delayed velocity is that of the step that holds t_i - τ: the one that led to
/// node i-D+1.
template <class Real>
struct Lag {
  Real steps;                          // τ/h
  Real share, rest;                    // of the newer and of the older node
  long whole[RealTraits<Real>::lanes]; // D; at most `most`, beyond which no node is ever reached
  long shortest, longest;              // of the lanes
};

template <class Real>
CS_INLINE Lag<Real> make_lag(Real length, ScalarOf<Real> h, long most) {
  using Scalar = ScalarOf<Real>;
  Lag<Real> lag;
  const Real steps = length / Real(h);
  const Real nearest = round_to_nearest(steps);
  lag.steps = select(abs(steps - nearest) <= Real(Scalar(1e-9)), nearest, steps);
  const Real up = max(ceil(lag.steps), Real(1));
  lag.share = up - lag.steps;
  lag.rest = Real(1) - lag.share;
  lag.shortest = most;
  lag.longest = 1;
  for (int l = 0; l < RealTraits<Real>::lanes; ++l) {
    const Scalar d = get_lane(up, l);
    lag.whole[l] = d < Scalar(most) ? long(d) : most;   // also where the length is NaN
    if (lag.whole[l] < lag.shortest) lag.shortest = lag.whole[l];
    if (lag.whole[l] > lag.longest) lag.longest = lag.whole[l];
  }
  return lag;
}

/// Is this a length a member can run with?
template <class Real>
CS_INLINE MaskOf<Real> is_valid_length(Real length) {
  return (length >= Real(0)) && is_finite(length);
}

}  // namespace conesweep::history
