#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "executor/reference/coupled_laws.hpp"

namespace conesweep::executor::reference {

/// What can be said of a velocity that someone else found.
enum class Judged {
  right,            // it obeys the laws
  wrong,            // it does not
  not_percussions,  // percussions split its step, and it is not what the reference finds
  not_arrivals,     // it meets a wall on its way (I), and it is not what the reference finds
  not_second_part,  // restitution may have needed both parts of (B2), and it is not what the reference finds
  not_persistent,   // it opens a persistent contact, and it is not what the reference finds
  not_limits,       // limits depend on impulses that need not be unique, and it is not what the reference finds
};

/// A velocity is accepted up to this residual.
inline constexpr double accepted_residual = 1e-9;

/// Why a step was not judged.
inline std::string_view reason_of(Judged verdict) {
  switch (verdict) {
    case Judged::right:
    case Judged::wrong: break;
    case Judged::not_percussions: return "percussions split it";
    case Judged::not_arrivals: return "it meets a wall on its way";
    case Judged::not_second_part: return "restitution may have acted twice";
    case Judged::not_persistent: return "a persistent contact opens";
    case Judged::not_limits: return "a limit depends on impulses that are not unique";
  }
  return "";
}

struct StepJudgement {
  Judged verdict = Judged::right;
  bool several = false;                // velocities other than the reference's obey the laws, or impulses are not unique
  double residual = 0;                 // of the largest velocity
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
  std::vector<coupled::Vector> q, v;  // at nodes 0 … N
};

struct MotionJudgement {
  std::int64_t several = 0;          // steps with several solutions
  std::int64_t not_judged = 0;       // steps of which nothing is known
  std::int64_t first_several = -1;   // -1: none
  std::int64_t first_unjudged = -1;  //
  Judged why_unjudged = Judged::right;
  std::int64_t wrong = -1;      // the first step that is wrong, where judging ends; -1: none
  double residual = 0;          // of that step; else the largest
  Status stopped = Status::ok;  // why the reference could not take the wrong step at all
};

}  // namespace conesweep::executor::reference
