#pragma once

#include <conesweep/history/past.hpp>
#include <conesweep/math/sum.hpp>
#include <conesweep/observe/observers.hpp>
#include <conesweep/state/kept.hpp>

namespace conesweep::step {

struct Constants;

/// One member (or a pack of them) between two steps: everything that must survive from node i to node i + 1.
template <class Real, class Model>
struct Member : state::KeptArray<Constants, Real, Model::constants>, history::Past<Real, Model>, observe::Observers<Real, Model> {
  math::Sums<Real, Model::dimension> q;  // q_i
  math::Sums<Real, Model::dimension> v;  // v_{i-1}
  Real mode;                             // of the last step, where it is recorded: a state::Mode

  /// What depends on the parameters alone.
  CS_INLINE Real* constants() {
    if constexpr (Model::constants > 0)
      return state::KeptArray<Constants, Real, Model::constants>::entries;
    else
      return nullptr;
  }
  CS_INLINE history::Past<Real, Model>& past() { return *this; }
  CS_INLINE observe::Observers<Real, Model>& observers() { return *this; }
};

}  // namespace conesweep::step
