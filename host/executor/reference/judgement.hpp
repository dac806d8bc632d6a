#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "executor/reference/coupled_laws.hpp"
#include "executor/step_part.hpp"

namespace conesweep::executor::reference {

/// What can be said of a velocity that someone else found.
enum class Judged {
  right,            // it obeys the laws
  wrong,            // it does not
  wrong_place,      // it does, but the step does not lead to the next node
  wrong_mode,       // it does, but in a mode that is told otherwise: flight, slip, stick
  wrong_end,        // the motion ends where it should go on, or goes on where it should end
  not_percussions,  // percussions split its step, and it is not what the reference finds
  not_arrivals,     // it meets a wall on its way (I), and it is not what the reference finds
  not_second_part,  // restitution may have needed both parts of (B2), and it is not what the reference finds
  not_persistent,   // it opens a persistent contact, and it is not what the reference finds
};

inline bool is_unknown(Judged verdict) { return verdict >= Judged::not_percussions; }

/// A velocity is accepted up to this residual.
inline constexpr double accepted_residual = 1e-9;

/// How well a motion must obey the laws, by the numbers it was computed with.
struct Exactness {
  double residual = accepted_residual;  // of the largest velocity so far
  // of 1 + |q|, of the largest velocity, of 1 + t: a step may be that of a node as near as this
  double rounding = 2e-12;
  double unit = 0x1p-52;  // of the last place
};
inline constexpr Exactness exactness_of_single = {1e-5, 4e-6, 0x1p-23};
inline Exactness exactness_of(Precision precision) {
  return precision == Precision::single ? exactness_of_single : Exactness();
}

/// Why a step was not judged.
inline std::string_view reason_of(Judged verdict) {
  switch (verdict) {
    case Judged::right:
    case Judged::wrong:
    case Judged::wrong_place:
    case Judged::wrong_mode:
    case Judged::wrong_end: break;
    case Judged::not_percussions: return "percussions split it";
    case Judged::not_arrivals: return "it meets a wall on its way";
    case Judged::not_second_part: return "restitution may have acted twice";
    case Judged::not_persistent: return "a persistent contact opens";
  }
  return "";
}

struct StepJudgement {
  Judged verdict = Judged::right;
  // velocities other than the reference's obey the laws, or impulses are not unique
  bool several = false;
  double residual = 0;                 // how far it is from a velocity that obeys the laws, of the largest velocity
  double speed = 0;                    // the largest velocity
  coupled::Matrix mass;                // empty: 1
  std::vector<std::size_t> lost = {};  // persistent contacts, by the reference's own answer
};

/// The largest entry of some vectors.
inline double largest_of(std::initializer_list<coupled::Vector> vectors) {
  double largest = 0;
  for (const coupled::Vector& some : vectors) largest = std::max(largest, some.lpNorm<Eigen::Infinity>());
  return largest;
}
/// max |a - b| over a size, which is 0 only where both are.
inline double difference(const coupled::Vector& a, const coupled::Vector& b, double size) {
  const double apart = largest_of({a - b});
  return apart == 0 ? 0 : apart / size;
}

/// The motion of a member as someone else found it.
struct GivenMotion {
  // at nodes 0 … N, where v_N repeats v_{N-1}; of one that stopped at node k: 0 … k - 1
  std::vector<coupled::Vector> q, v;
  std::vector<Mode> mode = {};       // of the same nodes; empty: not known
  Status status = Status::ok;        // why it stopped
  std::vector<StepPart> parts = {};  // of all its steps, one after the other, as far as they are known
};

struct MotionJudgement {
  std::int64_t several = 0;     // steps with several solutions
  std::int64_t not_judged = 0;  // steps of which nothing is known
  // steps that push or slide by less than the accepted residual, or not at all: their mode is a matter of rounding
  std::int64_t ties = 0;
  std::int64_t first_several = -1;   // -1: none
  std::int64_t first_unjudged = -1;  //
  Judged why_unjudged = Judged::right;
  std::int64_t wrong = -1;  // the first step that is wrong, where judging ends; -1: none
  Judged why_wrong = Judged::wrong;
  double residual = 0;          // of that step; else the largest
  Status stopped = Status::ok;  // why the reference could not take the wrong step at all
};

}  // namespace conesweep::executor::reference
