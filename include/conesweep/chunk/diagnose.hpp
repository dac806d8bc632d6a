#pragma once

#include <conesweep/chunk/begin.hpp>
#include <conesweep/state/status.hpp>
#include <conesweep/step/finish.hpp>

namespace conesweep::chunk {

using history::Moment;
using history::Ring;
using state::Status;

/// The member at a place of the job, which did not stay finite, once more: makes it, and says what keeps it from
/// starting. Status 0: nothing does.
template <class Scalar, class Model>
CS_HD inline Diagnosis diagnose_start(const Job<Scalar>& job, long place, Member<Scalar, Model>& m,
                                      const Ring<Scalar>& ring) {
  const auto because = [](Status why) { return Diagnosis{static_cast<int>(why), 0, 0}; };
  begin_members(job, place, m);

  // at the start, in the order in which a member is made
  bool good = true;
  unroll<Model::lags>([&](auto k) CS_LAMBDA {
    MaskOf<Scalar> valid;
    history::find_length<k, Model>(m.constants(), job.clock.h, valid);
    good = good && valid;
  });
  if (!good) return because(Status::bad_delay);
  Model::past(Scalar(0), m.constants(), m.q.value);
  if constexpr (state::settles<Model>()) Model::start_velocity(m.constants(), m.v.value);
  unroll<Model::dimension>([&](auto c)
                               CS_LAMBDA { good = good && is_finite(m.q.value[c]) && is_finite(m.v.value[c]); });
  if (!good) return because(Status::non_finite);
  if constexpr (state::settles<Model>()) step::settle(m);
  Status why = Status::ok;
  unroll<Model::contacts>([&](auto p) CS_LAMBDA {
    if (why != Status::ok || !(Model::template constraint<p>(m.q.value, m.constants(), Scalar(0)) > Scalar(0))) return;
    if (contact::is_singular(Model::template steepness<p>(m.q.value, m.constants(), Scalar(0))))
      why = Status::singular_gradient;
    else if (step::lies_outside<p>(m))
      why = Status::start_outside;
  });
  if constexpr (Model::Laws::coupled) {
    if (why == Status::ok) why = step::check_start(m, job.clock);
  }
  if (why == Status::ok) step::fill_ring(m, ring);
  return because(why);
}

/// Its steps first … last - 1, each checked: why and where its state stopped being finite. Status 0: not yet.
template <class Scalar, class Model>
CS_HD inline Diagnosis diagnose_steps(const Job<Scalar>& job, Member<Scalar, Model>& m, const Ring<Scalar>& ring,
                                      long first, long last) {
  const auto because = [](Status why, long node) { return Diagnosis{static_cast<int>(why), node, 0}; };
  const auto is_good = [](const Scalar* x) {
    bool good = true;
    unroll<Model::dimension>([&](auto c) CS_LAMBDA { good = good && is_finite(x[c]); });
    return good;
  };
  for (Moment<Scalar> at = {first, first % ring.slots, ring, job.clock}; at.i < last; at.go_on()) {
    [[maybe_unused]] bool ends = false;
    const auto checked = step::advance<history::Look::early, true>(
        m, at, false, [](const auto&, Scalar) {},
        [&](const auto& node) CS_LAMBDA {
          ends = state::ends_at(node);
          return !ends;
        });
    if constexpr (state::stops<Model>()) {
      if (ends) return because(Status::singular_gradient, at.i);  // its node N
    }
    const auto stopped = checked.value;
    if (stopped.reason != Scalar(0))
      return Diagnosis{static_cast<int>(stopped.reason), at.i, static_cast<double>(stopped.residual)};
    if (!is_good(m.v.value)) return because(Status::non_finite, at.i);
    if (!is_good(m.q.value)) return because(Status::non_finite, at.i + 1);
  }
  if (last < job.clock.steps) return because(Status::ok, last);
  return because(Status::singular_gradient, job.clock.steps);  // what end_at found
}

}  // namespace conesweep::chunk
