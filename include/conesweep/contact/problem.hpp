#pragma once

#include <conesweep/law/dispatch.hpp>

namespace conesweep::contact {

/// What ties a block's impulse to its velocities (include/conesweep/law). Solvers ask it and know none by name.
using Law = law::Kind;
using law::has_normal;
using law::is_contact;

/// Which branch of its law a block is on: an open contact is in flight. A resistance never is: it sticks inside its set
/// and slips at its border.
using state::Mode;

/// The largest exact scale d = 2^-k with 1 <= w d² < 4; 1 where w is 0 or not a normal number.
template <class Real>
CS_INLINE Real unit_of(Real w) {
  using Bits = BitsOf<Real>;
  if (!(w >= FormatOf<Real>::smallest_normal && is_finite(w))) return Real(1);
  const int exponent = static_cast<int>(to_bits(w) >> FormatOf<Real>::fraction_bits) - FormatOf<Real>::exponent_bias;
  const int k = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
  return from_bits<Real>(static_cast<Bits>(FormatOf<Real>::exponent_bias - k) << FormatOf<Real>::fraction_bits);
}

/// Several blocks in one metric: find r with
///
///   (1)  u = b + W r,   each block's law between its part of r and of u.
///
/// Blocks have rows `first` … `first + size - 1`, in the order in which they are swept; row 0 of a contact or guide is
/// normal. Everything is kept in units of its own: velocities u·unit, impulses r/unit, with powers of two that bring
/// the diagonal of W to [1, 4[. Rows may so carry any units; changing them by powers of two changes no bit. The
/// conversion is exact.
template <class Real, int MaxBlocks, int MaxRows>
struct Problem {
  int blocks, rows;
  Law law[MaxBlocks];
  int first[MaxBlocks], size[MaxBlocks];
  bool asleep[MaxBlocks];                // takes no part: r = 0, u free
  Real low[MaxBlocks], high[MaxBlocks];  // the law's limits, in these units
  Real unit[MaxRows];
  // what velocities are sums of, drives included, in the kinetic metric: along a row in its unit about as large. At
  // least a millionth of what resistances could stop: what is far below that has come to rest, and would else shrink by
  // rounding, step after step, without an end
  Real speed;
  Real b[MaxRows];
  Real w[MaxRows][MaxRows];
};

template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE law::Limits<Real> limits_of(const Problem<Real, MaxBlocks, MaxRows>& p, int block) {
  return {p.low[block], p.high[block]};
}

/// Takes W with rows in the user's units, sets `unit` and brings W to it. b and the sets are entered afterwards.
template <class Real, int MaxBlocks, int MaxRows>
CS_HD void bring_to_units(Problem<Real, MaxBlocks, MaxRows>& p) {
  for (int block = 0; block < p.blocks; ++block) {
    const int first = p.first[block], end = first + p.size[block];
    // a contact's tangents share one unit, its normal has another
    const int tangential = has_normal(p.law[block]) ? first + 1 : first;
    Real largest = Real(0);
    for (int i = tangential; i < end; ++i) largest = max(largest, p.w[i][i]);
    if (tangential > first) p.unit[first] = unit_of(p.w[first][first]);
    for (int i = tangential; i < end; ++i) p.unit[i] = unit_of(largest);
  }
  for (int i = 0; i < p.rows; ++i) {
    for (int j = 0; j < p.rows; ++j) p.w[i][j] = p.w[i][j] * p.unit[i] * p.unit[j];
  }
}

/// Velocities so small against what a block could stop have come to rest.
template <class Real>
inline constexpr Real stopped = Real(is_double<Real> ? 0x1p-20 : 0x1p-10);

template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE void set_limits(Problem<Real, MaxBlocks, MaxRows>& p, int block, Real low, Real high) {
  const Real unit = p.unit[p.first[block]];
  p.low[block] = low / unit;
  p.high[block] = high / unit;
  if (is_finite(p.low[block])) p.speed = max(p.speed, stopped<Real> * abs(p.low[block]));
  if (is_finite(p.high[block])) p.speed = max(p.speed, stopped<Real> * p.high[block]);
}

/// |rₜ| <= μ rₙ in units: |rₜ/unitₜ| <= (μ unitₙ/unitₜ) rₙ/unitₙ. `low` is the law's other limit: an impulse along the
/// normal, unless the law says that it is one along the tangents.
template <class Real, int MaxBlocks, int MaxRows>
CS_INLINE void set_friction(Problem<Real, MaxBlocks, MaxRows>& p, int block, Real low, Real mu) {
  const int first = p.first[block];
  p.low[block] = low / p.unit[p.size[block] > 1 && law::rubs_by_low(p.law[block]) ? first + 1 : first];
  if (p.low[block] != Real(0)) p.speed = max(p.speed, stopped<Real> * abs(p.low[block]));
  p.high[block] = p.size[block] > 1 ? mu * (p.unit[first] / p.unit[first + 1]) : Real(0);
}

}  // namespace conesweep::contact
