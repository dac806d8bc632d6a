#pragma once

#include <conesweep/chunk/job.hpp>
#include <conesweep/step/start.hpp>

namespace conesweep::chunk {

using step::Member;

/// Who the `lanes` members from place `first` on are; places beyond the last member repeat it.
template <class Real>
CS_INLINE state::Identity<Real> identify(const Job<ScalarOf<Real>>& job, long first) {
  state::Identity<Real> who;
  who.seed = job.seed;
  for (int l = 0; l < RealTraits<Real>::lanes; ++l)
    who.number[l] = member_number(job, first + l < job.count ? first + l : job.count - 1);
  return who;
}

/// The members from place `first` on, at node 0.
template <class Real, class Model>
CS_INLINE void begin_members(const Job<ScalarOf<Real>>& job, long first, Member<Real, Model>& m) {
  Real parameters[at_least_one(Model::parameters)];
  load_parameters<Real, Model>(job, first, parameters);
  if constexpr (state::is_numbered<Model>()) m.identity() = identify<Real>(job, first);
  step::start_member(m, parameters, job.clock);
}

}  // namespace conesweep::chunk
