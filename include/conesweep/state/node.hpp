#pragma once

#include <conesweep/math/scalar.hpp>
#include <conesweep/math/unroll.hpp>
#include <conesweep/state/fields.hpp>
#include <conesweep/state/identity.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/state/laws.hpp>

namespace conesweep::state {

/// What expressions see of the laws, by number: normal(name) and slip(name) (O8).
template <class Real>
struct LawValues {
  const Real* normal;
  const Real* slip;

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(some.normal...);
    visit(some.slip...);
  }
};

/// Has the model a condition at which a member ends (O10)? A model without one does not even have the word.
template <class Model>
CS_HD constexpr bool stops() {
  return requires { typename Model::Stops; };
}

/// What the scenario's expressions see at node i.
template <class Real, class Model>
struct Node : KeptArray<LawValues<Real>, LawValues<Real>, Model::Laws::uses_laws ? 1 : 0>, KeptIdentity<Real, Model> {
  using Number = Real;
  using KeptLaws = KeptArray<LawValues<Real>, LawValues<Real>, Model::Laws::uses_laws ? 1 : 0>;
  using KeptWho = KeptIdentity<Real, Model>;

  Real t;  // t_i
  Real q[Model::dimension];
  // v_{i-1} for forces and contacts, v_i for observables
  Real v[Model::dimension];
  const Real* c;                                                           // what was computed once from the parameters
  Real past_t[at_least_one(Model::lags)];                                  // t_i - τ of each lag
  Real past_q[at_least_one(Model::lags)][at_least_one(Model::q_columns)];  // coordinates then
  Real past_v[at_least_one(Model::lags)][at_least_one(Model::v_columns)];  // velocities then
  Real window[at_least_one(Model::windows)];                               // window functionals (P11)

  CS_INLINE LawValues<Real>& laws() { return KeptArray<LawValues<Real>, LawValues<Real>, 1>::entries[0]; }
  CS_INLINE const LawValues<Real>& laws() const { return KeptArray<LawValues<Real>, LawValues<Real>, 1>::entries[0]; }
  CS_INLINE Real normal(int law) const {
    return KeptArray<LawValues<Real>, LawValues<Real>, 1>::entries[0].normal[law];
  }
  CS_INLINE Real slip(int law) const { return KeptArray<LawValues<Real>, LawValues<Real>, 1>::entries[0].slip[law]; }

  template <class Visit, class... Some>
  static CS_INLINE void for_each_field(const Visit& visit, Some&... some) {
    visit(part<typename Some::KeptLaws>(some)...);
    visit(part<typename Some::KeptWho>(some)...);
    visit(some.t...);
    visit(some.q...);
    visit(some.v...);
    visit(some.c...);
    visit(some.past_t...);
    visit(some.past_q...);
    visit(some.past_v...);
    visit(some.window...);
  }
};

/// Does the model's condition end a member at this node?
template <class Real, class Model>
CS_INLINE MaskOf<Real> ends_at([[maybe_unused]] const Node<Real, Model>& node) {
  if constexpr (stops<Model>())
    return Model::stops_at(node);
  else
    return Real(0) != Real(0);
}

}  // namespace conesweep::state
