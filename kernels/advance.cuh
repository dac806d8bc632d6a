#pragma once

#include <conesweep/chunk/diagnose.hpp>
#include <conesweep/chunk/ending.hpp>

#include "wave.hpp"

// One thread a member; the whole time loop in one kernel. Compiled by NVRTC with a generated model, or by nvcc with a model
// written by hand (kernels/user_model.cu).

namespace conesweep::kernels {

using chunk::Diagnosis;
using chunk::Job;
using history::Moment;
using history::Ring;
using state::Node;
using step::Member;

/// A wave as the kernels of a model see it.
template <class Scalar, class Model>
using ModelWave = Wave<Scalar, Member<Scalar, Model>>;

template <class Scalar, class Model>
__device__ __forceinline__ Ring<Scalar> ring_of(const ModelWave<Scalar, Model>& wave, long thread) {
  return {wave.ring + thread, wave.slots, wave.job.count};
}

/// How many slots the history of every member needs.
template <class Scalar, class Model>
__device__ __forceinline__ void measure(const ModelWave<Scalar, Model>& wave, long* longest) {
  const long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= wave.job.count) return;
  Scalar parameters[at_least_one(Model::parameters)];
  chunk::load_parameters<Scalar, Model>(wave.job, k, parameters);
  Member<Scalar, Model> m;
  step::start_member(m, parameters, wave.job.clock);
  longest[k] = m.past().count_slots();
}

/// Steps first … last - 1 of every member of the wave; before step 0 the members are made, after step N - 1 their results stored.
template <class Scalar, class Model>
__device__ __forceinline__ void advance(const ModelWave<Scalar, Model>& wave, long first, long last) {
  const long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= wave.job.count) return;
  const Job<Scalar>& job = wave.job;
  const long number = wave.order[k];
  const Ring<Scalar> ring = ring_of(wave, k);

  Member<Scalar, Model> m;
  if (first == 0) {
    Scalar parameters[at_least_one(Model::parameters)];
    chunk::load_parameters<Scalar, Model>(job, number, parameters);
    step::start_member(m, parameters, job.clock);
    if constexpr (Model::lags > 0) step::fill_ring(m, ring);
  } else {
    m = wave.state[k];
    if constexpr (state::stops<Model>()) {
      if (!m.running()) return;
    }
  }

  const bool recording = number < job.recorded;
  long wait = recording ? (job.every - first % job.every) % job.every : -1;  // steps until the next recorded node
  long now = Model::lags > 0 ? first % wave.slots : 0;
  const long early = wave.slots < last ? wave.slots : last;
  const auto step_to = [&](auto is_early, long i) {
    step::advance<decltype(is_early)::value != 0, false>(
        m, {i, now, ring, job.clock}, recording,
        [&](const Node<Scalar, Model>& node, Scalar mode) {
          if (wait == 0) chunk::store_track(job, number, i, node, mode);
        },
        [&](const auto& node) { return chunk::arrive(job, number, m, node, i); });
    wait = wait == 0 ? job.every - 1 : wait - 1;
    if constexpr (Model::lags > 0) now = now + 1 == wave.slots ? 0 : now + 1;
  };
  const auto goes_on = [&] {
    if constexpr (state::stops<Model>())
      return m.running();
    else
      return true;
  };
  long i = first;
  if constexpr (Model::lags > 0)
    for (; i < early && goes_on(); ++i) step_to(math::Index<1>{}, i);
  for (; i < last && goes_on(); ++i) step_to(math::Index<0>{}, i);

  if (last < job.clock.steps) wave.state[k] = m;
  if (last < job.clock.steps || !goes_on()) return;
  Node<Scalar, Model> node;
  step::make_last_node(m, node, {job.clock.steps, now, ring, job.clock});
  if (recording && job.clock.steps % job.every == 0) chunk::store_track(job, number, job.clock.steps, node, m.mode);
  chunk::store_results(job, number, m, node);
}

/// Steps first … last - 1 of the members bad[0], bad[1], … once more: why and where did they not stay finite?
template <class Scalar, class Model>
__device__ __forceinline__ void diagnose(const ModelWave<Scalar, Model>& wave, const int* bad, long count, long first, long last, Diagnosis* diagnosis) {
  const long k = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const Ring<Scalar> ring = ring_of(wave, k);
  Member<Scalar, Model> m;
  if (first == 0) {
    diagnosis[k] = chunk::diagnose_start(wave.job, bad[k], m, ring);
  } else {
    m = wave.state[k];
  }
  if (diagnosis[k].status != 0) return;
  diagnosis[k] = chunk::diagnose_steps(wave.job, m, ring, first, last);
  wave.state[k] = m;
}

}  // namespace conesweep::kernels

/// The kernels of one model under the names the executor looks up. A type cannot be chosen by a launch from the host, so each
/// model has its own three.
#define CS_MODEL_KERNELS(SCALAR, MODEL)                                                                                                                       \
  extern "C" __global__ void measure_kernel(conesweep::kernels::ModelWave<SCALAR, MODEL> wave, long* longest) { conesweep::kernels::measure(wave, longest); } \
  extern "C" __global__ void advance_kernel(conesweep::kernels::ModelWave<SCALAR, MODEL> wave, long first, long last) {                                       \
    conesweep::kernels::advance(wave, first, last);                                                                                                           \
  }                                                                                                                                                           \
  extern "C" __global__ void diagnose_kernel(conesweep::kernels::ModelWave<SCALAR, MODEL> wave, const int* bad, long count, long first, long last,            \
                                             conesweep::chunk::Diagnosis* diagnosis) {                                                                        \
    conesweep::kernels::diagnose(wave, bad, count, first, last, diagnosis);                                                                                   \
  }                                                                                                                                                           \
  extern "C" {                                                                                                                                                \
  __device__ long state_bytes = sizeof(conesweep::step::Member<SCALAR, MODEL>);                                                                               \
  }                                                                                                                                                           \
  static_assert(true)
