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

  /// Every step obeys the laws, and some could have gone another way.
  bool has_several_solutions() const { return found.wrong < 0 && found.not_judged == 0 && found.several > 0; }
};

/// Can two executors be right and differ? Where laws meet, a step may have several solutions.
bool may_have_several_solutions(const scenario::Scenario& scenario);

/// How to run members of an executor once more.
struct Accused {
  std::string backend;
  executor::Options options;
  std::vector<std::int64_t> members;
};

/// Runs these members once more, with every node recorded, and has the reference judge every step: from the node where the executor was, with the past that it
/// had. Members that stop are left out.
std::vector<JudgedMember> judge_members(const scenario::Scenario& scenario, const Accused& accused, const executor::Watch& watch);

}  // namespace conesweep::ensemble
