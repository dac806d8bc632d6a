#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "executor/reference/judgement.hpp"

namespace conesweep::ensemble {

/// A member of an executor, step by step before the reference.
struct JudgedMember {
  std::int64_t member = 0;
  executor::reference::MotionJudgement found;
  std::string who = {};  // found it
  double accepted = executor::reference::accepted_residual;
  // what does not follow from its nodes: "reach is 1.2, and 1.3 by its own nodes"; empty: nothing
  std::string other = {};

  bool is_right() const { return found.wrong < 0 && found.not_judged == 0 && other.empty(); }
  /// Every step obeys the laws, and some could have gone another way.
  bool has_several_solutions() const { return is_right() && found.several > 0; }
};

/// Members of an executor, and how to run them once more.
struct Accused {
  std::string name;  // for people
  const executor::Model* model;
  std::vector<std::int64_t> members;
  // of the run, in which they were found to differ; none: their observables are not judged
  const executor::Outcome* outcome = nullptr;
  double tolerance = 1e-9;                 // of observables, as a share of their scale
  const executor::Chunk* chunk = nullptr;  // has their parameters; none: they are as the scenario draws them
};

/// Runs these members once more, with every node recorded, and has the reference judge every step: from the node where
/// the executor was, with the past that it had. Their observables must be those of the run, to the bit, and follow from
/// the nodes: all of them where impulses are unique; counts and times where no step is a tie; else those that are made
/// of positions and velocities.
std::vector<JudgedMember> judge_members(const scenario::Scenario& scenario, const Accused& accused,
                                        const executor::Watch& watch);

}  // namespace conesweep::ensemble
