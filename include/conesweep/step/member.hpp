#pragma once

#include <conesweep/contact/kept_factors.hpp>
#include <conesweep/history/past.hpp>
#include <conesweep/math/sum.hpp>
#include <conesweep/observe/observers.hpp>
#include <conesweep/state/identity.hpp>
#include <conesweep/state/kept.hpp>
#include <conesweep/step/percussions.hpp>

namespace conesweep::step {

struct Constants;
struct LawNormals;
struct LawSlips;
struct Runs;

/// How many law values a member keeps for the expressions that use them.
template <class Model>
CS_HD constexpr int count_law_values() {
  return Model::Laws::uses_laws ? state::count_laws<Model>() : 0;
}

/// One member (or a pack of them) between two steps: everything that must survive from node i to node i + 1.
template <class Real, class Model>
struct Member : state::KeptArray<Constants, Real, contact::count_constants<Model>()>,
                state::KeptArray<LawNormals, Real, count_law_values<Model>()>,
                state::KeptArray<LawSlips, Real, count_law_values<Model>()>,
                state::KeptArray<state::Losses, Real, state::count_losses<Model>()>,
                state::KeptArray<Runs, MaskOf<Real>, state::stops<Model>() ? 1 : 0>,
                state::KeptIdentity<Real, Model>,
                Families<Real, Model>,
                history::Past<Real, Model>,
                observe::Observers<Real, Model> {
  math::Sums<Real, Model::dimension> q;  // q_i
  math::Sums<Real, Model::dimension> v;  // v_{i-1}
  Real mode;                             // of the last step, where it is recorded: a state::Mode

  /// What depends on the parameters alone.
  CS_INLINE Real* constants() {
    if constexpr (contact::count_constants<Model>() > 0)
      return state::KeptArray<Constants, Real, contact::count_constants<Model>()>::entries;
    else
      return nullptr;
  }
  /// normal(…) and slip(…) of the last step, by law.
  CS_INLINE Real* law_normal() { return state::KeptArray<LawNormals, Real, count_law_values<Model>()>::entries; }
  CS_INLINE Real* law_slip() { return state::KeptArray<LawSlips, Real, count_law_values<Model>()>::entries; }

  /// (T) When each contact was lost; infinite: it persists still.
  CS_INLINE Real* lost() { return state::KeptArray<state::Losses, Real, state::count_losses<Model>()>::entries; }

  /// Members that no condition has ended yet (O10), in a model that has one.
  CS_INLINE MaskOf<Real>& running() { return state::KeptArray<Runs, MaskOf<Real>, 1>::entries[0]; }

  CS_INLINE Family<Real>* families() { return Families<Real, Model>::entries; }

  CS_INLINE history::Past<Real, Model>& past() { return *this; }
  CS_INLINE observe::Observers<Real, Model>& observers() { return *this; }
};

}  // namespace conesweep::step
