#pragma once

#include "executor/reference/stepped_member.hpp"

namespace conesweep::executor::reference {

/// How a motion is judged.
struct Judging {
  Exactness exactness = {};
  // is shown every node of the motion with what the step there did, as run_member does; none: nobody
  NodeVisitor visit = {};
  std::uint32_t disturbed = 0;  // not 0: what is shown is off by rounding, in one of many ways
};

/// Judges every step of a motion that someone else found: from its own node, and with its own past. A step is right if
///
///   (J1)  the reference, put at the node, ends it with the same velocity, to `residual` of the largest velocity so
///         far; or
///   (J2)  its laws are solved together and the velocity obeys them (velocity_judge), as several may; of a step with
///         several parts (stretches, percussions,
///         arrivals) this holds for each of them, where they are told; or
///   (J3)  this holds from a node as near as rounding, by which a wall is touched or not, a condition of the user's
///         holds or not. Where the step multiplies
///         rounding (a stiff spring), what it makes of it is allowed too;
///
/// and if (P5), (B5) then lead to the next node, and its mode is the one that is told, or a tie. The motion ends where
/// it should: at the end, where `stop` holds, or with a status that the reference has there, too.
MotionJudgement judge_motion(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                             const GivenMotion& motion, const Judging& judging = {},
                             const std::atomic<bool>* stop = nullptr);

/// The same of a member that can be stepped.
MotionJudgement judge_steps(const scenario::Scenario& scenario, SteppedMember& member, const GivenMotion& motion,
                            const Judging& judging);

/// Of one that the reference cannot even begin.
MotionJudgement judge_no_start(const GivenMotion& motion, Status status);

}  // namespace conesweep::executor::reference
