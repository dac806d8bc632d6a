#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>

namespace conesweep::history {

/// Where a look goes, of every lane: from node i - back to the next one, with these weights of both places and of the
/// velocity in the older one. It depends on the delay alone, and not on the node.
template <class Real>
struct Aim {
  Real place;  // in steps after node i
  Real older, newer, slope;
  long older_back[RealTraits<Real>::lanes], newer_back[RealTraits<Real>::lanes];
  bool common;  // all lanes look at the same nodes
};

template <class Real>
CS_INLINE Aim<Real> take_aim(Real steps, Real after, ScalarOf<Real> h, bool varies) {
  using Scalar = ScalarOf<Real>;
  Aim<Real> aim;
  const Real k = after - steps, nearest = round_to_nearest(k);
  aim.place = select(abs(k - nearest) <= Real(Scalar(is_double<Real> ? 1e-9 : 1e-4)), nearest, k);
  // in the present step it goes on with the velocity at node i
  const MaskOf<Real> ahead = aim.place > Real(0);
  const Real j = select(ahead, Real(0), floor(aim.place)), share = aim.place - j, square = share * share;
  aim.older = select(ahead, Real(1), Real(1) - square);
  aim.newer = select(ahead, Real(0), square);
  aim.slope = select(ahead, aim.place, share - square) * Real(h);
  constexpr Scalar countable = Scalar(0x1p62);
  aim.common = true;
  unroll<RealTraits<Real>::lanes>([&](auto l) CS_LAMBDA {
    const Scalar back = -get_lane(j, l);
    aim.older_back[l] = long(back < countable ? back : countable);
    aim.newer_back[l] = aim.older_back[l] > 0 ? aim.older_back[l] - 1 : 0;
    if (varies) aim.common = aim.common && aim.older_back[l] == aim.older_back[0];
  });
  return aim;
}

}  // namespace conesweep::history
