#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>
#include <conesweep/state/kept.hpp>

namespace conesweep::state {

/// Who a member is: the ensemble's seed, and its number there. What is random or chosen about a member is a function of
/// these, and never of its place in a chunk, a wave or a pack.
template <class Real>
struct Identity {
  unsigned long long seed;
  long number[RealTraits<Real>::lanes];

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.seed...);
    visit(some.number...);
  }
};

/// Does the model ask who a member is? A model that does has the word `Numbered`; the others keep nothing of it.
template <class Model>
CS_HD constexpr bool is_numbered() {
  return requires { typename Model::Numbered; };
}

/// Where it asks, members and nodes have it.
template <class Real, class Model>
struct KeptIdentity : Kept<is_numbered<Model>(), Identity<Real>> {
  CS_INLINE Identity<Real>& identity() { return Kept<true, Identity<Real>>::value; }
  CS_INLINE const Identity<Real>& identity() const { return Kept<true, Identity<Real>>::value; }
};

}  // namespace conesweep::state
