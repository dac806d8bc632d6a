#pragma once

#include <conesweep/contact/island.hpp>
#include <conesweep/metric/unit.hpp>
#include <conesweep/state/passage.hpp>

// Which contacts take part in a step.

namespace conesweep::contact {

using state::note_reason;
using state::Passage;
using state::Status;

/// A gradient without a direction.
template <class Real>
CS_INLINE MaskOf<Real> is_singular(Real steepness) {
  return !((steepness > Real(0)) && is_finite(steepness));
}

/// How deep a point lies beyond a wall: max(0, g) over the normal row's own scale (O7).
template <class Real>
CS_INLINE Real depth(MaskOf<Real> beyond, Real g, Real scale) {
  return select(beyond, g / scale, Real(0));
}

/// (B2) bodies that touch but for rounding touch: g/|∇g| >= -tolerance, where several laws may act together, |q| over
/// the coordinates of its island (B11). At node 0 the start may be less exact.
template <int P, class Real, class Model>
CS_INLINE Real touching_tolerance(const Real* q, bool first) {
  using Scalar = ScalarOf<Real>;
  const Scalar relative = is_double<Real> ? (first ? Scalar(1e-9) : Scalar(1e-12)) : Scalar(1e-6);
  Real square = Real(0);
  bool none = true;
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    if constexpr ((CoordinateSet(Island<Model, Model::Laws::island_of(P)>::set) >> c & 1) != 0) {
      square = none ? q[c] * q[c] : fma(q[c], q[c], square);
      none = false;
    }
  });
  return Real(relative) * (Real(1) + sqrt(square));
}

/// (B2) Does contact P touch: is g not below what touches but for rounding? What is nowhere touches. |q| is at most
/// Σ|q_c|, so that few steps need its root.
template <int P, class Real, class Model>
CS_INLINE MaskOf<Real> touches(const Real* q, bool first, Real g, Real steepness) {
  using Scalar = ScalarOf<Real>;
  const Scalar relative = is_double<Real> ? (first ? Scalar(1e-9) : Scalar(1e-12)) : Scalar(1e-6);
  Real sum = Real(1);
  unroll<Model::dimension>([&](auto c) CS_LAMBDA {
    if constexpr ((CoordinateSet(Island<Model, Model::Laws::island_of(P)>::set) >> c & 1) != 0) sum = sum + abs(q[c]);
  });
  // a little more than the exact one, whatever is rounded
  MaskOf<Real> near = !(g < -(Real(relative * Scalar(1.001)) * sum * steepness));
  if (any(near && g < Real(0))) near = near && !(g < -(touching_tolerance<P, Real, Model>(q, first) * steepness));
  return near;
}

/// (I) Is contact P the one that the step meets on its way? It touches there, whatever rounding says.
template <int P, class Real, class Model, bool Checked>
CS_INLINE bool has_arrived([[maybe_unused]] const Passage<Real, Model, Checked>& s) {
  if constexpr (state::is_located<Model>())
    return s.arrival().contact == P;
  else
    return false;
}

/// (I) Is this the place of an arrival, and no node?
template <class Real, class Model, bool Checked>
CS_INLINE bool is_arrival([[maybe_unused]] const Passage<Real, Model, Checked>& s) {
  if constexpr (state::is_located<Model>())
    return s.arrival().is_here();
  else
    return false;
}

/// (I3), (A5) Does contact P stay where it arrives with this normal velocity? At order two whoever strikes says it;
/// else what is no impact does.
template <int P, class Real, class Model, bool Checked>
CS_INLINE MaskOf<Real> stays(const Passage<Real, Model, Checked>& s, [[maybe_unused]] Real u_n_before,
                             [[maybe_unused]] Real push_n) {
  if constexpr (state::is_second<Model>())
    return s.arrival().rests[P] != Real(0);
  else
    return !state::is_impact(u_n_before, push_n);
}

}  // namespace conesweep::contact
