#pragma once

#include <conesweep/contact/touching.hpp>
#include <conesweep/state/passage.hpp>

// A step may have parts: stretches, percussions (B6), arrivals (I). A unit for judges alone, which defines
// CONESWEEP_TELLS_PARTS, tells the velocity after each of them; in all others this is nothing.

namespace conesweep::step {

#if defined(CONESWEEP_TELLS_PARTS)
/// Hears the velocity after a part, and whether the part was an arrival.
struct Listener {
  void (*hear)(void* to, const double* v, int dimension, bool arrival) = nullptr;
  void* to = nullptr;
};
inline thread_local Listener listener;

template <class Model, class Real, bool Checked>
inline void tell_part(const state::Passage<Real, Model, Checked>& s, bool arrival) {
  if (listener.hear == nullptr) return;
  double v[Model::dimension];
  for (int c = 0; c < Model::dimension; ++c) v[c] = static_cast<double>(s.v.value[c]);
  listener.hear(listener.to, v, Model::dimension, arrival);
}
#else
template <class Model, class Real, bool Checked>
CS_INLINE void tell_part(const state::Passage<Real, Model, Checked>&, bool) {}
#endif

}  // namespace conesweep::step
