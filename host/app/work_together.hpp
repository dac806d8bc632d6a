#pragma once

#include "app/command.hpp"

namespace conesweep::app {

/// Waits until rank 0 has said what is wrong on all ranks, and the launcher has ended us: a launcher that sees another
/// rank fail first ends rank 0 unheard.
void let_rank_0_speak();

/// A command on all processes that a launcher started. Rank 0 talks; of the others one that fails tells why, and all
/// end. Each rank works in a child of the process that the launcher started, which waits for it: so a rank that is
/// killed leaves someone to say so, and the job ends with exit code 3.
int work_together(const Command& command, const team::Launch& launch);

}  // namespace conesweep::app
