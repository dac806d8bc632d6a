#pragma once

#include <conesweep/chunk/results.hpp>
#include <conesweep/step/finish.hpp>

namespace conesweep::chunk {

/// Those lanes of a pack that still run, in a model whose members may end early; else all.
template <class Real, class Model>
CS_INLINE auto lanes_running([[maybe_unused]] Member<Real, Model>& m) {
  if constexpr (state::stops<Model>())
    return [running = m.running()](int l) { return static_cast<bool>(get_lane(running, l)); };
  else
    return EveryLane{};
}

/// The same as a mask.
template <class Real, class Model>
CS_INLINE MaskOf<Real> running_mask([[maybe_unused]] Member<Real, Model>& m) {
  if constexpr (state::stops<Model>())
    return m.running();
  else
    return Real(0) == Real(0);
}

/// The tracks of members that end at node i hold NaN afterwards, and mode 0.
template <class Model, class Scalar, class Wanted>
CS_INLINE void end_tracks(const Job<Scalar>& job, long first, int lanes, long i, const Wanted& wanted) {
  for (int l = 0; l < lanes && first + l < job.recorded; ++l) {
    if (!wanted(l)) continue;
    for (long time = i / job.every + 1; time < job.times; ++time) {
      const long at = (first + l) * job.times + time;
      for (int column = 0; column < state::count_states<Model>(); ++column)
        job.tracks[column * job.recorded * job.times + at] = canonical_nan<Scalar>();
      job.modes[at] = 0;
    }
  }
}

/// Lanes that end at node i: this is their node N, and their results are stored. What such a lane does afterwards
/// nobody sees. By value: the other lanes go on, and stay in registers
/// (more than 5 parameters: for that each stands by itself).
template <class Real, class Model>
CS_APART void store_end(const Job<ScalarOf<Real>>& job, long first, Member<Real, Model> m, Node<Real, Model> last,
                        long i, MaskOf<Real> ends) {
  const auto wanted = [ends](int l) { return static_cast<bool>(get_lane(ends, l)); };
  Job<ScalarOf<Real>> until = job;
  until.clock.end = ScalarOf<Real>(i) * job.clock.h;
  until.clock.steps = i;
  last.c = m.constants();
  step::end_at(m, last, i, job.clock.h);
  if (i % job.every == 0) store_track(job, first, i, last, m.mode, wanted);
  end_tracks<Model>(job, first, RealTraits<Real>::lanes, i, wanted);
  store_results(until, first, m, last, wanted);
}

/// (O10) On arrival at node i: do some members of the pack end here? False where none goes on.
template <class Real, class Model>
CS_INLINE bool arrive(const Job<ScalarOf<Real>>& job, long first, Member<Real, Model>& m, const Node<Real, Model>& node,
                      long i) {
  const MaskOf<Real> ends = m.running() && state::ends_at(node);
  if (any(ends)) {
    store_end(job, first, m, detach(node), i, ends);
    m.running() = m.running() && !ends;
  }
  return any(m.running());
}

}  // namespace conesweep::chunk
