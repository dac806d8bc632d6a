#pragma once

#include <conesweep/chunk/diagnose.hpp>
#include <conesweep/chunk/ending.hpp>
#include <conesweep/math/pack.hpp>
#include <conesweep/step/is_model.hpp>

namespace conesweep::chunk {

using history::Look;

/// Packs side by side: their latencies overlap. More run out of registers, but where a step is a few operations; of a
/// model with many coordinates one does. One or two coordinates with resistances in closed form and little to observe
/// take so few that eight are fastest where there are 32 registers, though constants are loaded in each step.
template <class Model>
CS_HD constexpr int count_packs() {
  constexpr int dimension = Model::dimension;
  if (dimension > 8) return 1;
  if (!Model::Laws::packs || Model::lags > 0 || dimension > 2) return 2;
  constexpr bool observes_little = sizeof(observe::Observers<double, Model>) <= 2 * sizeof(double);
  return CS_WIDE_PACKS && step::only_resists<Model>() && observes_little ? 8 : 4;
}
template <class Model>
inline constexpr int packs_in_group = count_packs<Model>();
template <class Pack, class Model>
inline constexpr int members_in_group = packs_in_group<Model>* RealTraits<Pack>::lanes;

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
      data = block == nullptr
                 ? nullptr
                 : reinterpret_cast<Scalar*>((reinterpret_cast<unsigned long>(block) + line - 1) / line * line);
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

/// Does some member of the pack run on?
template <class Pack, class Model>
CS_INLINE bool runs([[maybe_unused]] Member<Pack, Model>& m) {
  if constexpr (state::stops<Model>())
    return any(m.running());
  else
    return true;
}

/// Where a group stands: at node i, which lies in slot `now`.
struct Stand {
  long i = 0, now = 0;
};

/// A recorded node. By value, so that the loop's own node can stay in registers
/// (more than 5 parameters: for that each stands by itself).
template <class Pack, class Model>
CS_APART void store_track_apart(const Job<ScalarOf<Pack>>& job, long first, long i, Node<Pack, Model> node, Pack mode,
                                MaskOf<Pack> running) {
  store_track(job, first, i, node, mode, [running](int l) { return static_cast<bool>(get_lane(running, l)); });
}

/// Steps of `Packs` packs beside each other while i < last. Look::early: some member may look back before t = 0, or is
/// recorded. What does neither is a shorter loop; where it calls no function, the members stay in registers
/// (more than 5 parameters: for that each stands by itself).
template <Look How, int Packs, class Pack, class Model>
inline void advance_packs(const Job<ScalarOf<Pack>>& job, long first, Member<Pack, Model>* m,
                          const Ring<ScalarOf<Pack>>* ring, Stand& at, long last) {
  constexpr int lanes = RealTraits<Pack>::lanes;
  constexpr bool may_record = How == Look::early;
  const bool recording = may_record && first < job.recorded;
  const auto clock = job.clock;
  long i = at.i, now = at.now;
  // steps until the next recorded node; a division in each step would show
  long wait = recording ? (job.every - i % job.every) % job.every : -1;
  for (; i < last; ++i) {
    const bool record_now = wait == 0;
    wait = record_now ? job.every - 1 : wait - 1;
    const auto step_pack = [&](auto p) CS_LAMBDA {
      const long here = first + p * lanes;
      const auto record = [&]([[maybe_unused]] const Node<Pack, Model>& node, [[maybe_unused]] Pack mode) CS_LAMBDA {
        if constexpr (may_record) {
          if (record_now) store_track_apart(job, here, i, detach(node), mode, running_mask(m[p]));
        }
      };
      step::advance<How, false>(m[p], {i, now, ring[p], clock}, recording, record,
                                [&](const auto& node) CS_LAMBDA { return arrive(job, here, m[p], node, i); });
    };
    // not by unroll: each function on the way is compiled with all of the step in it
    static_assert(Packs <= 8);
    step_pack(math::Index<0>{});
    if constexpr (Packs > 1) step_pack(math::Index<1>{});
    if constexpr (Packs > 2) step_pack(math::Index<2>{});
    if constexpr (Packs > 3) step_pack(math::Index<3>{});
    if constexpr (Packs > 4) step_pack(math::Index<4>{});
    if constexpr (Packs > 5) step_pack(math::Index<5>{});
    if constexpr (Packs > 6) step_pack(math::Index<6>{});
    if constexpr (Packs > 7) step_pack(math::Index<7>{});
    if constexpr (state::stops<Model>()) {
      bool some = false;
      unroll<Packs>([&](auto p) CS_LAMBDA { some = some || runs(m[p]); });
      if (!some) {
        i = clock.steps;
        break;
      }
    }
    if constexpr (Model::lags > 0) now = now + 1 == ring[0].slots ? 0 : now + 1;
  }
  at = {i, now};
}

/// The same for members in memory, which are taken into registers for these steps. A function of its own, with nothing
/// but the loop in it (more than 5 parameters: as the loop).
template <Look How, int Packs, class Pack, class Model>
__attribute__((noinline, flatten)) void advance_apart(const Job<ScalarOf<Pack>>& job, long first,
                                                      Member<Pack, Model>* members, const Ring<ScalarOf<Pack>>* rings,
                                                      Stand& at, long last) {
  Member<Pack, Model> m[Packs];
  Ring<ScalarOf<Pack>> ring[Packs];
  unroll<Packs>([&](auto p) CS_LAMBDA {
    m[p] = members[p], ring[p] = {rings[p].data, rings[p].slots, members_in_group<Pack, Model>};
  });  // a stride that the compiler knows
  advance_packs<How, Packs>(job, first, m, ring, at, last);
  unroll<Packs>([&](auto p) CS_LAMBDA {
    if constexpr (How == Look::at_nodes) history::find_older(m[p].past(), {at.i, at.now, ring[p], job.clock});
    members[p] = m[p];
  });
}

/// Steps of a group in general, pack by pack: that is a shorter text to compile than packs beside each other, and
/// mostly the shorter part of a run (more than 5 parameters: as the loop).
template <class Pack, class Model>
void advance_in_general(const Job<ScalarOf<Pack>>& job, long first, Member<Pack, Model>* m,
                        const Ring<ScalarOf<Pack>>* ring, Stand& at, long last) {
  // no member runs any more; a pack that ended early knows no place in the ring for others
  Stand reached = {job.clock.steps, at.now};
  for (int p = 0; p < packs_in_group<Model>; ++p) {
    Stand own = at;
    advance_apart<Look::early, 1>(job, first + p * RealTraits<Pack>::lanes, m + p, ring + p, own, last);
    if (runs(m[p])) reached = own;
  }
  at = reached;
}

/// One pack at node 0.
template <class Pack, class Model>
__attribute__((noinline, cold, flatten)) void start_pack(const Job<ScalarOf<Pack>>& job, long first,
                                                         Member<Pack, Model>& m) {
  begin_members(job, first, m);
}

/// One pack at node N: its results.
template <class Pack, class Model>
__attribute__((noinline, cold, flatten)) void finish_pack(const Job<ScalarOf<Pack>>& job, long first,
                                                          Member<Pack, Model>& m, const Ring<ScalarOf<Pack>>& ring,
                                                          long now) {
  if (first >= job.count) return;
  if constexpr (state::stops<Model>()) {
    if (!any(m.running())) return;
  }
  Node<Pack, Model> last;
  step::make_last_node(m, last, {job.clock.steps, now, ring, job.clock});
  if (first < job.recorded && job.clock.steps % job.every == 0)
    store_track_apart(job, first, job.clock.steps, detach(last), m.mode, running_mask(m));
  store_results(job, first, m, last, lanes_running(m));
}

/// Members first … of a group, from their past to the end. False if there is no memory for the ring, or the job was
/// stopped.
template <class Pack, class Model>
bool run_group(const Job<ScalarOf<Pack>>& job, long first, Scratch<ScalarOf<Pack>>& scratch) {
  using Scalar = ScalarOf<Pack>;
  constexpr int lanes = RealTraits<Pack>::lanes, width = members_in_group<Pack, Model>;
  Member<Pack, Model> m[packs_in_group<Model>];
  long slots = 1;
  for (int p = 0; p < packs_in_group<Model>; ++p) {
    start_pack(job, first + p * lanes, m[p]);
    const long longest = m[p].past().count_slots();
    slots = longest > slots ? longest : slots;
  }
  const bool recording = first < job.recorded;
  const long general = recording || slots > job.clock.steps ? job.clock.steps : Model::lags > 0 ? slots : 0;  // steps

  constexpr long columns = history::slot_size<Pack, Model>;
  Ring<Scalar> ring[packs_in_group<Model>];
  if constexpr (Model::lags > 0) {
    Scalar* data = scratch.reserve(slots * columns * width + 1);  // a delayed t needs no column
    if (data == nullptr) return false;
    for (int p = 0; p < packs_in_group<Model>; ++p) {
      ring[p] = {data + p * lanes * (history::is_in_rows<Pack, Model>() ? columns : 1), slots, width};
      step::fill_ring(m[p], ring[p]);
    }
  }

  Stand at;
  const long piece = steps_between_looks(m[0]);
  while (at.i < job.clock.steps) {
    if (is_stopped(job)) return false;
    const long goal = at.i < general ? general : job.clock.steps, last = goal - at.i < piece ? goal : at.i + piece;
    if (at.i < general)
      advance_in_general(job, first, m, ring, at, last);
    else if (!m[0].past().looks_at_nodes())
      advance_apart<Look::between, packs_in_group<Model>>(job, first, m, ring, at, last);
    else if constexpr (history::may_look_at_nodes<Model>())
      advance_apart<Look::at_nodes, packs_in_group<Model>>(job, first, m, ring, at, last);
  }
  for (int p = 0; p < packs_in_group<Model>; ++p) finish_pack(job, first + p * lanes, m[p], ring[p], at.now);
  return true;
}

/// Members begin … end - 1 of a job. False if memory ran out, or the job was stopped.
template <class Pack, step::IsModel<Pack> Model>
bool run_members(const Job<ScalarOf<Pack>>& job, long begin, long end) {
  constexpr int width = members_in_group<Pack, Model>;
  Scratch<ScalarOf<Pack>> scratch;
  for (long first = begin; first < end; first += width)
    if (!run_group<Pack, Model>(job, first, scratch)) return false;
  return true;
}

/// What became of the member at a place of the job, whose state did not stay finite. Status -1: memory ran out, or the
/// job was stopped.
template <class Scalar, step::IsModel<Scalar> Model>
Diagnosis diagnose(const Job<Scalar>& job, long place) {
  Member<Scalar, Model> m;
  begin_members(job, place, m);
  const long longest = m.past().count_slots();
  Scratch<Scalar> scratch;
  const Ring<Scalar> ring = {scratch.reserve((longest > 0 ? longest : 1) * (history::ring_columns<Model> + 1)),
                             longest > 0 ? longest : 1, 1};
  if (ring.data == nullptr) return {-1, 0};
  Diagnosis found = diagnose_start(job, place, m, ring);
  const long piece = steps_between_looks(m);
  for (long i = 0; found.status == 0; i = found.node) {
    if (is_stopped(job)) return {-1, i};
    found = diagnose_steps(job, m, ring, i, job.clock.steps - i < piece ? job.clock.steps : i + piece);
  }
  return found;
}

}  // namespace conesweep::chunk
