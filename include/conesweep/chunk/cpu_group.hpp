#pragma once

#include <conesweep/chunk/diagnose.hpp>
#include <conesweep/chunk/ending.hpp>
#include <conesweep/math/pack.hpp>

namespace conesweep::chunk {

/// Packs side by side: their latencies overlap. Four run out of registers.
inline constexpr int packs_in_group = 2;

/// Scratch memory for the ring of one group; grows and is kept.
template <class Scalar>
struct Scratch {
  void* block = nullptr;
  Scalar* data = nullptr;  // in it, from a cache line's beginning on
  long size = 0;

  ~Scratch() { __builtin_free(block); }

  /// Null if there is no memory.
  Scalar* reserve(long wanted) {
    if (wanted > size) {
      __builtin_free(block);
      constexpr unsigned long line = 64;  // bytes; clang has no builtin for aligned memory
      block = __builtin_malloc(static_cast<unsigned long>(wanted) * sizeof(Scalar) + line);
      data = block == nullptr ? nullptr : reinterpret_cast<Scalar*>((reinterpret_cast<unsigned long>(block) + line - 1) / line * line);
      size = block == nullptr ? 0 : wanted;
    }
    return data;
  }
};

/// Asked to stop?
template <class Scalar>
inline bool is_stopped(const Job<Scalar>& job) {
  return job.stop != nullptr && __atomic_load_n(job.stop, __ATOMIC_RELAXED);
}

/// Steps between two looks at `stop`: a few milliseconds of them, fewer where a step looks through windows.
template <class Real, class Model>
inline long steps_between_looks(const Member<Real, Model>& m) {
  constexpr long steps = 4096;
  const long nodes = m.count_looked_through();
  return steps * 64 / (64 + nodes) + 1;
}

/// Does a member of the group still run?
template <class Pack, class Model>
inline bool is_running(Member<Pack, Model>* m) {
  bool some = false;
  for (int p = 0; p < packs_in_group; ++p) some = some || any(m[p].running());
  return some;
}

/// All steps of a group of packs, from node `i` on while i < last.
template <bool Early, class Pack, class Model>
CS_INLINE void advance_group(const Job<ScalarOf<Pack>>& job, long first, Member<Pack, Model>* m, const Ring<ScalarOf<Pack>>* ring, long& i, long last,
                             long& now) {
  constexpr int lanes = RealTraits<Pack>::lanes;
  const bool recording = first < job.recorded;
  const auto clock = job.clock;
  long wait = recording ? (job.every - i % job.every) % job.every : -1;  // steps until the next recorded node; a division in each step would show
  for (; i < last; ++i) {
    const bool record_now = wait == 0;
    wait = record_now ? job.every - 1 : wait - 1;
    unroll<packs_in_group>([&](auto p) {
      const long here = first + p * lanes;
      step::advance<Early, false>(
          m[p], {i, now, ring[p], clock}, recording,
          [&](const Node<Pack, Model>& node, Pack mode) {
            if (record_now) store_track(job, here, i, node, mode, lanes_running(m[p]));
          },
          [&](const auto& node) { return arrive(job, here, m[p], node, i); });
    });
    if constexpr (state::stops<Model>()) {
      if (!is_running(m)) {
        i = clock.steps;
        return;
      }
    }
    if constexpr (Model::lags > 0) now = now + 1 == ring[0].slots ? 0 : now + 1;
  }
}

/// Members first … of a group, from their past to the end. False if there is no memory for the ring, or the job was stopped.
template <class Pack, class Model>
__attribute__((flatten)) bool run_group(const Job<ScalarOf<Pack>>& job, long first, Scratch<ScalarOf<Pack>>& scratch) {
  using Scalar = ScalarOf<Pack>;
  constexpr int lanes = RealTraits<Pack>::lanes, width = packs_in_group * lanes;
  Member<Pack, Model> m[packs_in_group];
  long slots = 1, early = 0;
  unroll<packs_in_group>([&](auto p) {
    Pack parameters[at_least_one(Model::parameters)];
    load_parameters<Pack, Model>(job, first + p * lanes, parameters);
    step::start_member(m[p], parameters, job.clock);
    const long longest = m[p].past().count_slots();
    slots = longest > slots ? longest : slots;
    early = slots < job.clock.steps ? slots : job.clock.steps;
  });

  constexpr long columns = history::ring_columns<Model>;
  Ring<Scalar> ring[packs_in_group];
  if constexpr (Model::lags > 0) {
    Scalar* data = scratch.reserve(slots * columns * width + 1);  // a delayed t needs no column
    if (data == nullptr) return false;
    unroll<packs_in_group>([&](auto p) {
      ring[p] = {data + p * lanes, slots, width};
      step::fill_ring(m[p], ring[p]);
    });
  }

  long i = 0, now = 0;
  const long piece = steps_between_looks(m[0]);
  if constexpr (Model::lags > 0)
    while (i < early) {
      if (is_stopped(job)) return false;
      advance_group<true>(job, first, m, ring, i, early - i < piece ? early : i + piece, now);
    }
  while (i < job.clock.steps) {
    if (is_stopped(job)) return false;
    advance_group<false>(job, first, m, ring, i, job.clock.steps - i < piece ? job.clock.steps : i + piece, now);
  }

  unroll<packs_in_group>([&](auto p) {
    const long here = first + p * lanes;
    if (here >= job.count) return;
    if constexpr (state::stops<Model>()) {
      if (!any(m[p].running())) return;
    }
    Node<Pack, Model> last;
    step::make_last_node(m[p], last, {job.clock.steps, now, ring[p], job.clock});
    if (here < job.recorded && job.clock.steps % job.every == 0) store_track(job, here, job.clock.steps, last, m[p].mode, lanes_running(m[p]));
    store_results(job, here, m[p], last, lanes_running(m[p]));
  });
  return true;
}

/// Members begin … end - 1 of a job. False if memory ran out, or the job was stopped.
template <class Pack, class Model>
bool run_members(const Job<ScalarOf<Pack>>& job, long begin, long end) {
  constexpr int width = packs_in_group * RealTraits<Pack>::lanes;
  Scratch<ScalarOf<Pack>> scratch;
  for (long first = begin; first < end; first += width)
    if (!run_group<Pack, Model>(job, first, scratch)) return false;
  return true;
}

/// What became of a member whose state did not stay finite. Status -1: memory ran out, or the job was stopped.
template <class Scalar, class Model>
Diagnosis diagnose(const Job<Scalar>& job, long number) {
  Scalar parameters[at_least_one(Model::parameters)];
  load_parameters<Scalar, Model>(job, number, parameters);
  Member<Scalar, Model> m;
  step::start_member(m, parameters, job.clock);
  const long longest = m.past().count_slots();
  Scratch<Scalar> scratch;
  const Ring<Scalar> ring = {scratch.reserve((longest > 0 ? longest : 1) * (history::ring_columns<Model> + 1)), longest > 0 ? longest : 1, 1};
  if (ring.data == nullptr) return {-1, 0};
  Diagnosis found = diagnose_start(job, number, m, ring);
  const long piece = steps_between_looks(m);
  for (long i = 0; found.status == 0; i = found.node) {
    if (is_stopped(job)) return {-1, i};
    found = diagnose_steps(job, m, ring, i, job.clock.steps - i < piece ? job.clock.steps : i + piece);
  }
  return found;
}

}  // namespace conesweep::chunk
