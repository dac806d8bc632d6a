#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "team/team.hpp"

/// Pieces of work whose outcomes stay in memory, shared by the ranks of a team. Of an outcome statuses and observables
/// travel, and nothing else.
namespace conesweep::ensemble {

using Outcomes = std::vector<executor::Outcome>;
using StepPiece = std::function<Outcomes(std::int64_t piece)>;

/// Members in a piece: `chunk`, or fewer, so that all ranks have some.
std::int64_t choose_piece(const team::Team* team, const executor::Model& model, std::int64_t chunk,
                          std::int64_t members, std::int64_t steps);

/// Steps pieces 0 … count - 1 on all ranks, or here alone; followers hear `job` first. `keep` receives the outcomes in
/// the order of the pieces, one at a time; `came` hears how many members other ranks have finished.
struct KeepPieces {
  std::function<void(std::int64_t piece, const Outcomes& outcomes)> keep;
  std::function<void(std::int64_t members)> came;
};
void lead_pieces(team::Team* team, const std::string& job, std::int64_t count, const StepPiece& step,
                 const KeepPieces& to);

/// A follower's part in it.
void follow_pieces(team::Team& team, std::int64_t count, const StepPiece& step);

}  // namespace conesweep::ensemble
