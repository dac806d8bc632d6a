#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/state/status.hpp>

// What every law answers, and the answers that most of them share. A law is one struct in a file of its own beside this
// one; dispatch.hpp lists them.

namespace conesweep::law {

using state::Mode;

/// The numbers of a law, in the problem's units; each law says what they mean.
template <class Real>
struct Limits {
  Real low, high;
};

/// Where the natural map sends a block:
///
///   (1)  x = r - u,   P(x) the nearest impulse that the law allows,   F = r - P(x) = 0 iff the law holds
///
/// Since the diagonal of W is about 1, F is the velocity by which the law is missed.
template <class Real>
struct Nearest {
  Real p[3];    // P(x)
  Mode mode;    // stick: P is the identity there
  Real h[3];    // slip of a ball or of friction: direction of x (of xₜ, from h[1] on)
  Real shrink;  // radius/|x| there
};

/// P for a disk or ball in the components first … size - 1.
template <class Real>
CS_INLINE void project_on_ball(Nearest<Real>& to, const Real (&x)[3], int first, int size, Real radius) {
  Real x2 = Real(0);
  for (int k = first; k < size; ++k) x2 = x2 + x[k] * x[k];
  const bool inside = x2 <= radius * radius;
  const Real length = sqrt(x2);
  to.mode = inside ? Mode::stick : Mode::slip;
  to.shrink = inside ? Real(1) : radius / length;
  for (int k = first; k < size; ++k) {
    to.h[k] = inside ? Real(0) : x[k] / length;
    to.p[k] = inside ? x[k] : radius * to.h[k];
  }
}

/// What a solver asks of every law, answered as most laws do. A law has besides
///
///   solve<Real, K>(w, b, limits, r)        the block by itself, solved exactly
///   project(limits, size, x, to)           P(x) of (1)
template <bool HasNormal>
struct CommonLaw {
  static constexpr bool has_normal = HasNormal;  // is row 0 normal, and are the others tangential?
  static constexpr bool is_contact = false;      // takes part where it touches; the impulses of a step's parts add up
  static constexpr bool binds = false;           // uₙ = 0 in every step: a constraint with friction
  static constexpr bool persists = false;        // uₙ = 0 until it would pull (T)
  static constexpr bool opens = false;           // may take no part, with the least normal impulse
  static constexpr bool rubs_by_low = false;     // with a normal: is the limit `low` an impulse along the tangents?

  /// Is P' = 0 in this mode? Then dr = -F solves the block's rows.
  static CS_INLINE constexpr bool is_flat(Mode mode) { return mode == Mode::flight; }
  /// Slope of the disk's radius over the normal impulse, which is on that side of 0.
  template <class Real>
  static CS_INLINE Real lean(const Limits<Real>& limits, Real) {
    return limits.high;
  }
  /// What a slip along h has of its impulse beside what the normal impulse gives.
  template <class Real>
  static CS_INLINE Real border(const Limits<Real>&, Real) {
    return Real(0);
  }
  /// Is there a last mode beside stick and slip, Mode::flight, for a block that slips along so many rows? How many of
  /// its rows are still solved there?
  static CS_INLINE constexpr bool has_flight(int) { return false; }
  static CS_INLINE constexpr int rows_in_flight(int) { return 0; }
  /// The least normal impulse.
  template <class Real>
  static CS_INLINE Real least(const Limits<Real>&) {
    return Real(0);
  }
  /// Are the numbers numbers, and is 0 in the set?
  template <class Real>
  static CS_INLINE bool are_valid(const Limits<Real>&) {
    return true;
  }
  /// Is the set, or the disk of a block that presses, more than {0}?
  template <class Real>
  static CS_INLINE bool is_rough(const Limits<Real>& limits) {
    return limits.high > Real(0);
  }
  /// Does a contact with this normal velocity take part?
  template <class Real>
  static CS_INLINE bool takes_part(const Limits<Real>&, Real u_n) {
    return !(u_n >= Real(0));
  }
  /// Does a contact with this normal impulse push?
  template <class Real>
  static CS_INLINE bool presses(const Limits<Real>&, Real r_n) {
    return r_n > Real(0);
  }
  /// Does a model give contact P this law over a stretch of length h, in place of Coulomb's? Then enters its limits, in
  /// which `high` is the friction coefficient. A law that models may ask for calls the model's function by the key of
  /// its number in scenarios; a model without such a contact has no such function.
  template <int P, class Model, class Node, class Real>
  static CS_INLINE bool enter(const Node&, Real, Limits<Real>&) {
    return false;
  }
  /// The normal impulse that normal(…) tells in a limit.
  template <class Real>
  static CS_INLINE Real load(Real r_n) {
    return r_n;
  }
};

}  // namespace conesweep::law
