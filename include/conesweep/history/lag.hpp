#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

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
  Real steps;                           // τ/h
  Real share, rest;                     // of the newer and of the older node
  Real up;                              // D
  long whole[RealTraits<Real>::lanes];  // D again; at most `most`, beyond which no node is ever reached
  long shortest, longest;               // of the lanes
  long furthest;                        // the largest D: windows see φ0 also where no node is ever reached
};

/// Is this a length a member can run with?
template <class Real>
CS_INLINE MaskOf<Real> is_valid_length(Real length) {
  return (length >= Real(0)) && is_finite(length);
}

/// A window looks back over so many steps at most: its nodes are kept, and looked through. A delay has no such limit.
inline constexpr long most_window_steps = 10000000;

/// Can a member run with a window of this length?
template <class Real>
CS_INLINE MaskOf<Real> is_valid_window(Real length, ScalarOf<Real> h) {
  return is_valid_length(length) && (length / Real(h) < Real(ScalarOf<Real>(most_window_steps + 1)));
}

template <class Real>
CS_INLINE Lag<Real> make_lag(Real length, ScalarOf<Real> h, long most) {
  using Scalar = ScalarOf<Real>;
  constexpr Scalar countable = Scalar(0x1p62);  // steps that a long can count
  Lag<Real> lag;
  const Real steps = select(is_valid_length(length), length, Real(0)) / Real(h);  // a bad length asks for no memory
  const Real nearest = round_to_nearest(steps);
  // in float a quotient of rounded numbers is off by a few units in the last place
  const Real tolerance = is_double<Real> ? Real(Scalar(1e-9)) : Real(Scalar(0x1p-21)) * max(steps, Real(1));
  lag.steps = select(abs(steps - nearest) <= tolerance, nearest, steps);
  lag.up = max(ceil(lag.steps), Real(1));
  lag.share = lag.up - lag.steps;
  lag.rest = Real(1) - lag.share;
  lag.shortest = most;
  lag.longest = lag.furthest = 1;
  for (int l = 0; l < RealTraits<Real>::lanes; ++l) {
    const Scalar d = get_lane(lag.up, l);
    const long far = long(d < countable ? d : countable);
    lag.whole[l] = far < most ? far : most;
    if (lag.whole[l] < lag.shortest) lag.shortest = lag.whole[l];
    if (lag.whole[l] > lag.longest) lag.longest = lag.whole[l];
    if (far > lag.furthest) lag.furthest = far;
  }
  return lag;
}

}  // namespace conesweep::history
