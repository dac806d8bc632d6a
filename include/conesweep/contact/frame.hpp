#pragma once

#include <conesweep/math/scalar.hpp>

namespace conesweep::contact {

/// Unit vectors that are orthogonal to the unit vector n and to each other, a function of n alone.
///
///   plane   t = (-n_y, n_x)
///   space   the columns of the rotation that takes the z axis, or its opposite, to n: no division by a small number
///           (Duff et al. 2017)
template <class Real>
CS_INLINE void find_tangents(const Real (&)[1], Real (&)[1][1]) {}

template <class Real>
CS_INLINE void find_tangents(const Real (&n)[2], Real (&tangent)[1][2]) {
  tangent[0][0] = -n[1];
  tangent[0][1] = n[0];
}

template <class Real>
CS_INLINE void find_tangents(const Real (&n)[3], Real (&tangent)[2][3]) {
  const Real sign = copysign(Real(1), n[2]);
  const Real a = Real(-1) / (sign + n[2]);
  const Real b = n[0] * n[1] * a;
  tangent[0][0] = Real(1) + sign * n[0] * n[0] * a;
  tangent[0][1] = sign * b;
  tangent[0][2] = -sign * n[0];
  tangent[1][0] = b;
  tangent[1][1] = sign + n[1] * n[1] * a;
  tangent[1][2] = -n[1];
}

}  // namespace conesweep::contact
