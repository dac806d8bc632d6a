#pragma once

#include "executor/reference/motion_judge.hpp"

namespace conesweep::executor::reference {

/// Steps one particle by the scheme of second order, (A1) … (A11), and shows every node to `visit`, and between them
/// what pieces of a step end with, before and after (NodeRecord::between).
MemberEnd run_second_order(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                           const NodeVisitor& visit, const std::atomic<bool>* stop);

/// (J1), (J3) of a motion of second order that someone else found: every step from its own node, or from one as near as
/// rounding, leads to the next one.
MotionJudgement judge_second_order(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                                   const GivenMotion& motion, const Judging& judging, const std::atomic<bool>* stop);

}  // namespace conesweep::executor::reference
