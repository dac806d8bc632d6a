#pragma once

#include <conesweep/chunk/diagnose.hpp>
#include <conesweep/chunk/ending.hpp>
#include <conesweep/step/is_model.hpp>

#include "member_words.cuh"
#include "sum_tracks.cuh"

// One thread a member; the whole time loop in one kernel. Compiled by NVRTC with a generated model, or by nvcc with a
// model written by hand (kernels/user_model.cu).

namespace conesweep::kernels {

using chunk::Diagnosis;
using chunk::Job;
using history::Look;
using history::Moment;
using history::Ring;
using state::Node;
using step::Member;

template <class Model, class Scalar>
__device__ __forceinline__ Ring<Scalar> ring_of(const Wave<Scalar>& wave, long thread) {
  Scalar* data = wave.ring + place_in_warps(thread, wave.slots * history::ring_columns<Model>);
  // where it comes from is forgotten: else every address is computed from wave.ring on, with three instructions for one
  asm("" : "+l"(data));
  __builtin_assume(__isGlobal(data));
  return {data, wave.slots, warp};
}

/// May members differ in how much a step has to do, so that it pays to say who steps beside whom? Those with a history
/// stay where they are: it lies beside that of their warp.
template <class Model>
CS_HD constexpr bool regroups() {
  return Model::lags == 0 && (state::is_joint<Model>() || state::stops<Model>());
}

/// Whom a step tells what it did.
template <class Scalar, class Model>
struct Observer {
  const Job<Scalar>& job;
  long place;
  Member<Scalar, Model>& m;
  long at;
  float& work;

  CS_INLINE bool operator()(const Node<Scalar, Model>& node) const { return chunk::arrive(job, place, m, node, at); }
  template <class Record>
  CS_INLINE void see_record(const Record& record) const {
    if constexpr (regroups<Model>()) work += 1.0f;
    if constexpr (regroups<Model>() && state::is_joint<Model>()) work += static_cast<float>(record.joint().search);
  }
};

/// How many slots the history of every member needs.
template <class Scalar, class Model>
__device__ __forceinline__ void measure(const Wave<Scalar>& wave, long* longest) {
  const long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= wave.job.count) return;
  Member<Scalar, Model> m;
  chunk::begin_members(wave.job, k, m);
  longest[k] = m.past().count_slots();
}

/// For those who regroup.
template <class Model, class Scalar>
__device__ __forceinline__ void note_work(const Wave<Scalar>& wave, long k, float work) {
  if constexpr (regroups<Model>())
    if (wave.work != nullptr) wave.work[k] = work;
}

