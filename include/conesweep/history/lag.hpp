#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>
#include <conesweep/state/kept.hpp>

namespace conesweep::history {

/// The smallest and the largest D of a pack.
struct Span {
  long shortest, longest;
};

/// What windows ask of a lag.
template <class Real>
struct Reach {
  Real up;        // D
  long furthest;  // the largest D of the lanes: windows see φ0 also where no node is ever reached
};

/// A delay τ (or a window's length) counted in steps.
///
///   (P10)  q(t_i - τ) = rest q_{i-D} + share q_{i-D+1},   D = max(1, ⌈τ/h⌉),  share = D - τ/h,  rest = 1 - share
///
/// Exact for the affine q_N: τ = 0 gives D = 1, share = 1, the present node; a whole number of steps gives share = 0.
/// τ/h within 1e-9 of an integer is that integer. A delayed velocity is that of the step that holds t_i - τ: the one
/// that led to node i-D+1.
template <class Real, bool Windowed = true>
struct Lag : state::Kept<(RealTraits<Real>::lanes > 1), Span>, state::Kept<Windowed, Reach<Real>> {
  static constexpr int lanes = RealTraits<Real>::lanes;

  Real steps;         // τ/h
  Real share, rest;   // of the newer and of the older node
  long whole[lanes];  // D; at most `most`, beyond which no node is ever reached

  CS_INLINE Span& span() { return state::Kept<(lanes > 1), Span>::value; }
  CS_INLINE const Span& span() const { return state::Kept<(lanes > 1), Span>::value; }
  CS_INLINE Reach<Real>& reach() { return state::Kept<Windowed, Reach<Real>>::value; }
  CS_INLINE const Reach<Real>& reach() const { return state::Kept<Windowed, Reach<Real>>::value; }

  CS_INLINE long longest() const {
    if constexpr (lanes > 1)
      return span().longest;
    else
      return whole[0];
  }

  /// Have all lanes the same D?
  CS_INLINE bool is_common() const {
    if constexpr (lanes > 1)
      return span().shortest == span().longest;
    else
      return true;
  }
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

/// `most`: nodes beyond this are never asked for.
template <class Real, bool Windowed = true>
CS_INLINE Lag<Real, Windowed> make_lag(Real length, ScalarOf<Real> h, long most) {
  using Scalar = ScalarOf<Real>;
  constexpr Scalar countable = Scalar(0x1p62);  // steps that a long can count
  Lag<Real, Windowed> lag;
  const Real steps = select(is_valid_length(length), length, Real(0)) / Real(h);  // a bad length asks for no memory
  const Real nearest = round_to_nearest(steps);
  // in float a quotient of rounded numbers is off by a few units in the last place
  const Real tolerance = is_double<Real> ? Real(Scalar(1e-9)) : Real(Scalar(0x1p-21)) * max(steps, Real(1));
  lag.steps = select(abs(steps - nearest) <= tolerance, nearest, steps);
  const Real up = max(ceil(lag.steps), Real(1));
  lag.share = up - lag.steps;
  lag.rest = Real(1) - lag.share;
  Span span = {most, 1};
  long furthest = 1;
  unroll<RealTraits<Real>::lanes>([&](auto l) CS_LAMBDA {
    const Scalar d = get_lane(up, l);
    const long far = long(d < countable ? d : countable);
    lag.whole[l] = far < most ? far : most;
    if (lag.whole[l] < span.shortest) span.shortest = lag.whole[l];
    if (lag.whole[l] > span.longest) span.longest = lag.whole[l];
    if (far > furthest) furthest = far;
  });
  if constexpr (RealTraits<Real>::lanes > 1) lag.span() = span;
  if constexpr (Windowed) lag.reach() = {up, furthest};
  return lag;
}

}  // namespace conesweep::history
