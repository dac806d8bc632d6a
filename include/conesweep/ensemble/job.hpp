#pragma once

#include <conesweep/step/member.hpp>

namespace conesweep::ensemble {

using history::Ring;
using step::Clock;
using step::Member;
using step::Node;

/// A chunk of members as an executor hands it to generated code. Arrays are by column; a column has `stride` members.
template <class Scalar>
struct Job {
  long count;  // members
  long stride;
  const Scalar* fixed;   // every parameter's value where it does not vary: [parameter]
  const Scalar* varied;  // [variation][stride]
  Clock<Scalar> clock;

  Scalar* observables;  // [observable][stride]
  unsigned char* bad;   // [member]: 1 where the state did not stay finite, to be diagnosed

  long recorded;         // the first so many members leave trajectories
  long every;            // steps between recorded nodes
  long times;            // recorded nodes
  Scalar* tracks;        // coordinates, then velocities: [column][member * times + time]
  unsigned char* modes;  // [member * times + time]

  const bool* stop = nullptr;  // on the host: ends the work soon after it becomes true
};

/// Why a member stopped, and at which node.
struct Diagnosis {
  int status;
  long node;
};

/// One varied parameter of `lanes` members from `first` on; places beyond the last member repeat it.
template <class Real>
CS_INLINE void load_varied(const Job<ScalarOf<Real>>& job, long first, int variation, Real& x) {
  constexpr int lanes = RealTraits<Real>::lanes;
  const ScalarOf<Real>* column = job.varied + variation * job.stride;
  if (first + lanes <= job.count) {
    x = history::load_members<Real>(column + first);
  } else {
    for (int l = 0; l < lanes; ++l) set_lane(x, l, column[first + l < job.count ? first + l : job.count - 1]);
  }
}

template <class Real>
CS_APART void load_varied_apart(const Job<ScalarOf<Real>>& job, long first, int variation, Real& x) {
  load_varied(job, first, variation, x);
}

/// All parameters of these members.
template <class Real, class Model>
CS_INLINE void load_parameters(const Job<ScalarOf<Real>>& job, long first, Real* parameters) {
  if constexpr (Model::parameters <= math::most_in_one_piece)
    unroll<Model::parameters>([&](auto p) { parameters[p] = Real(job.fixed[p]); });
  else
    for (int p = 0; p < Model::parameters; ++p) parameters[p] = Real(job.fixed[p]);
  unroll_many<Model::varied>([&](auto k) {
    constexpr int parameter = Model::varied_parameter[k];
    if constexpr (Model::varied <= math::most_in_one_piece)
      load_varied(job, first, k, parameters[parameter]);
    else
      load_varied_apart(job, first, k, parameters[parameter]);
  });
}

template <class Real, class Model>
CS_INLINE long longest_lag(const Member<Real, Model>& m) {
  long longest = 0;
  unroll<Model::lags>([&](auto k) { longest = m.lag[k].longest > longest ? m.lag[k].longest : longest; });
  return longest;
}

/// Slots that no node has reached yet must hold something finite.
template <class Real, class Model>
CS_INLINE void fill_ring(const Member<Real, Model>& m, const Ring<ScalarOf<Real>>& ring) {
  for (long slot = 0; slot < ring.slots; ++slot) step::remember(m, slot, ring);
}

/// Stores what was observed of the members of a pack, and marks those whose state did not stay finite.
template <class Real, class Model>
CS_INLINE void store_results(const Job<ScalarOf<Real>>& job, long first, Member<Real, Model>& m, const Node<Real, Model>& last) {
  constexpr int lanes = RealTraits<Real>::lanes;
  MaskOf<Real> finite = Real(0) == Real(0);
  unroll<Model::dimension>([&](auto c) { finite = finite && is_finite(m.q[c]); });
  m.observers.finish(last, job.clock.h, job.clock.end, job.clock.steps, [&](int number, Real x) {
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

/// A member that did not stay finite, once more: makes it, and says what keeps it from starting. Status 0: nothing does.
template <class Scalar, class Model>
CS_HD inline Diagnosis diagnose_start(const Job<Scalar>& job, long number, Member<Scalar, Model>& m, const Ring<Scalar>& ring) {
  constexpr int bad_delay = 4, start_outside = 7;
  Scalar parameters[at_least_one(Model::parameters)];
  load_parameters<Scalar, Model>(job, number, parameters);
  step::start_member(m, parameters, job.clock);

  // at the start, in the order in which a member is made
  bool good = true;
  unroll<Model::lags>([&](auto k) {
    MaskOf<Scalar> valid;
    step::find_length<k>(m, job.clock, valid);
    good = good && valid;
  });
  if (!good) return {bad_delay, 0};
  Model::past(Scalar(0), m.c, m.q);
  unroll<Model::dimension>([&](auto c) { good = good && is_finite(m.q[c]) && is_finite(m.v[c]); });
  if (!good) return {step::non_finite, 0};
  int why = 0;
  unroll<Model::contacts>([&](auto p) {
    if (why != 0 || !(Model::template constraint<p>(m.q, m.c) > Scalar(0))) return;
    if (step::is_singular(Model::template steepness<p>(m.q, m.c)))
      why = step::singular_gradient;
    else if (step::lies_outside<p>(m))
      why = start_outside;
  });
  if (why != 0) return {why, 0};

  fill_ring(m, ring);
  return {0, 0};
}

/// Its steps first … last - 1, each checked: why and where its state stopped being finite. Status 0: not yet.
template <class Scalar, class Model>
CS_HD inline Diagnosis diagnose_steps(const Job<Scalar>& job, Member<Scalar, Model>& m, const Ring<Scalar>& ring, long first, long last) {
  bool good = true;
  long now = first % ring.slots;
  for (long i = first; i < last; ++i, now = now + 1 == ring.slots ? 0 : now + 1) {
    step::advance_step<true, true>(m, i, now, ring, job.clock, false, [](const auto&, Scalar) {});
    if (m.reason != Scalar(0)) return {static_cast<int>(m.reason), i};
    unroll<Model::dimension>([&](auto c) { good = good && is_finite(m.v[c]); });
    if (!good) return {step::non_finite, i};
    unroll<Model::dimension>([&](auto c) { good = good && is_finite(m.q[c]); });
    if (!good) return {step::non_finite, i + 1};
  }
  if (last < job.clock.steps) return {0, last};
  return {step::singular_gradient, job.clock.steps};  // what make_last_node found
}

}  // namespace conesweep::ensemble
