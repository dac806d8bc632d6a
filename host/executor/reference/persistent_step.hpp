#pragma once

#include "executor/reference/coupled_step.hpp"

namespace conesweep::executor::reference::coupled {

/// A step in which some contacts persist (T).
struct PersistentAnswer {
  std::vector<bool> persists;  // by block of the step: which still do after it
  StepAnswer answer;
};

/// While a contact persists, u_n = 0 stands in place of Signorini's law, and its normal impulse may have either sign:
/// it presses, with Coulomb's law, or it pulls, without friction. Which of them pull is found by trying, fewest first:
/// those are rows without friction that hold in both directions, the others ordinary contacts; the first choice that
/// agrees with itself is taken. What pulls, or does not press beyond rounding, is lost: from there on it is an ordinary
/// contact, and the step is solved again until all that persist press. `lenient`, at percussions and in the first step:
/// what does not pull stays.
PersistentAnswer solve_persistent_step(const Step& step, std::vector<bool> persists, bool lenient);

}  // namespace conesweep::executor::reference::coupled
