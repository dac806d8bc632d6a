#pragma once

#include "executor/reference/coupled_step.hpp"
#include "executor/reference/judgement.hpp"
#include "executor/reference/stretch.hpp"

namespace conesweep::executor::reference {

/// (B1) … (B4) with the rows, drives, frictions and limits that the scenario's formulas have now. Sets normal(…) and
/// slip(…) while it asks for limits.
Solved solve_stretch(const scenario::Scenario& scenario, const std::vector<double>& parameters, Present& present,
                     const Beginning& beginning);

/// A velocity that someone else found, and the residual up to which it obeys the laws.
struct Claimed {
  const Vector& v;
  double accepted = accepted_residual;
};

/// May the stretch end with it? Velocities, and impulses, that obey the laws need not be the ones that solve_stretch
/// finds.
StepJudgement judge_stretch(const scenario::Scenario& scenario, const std::vector<double>& parameters, Present& present,
                            const Beginning& beginning, const Claimed& claimed);

}  // namespace conesweep::executor::reference
