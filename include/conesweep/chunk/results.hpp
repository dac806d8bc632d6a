#pragma once

#include <conesweep/chunk/job.hpp>
#include <conesweep/step/member.hpp>

namespace conesweep::chunk {

using state::Node;
using step::Member;

/// Stores what was observed of the members of a pack, and marks those whose state did not stay finite.
template <class Real, class Model>
CS_INLINE void store_results(const Job<ScalarOf<Real>>& job, long first, Member<Real, Model>& m, const Node<Real, Model>& last) {
  constexpr int lanes = RealTraits<Real>::lanes;
  MaskOf<Real> finite = Real(0) == Real(0);
  unroll<Model::dimension>([&](auto c) { finite = finite && is_finite(m.q.value[c]); });
  m.observers().finish(last, job.clock, [&](int number, Real x) {
    const Real stored = select(finite, canonicalize(x), Real(canonical_nan<Real>()));
    for (int l = 0; l < lanes; ++l)
      if (first + l < job.count) job.observables[number * job.stride + first + l] = get_lane(stored, l);
  });
  for (int l = 0; l < lanes; ++l)
    if (first + l < job.count) job.bad[first + l] = get_lane(finite, l) ? 0 : 1;
}

/// One node of the recorded members of a pack.
template <class Real, class Model>
CS_INLINE void store_track(const Job<ScalarOf<Real>>& job, long first, long i, const Node<Real, Model>& node, Real mode) {
  for (int l = 0; l < RealTraits<Real>::lanes; ++l) {
    if (first + l >= job.recorded) return;
    const long at = (first + l) * job.times + i / job.every;
    const long column = job.recorded * job.times;
    unroll<Model::dimension>([&](auto c) {
      job.tracks[c * column + at] = get_lane(node.q[c], l);
      job.tracks[(Model::dimension + c) * column + at] = get_lane(node.v[c], l);
    });
    job.modes[at] = static_cast<unsigned char>(get_lane(mode, l));
  }
}

}  // namespace conesweep::chunk
