#pragma once

#include <conesweep/history/ring.hpp>
#include <conesweep/math/unroll.hpp>
#include <conesweep/state/clock.hpp>

namespace conesweep::chunk {

/// What is marked of a member at its end: a bit each.
enum Mark : unsigned char {
  mark_stopped = 1,     // its state did not stay finite, to be diagnosed
  mark_flags = 1 << 1,  // its flags (state::Flag), shifted to here
};

/// A chunk of members as an executor hands it to generated code. Arrays are by column; a column has `stride` members. A
/// member's place in them is no property of the member: who it is, `seed` and `member_number` tell.
template <class Scalar>
struct Job {
  long count;  // members
  long stride;
  const Scalar* fixed;   // every parameter's value where it does not vary: [parameter]
  const Scalar* varied;  // [variation][stride]
  state::Clock<Scalar> clock;

  Scalar* observables;   // [observable][stride]
  unsigned char* marks;  // [member]: see Mark

  long recorded;         // the first so many members leave trajectories
  long every;            // steps between recorded nodes
  long times;            // recorded nodes
  Scalar* tracks;        // [column of the state][member * times + time]
  unsigned char* modes;  // [member * times + time]

  unsigned long long seed;  // of the ensemble
  long first_number;        // members have the numbers first_number, first_number + 1, …
  const long* numbers;      // [member]: or these, where it is not null

  const bool* stop = nullptr;  // on the host: ends the work soon after it becomes true
};

/// The number, in the ensemble, of the member at a place of the job.
template <class Scalar>
CS_INLINE long member_number(const Job<Scalar>& job, long place) {
  return job.numbers == nullptr ? job.first_number + place : job.numbers[place];
}

/// Why a member stopped, and at which node.
struct Diagnosis {
  int status;  // the number of a Status; -1: it was not found out
  long node;
  double residual = 0;  // of its last step, where laws were solved together (B7)
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
    unroll<Model::parameters>([&](auto p) CS_LAMBDA { parameters[p] = Real(job.fixed[p]); });
  else
    for (int p = 0; p < Model::parameters; ++p) parameters[p] = Real(job.fixed[p]);
  unroll_many<Model::varied>([&](auto k) CS_LAMBDA {
    constexpr int parameter = Model::varied_parameter[k];
    if constexpr (Model::varied <= math::most_in_one_piece)
      load_varied(job, first, k, parameters[parameter]);
    else
      load_varied_apart(job, first, k, parameters[parameter]);
  });
}

}  // namespace conesweep::chunk
