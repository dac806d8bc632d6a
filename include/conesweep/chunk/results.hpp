#pragma once

#include <conesweep/chunk/job.hpp>
#include <conesweep/state/columns.hpp>
#include <conesweep/state/status.hpp>
#include <conesweep/step/member.hpp>

namespace conesweep::chunk {

using state::Node;
using step::Member;

/// Bits of state::Flag of one lane.
template <class Real, class Model>
CS_INLINE int flags_of(Member<Real, Model>& m, int lane) {
  const auto bit_of = [lane](Real was, state::Flag flag)
                          CS_LAMBDA { return get_lane(was, lane) != ScalarOf<Real>(0) ? static_cast<int>(flag) : 0; };
  return bit_of(m.balance().was_hyperstatic(), state::Flag::hyperstatic) |
         bit_of(m.balance().was_crowded(), state::Flag::crowded);
}

/// A copy without its pointers into the member, for functions that stay apart: a member whose address they could know
/// would not stay in registers.
template <class Real, class Model>
CS_INLINE Node<Real, Model> detach(const Node<Real, Model>& node) {
  Node<Real, Model> copy = node;
  state::forget_pointers(copy);
  return copy;
}

/// All lanes of a pack.
struct EveryLane {
  CS_INLINE bool operator()(int) const { return true; }
};

/// One observable of the members of a pack. A function of its own where there are lanes: written out for each
/// observable it took a quarter of the compiler's time
/// (more than 5 parameters: where it goes, what it is and which lanes, in registers).
template <class Real, class Wanted>
CS_HD void store_lanes(const Job<ScalarOf<Real>>& job, long first, int number, Real x, MaskOf<Real> finite,
                       const Wanted& wanted) {
  const Real stored = select(finite, canonicalize(x), Real(canonical_nan<Real>()));
  for (int l = 0; l < RealTraits<Real>::lanes; ++l)
    if (first + l < job.count && wanted(l)) job.observables[number * job.stride + first + l] = get_lane(stored, l);
}
/// (more than 5 parameters: as store_lanes)
template <class Real, class Wanted>
CS_NOINLINE void store_lanes_apart(const Job<ScalarOf<Real>>& job, long first, int number, Real x, MaskOf<Real> finite,
                                   const Wanted& wanted) {
  store_lanes(job, first, number, x, finite, wanted);
}
/// (more than 5 parameters: as store_lanes)
template <class Real, class Wanted>
CS_INLINE void store_number(const Job<ScalarOf<Real>>& job, long first, int number, Real x, MaskOf<Real> finite,
                            const Wanted& wanted) {
  if constexpr (RealTraits<Real>::lanes > 1)
    store_lanes_apart(job, first, number, x, finite, wanted);
  else
    store_lanes(job, first, number, x, finite, wanted);
}

/// Stores what was observed of the members of a pack (those lanes of it that are `wanted`), and marks those whose state
/// did not stay finite.
template <class Real, class Model, class Wanted = EveryLane>
CS_INLINE void store_results(const Job<ScalarOf<Real>>& job, long first, Member<Real, Model>& m,
                             const Node<Real, Model>& last, const Wanted& wanted = {}) {
  constexpr int lanes = RealTraits<Real>::lanes;
  MaskOf<Real> finite = Real(0) == Real(0);
  unroll<Model::dimension>([&](auto c) CS_LAMBDA { finite = finite && is_finite(m.q.value[c]); });
  m.observers().finish(last, job.clock,
                       [&](int number, Real x) CS_LAMBDA { store_number(job, first, number, x, finite, wanted); });
  for (int l = 0; l < lanes; ++l)
    if (first + l < job.count && wanted(l))
      job.marks[first + l] =
          static_cast<unsigned char>(get_lane(finite, l) ? flags_of(m, l) * mark_flags : mark_stopped);
}

/// One node of the recorded members of a pack (more than 5 parameters: a node's record, and where it goes).
template <class Real, class Model, class Wanted = EveryLane>
CS_INLINE void store_track(const Job<ScalarOf<Real>>& job, long first, long i, const Node<Real, Model>& node, Real mode,
                           const Wanted& wanted = {}) {
  for (int l = 0; l < RealTraits<Real>::lanes; ++l) {
    if (first + l >= job.recorded) return;
    if (!wanted(l)) continue;
    const long at = (first + l) * job.times + i / job.every;
    const long column = job.recorded * job.times;
    state::for_each_state(node, [&](int c, const Real& x) CS_LAMBDA { job.tracks[c * column + at] = get_lane(x, l); });
    job.modes[at] = static_cast<unsigned char>(get_lane(mode, l));
  }
}

}  // namespace conesweep::chunk