/// Steps first … last - 1 of every member of the wave; before step 0 the members are made, after step N - 1 their
/// results stored.
///
/// It is longer than 60 lines: the whole life of a thread, whose state never leaves its registers.
template <class Scalar, step::IsModel<Scalar> Model>
__device__ __forceinline__ void advance(const Wave<Scalar>& wave, long first, long last) {
  long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= wave.job.count) return;
  if constexpr (regroups<Model>())
    if (wave.turn != nullptr) k = wave.turn[k];
  const Job<Scalar>& job = wave.job;
  const long place = wave.order[k];
  float work = 0.0f;
  const Ring<Scalar> ring = ring_of<Model>(wave, k);

  Member<Scalar, Model> m;
  if (first == 0) {
    chunk::begin_members(job, place, m);
    if constexpr (Model::lags > 0) step::fill_ring(m, ring);
  } else {
    m = load_state<Model>(wave, k);
    if constexpr (state::stops<Model>()) {
      if (!m.running()) return note_work<Model>(wave, k, work);
    }
  }

  const bool recording = place < job.recorded;
  history::SlotNumber now = Model::lags > 0 ? static_cast<history::SlotNumber>(first % wave.slots) : 0;
  const auto slots = static_cast<history::SlotNumber>(wave.slots);
  long i = first;
  const auto goes_on = [&] {
    if constexpr (state::stops<Model>())
      return m.running();
    else
      return true;
  };
  const auto take_step = [&]<Look How>(long at, bool noting, const auto& record_node) {
    step::advance<How, false>(m, {at, now, ring, job.clock}, noting, record_node,
                              Observer<Scalar, Model>{job, place, m, at, work});
    if constexpr (Model::lags > 0) now = now + 1 == slots ? 0 : now + 1;
  };
  // what a loop of plain steps does not use is not counted in it; says how many it took
  const auto take_plain_steps = [&]<Look How>(long from, int most) {
    int left = most;
    long node = from;
#pragma unroll 1
    for (; left > 0 && goes_on(); --left, ++node)
      take_step.template operator()<How>(node, state::stops<Model>() && recording,
                                         [](const Node<Scalar, Model>&, Scalar) {});
    return most - left;
  };

  // Steps in full: while some member may look back before t = 0, at nodes of which some member is recorded, and at the
  // last one, whose mode node N shows. The same ones for all threads, so that warps stay together. All others are
  // plain: neither is in their loop. Laws solved together make a step long; without lags it is compiled once.
  constexpr bool has_plain = Model::lags > 0 || !state::is_joint<Model>();
  const long steps = job.clock.steps, early = Model::lags > 0 ? wave.slots : 0,
             final_step = job.recorded > 0 ? steps - 1 : steps;
  long next = job.recorded > 0 ? (first + job.every - 1) / job.every * job.every : steps;  // recorded node
  while (i < last && goes_on()) {
#pragma unroll 1
    while (i < last && goes_on() && (!has_plain || i < early || i == next || i == final_step)) {
      const bool here = i == next;
      take_step.template operator()<Model::lags == 0 ? Look::between : Look::early>(
          i, recording, [&](const Node<Scalar, Model>& node, Scalar mode) {
            if (here) chunk::store_track(job, place, i, node, mode);
          });
      if (here) next += job.every;
      ++i;
    }
    if constexpr (has_plain) {
      const long full = next < final_step ? next : final_step, plain = (full < last ? full : last) - i;
      const int most = plain < (1 << 30) ? static_cast<int>(plain) : 1 << 30;
      if (!m.past().looks_at_nodes()) {
        i += take_plain_steps.template operator()<Look::between>(i, most);
      } else if constexpr (history::may_look_at_nodes<Model>()) {
        i += take_plain_steps.template operator()<Look::at_nodes>(i, most);
        history::find_older(m.past(), {i, now, ring, job.clock});
      }
    }
  }

  if (last < job.clock.steps) {
    store_state(wave, k, m);
    note_work<Model>(wave, k, work);
  }
  if (last < job.clock.steps || !goes_on()) return;
  Node<Scalar, Model> node;
  step::make_last_node(m, node, {job.clock.steps, now, ring, job.clock});
  if (recording && job.clock.steps % job.every == 0) chunk::store_track(job, place, job.clock.steps, node, m.mode);
  chunk::store_results(job, place, m, node);
}

/// Steps first … last - 1 of the members bad[0], bad[1], … once more: why and where did they not stay finite?
/// (more than 5 parameters: a kernel takes numbers)
template <class Scalar, class Model>
__device__ __forceinline__ void diagnose(const Wave<Scalar>& wave, const int* bad, long count, long first, long last,
                                         Diagnosis* diagnosis) {
  const long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const Ring<Scalar> ring = ring_of<Model>(wave, k);
  Member<Scalar, Model> m;
  if (first == 0) {
    diagnosis[k] = chunk::diagnose_start(wave.job, bad[k], m, ring);
  } else {
    m = load_state<Model>(wave, k);
  }
  if (diagnosis[k].status != 0) return;
  diagnosis[k] = chunk::diagnose_steps(wave.job, m, ring, first, last);
  store_state(wave, k, m);
}

}  // namespace conesweep::kernels

/// The kernels of one model under the names the executor looks up. A type cannot be chosen by a launch from the host,
/// so each model has its own four.
#define CS_MODEL_KERNELS(SCALAR, MODEL)                                                                                \
  extern "C" __global__ void measure_kernel(conesweep::kernels::Wave<SCALAR> wave, long* longest) {                    \
    conesweep::kernels::measure<SCALAR, MODEL>(wave, longest);                                                         \
  }                                                                                                                    \
  extern "C" __global__ void advance_kernel(conesweep::kernels::Wave<SCALAR> wave, long first, long last) {            \
    conesweep::kernels::advance<SCALAR, MODEL>(wave, first, last);                                                     \
  }                                                                                                                    \
  extern "C" __global__ void diagnose_kernel(conesweep::kernels::Wave<SCALAR> wave, const int* bad, long count,        \
                                             long first, long last, conesweep::chunk::Diagnosis* diagnosis) {          \
    conesweep::kernels::diagnose<SCALAR, MODEL>(wave, bad, count, first, last, diagnosis);                             \
  }                                                                                                                    \
  extern "C" __global__ void sum_tracks_kernel(conesweep::kernels::Wave<SCALAR> wave, double* mean, double* squares) { \
    conesweep::kernels::sum_tracks<SCALAR, MODEL>(wave, mean, squares);                                                \
  }                                                                                                                    \
  extern "C" {                                                                                                         \
  __device__ long state_bytes = sizeof(conesweep::step::Member<SCALAR, MODEL>);                                        \
  __device__ int may_regroup = conesweep::kernels::regroups<MODEL>() ? 1 : 0;                                          \
  }                                                                                                                    \
  static_assert(true)
