#include "ensemble/shared_pieces.hpp"

#include <map>
#include <mutex>

#include "run/step_ranges.hpp"
#include "support/bytes.hpp"

namespace conesweep::ensemble {
namespace {

std::string pack(std::int64_t piece, const Outcomes& outcomes) {
  ByteWriter bytes;
  bytes.put(piece).put(outcomes.size());
  for (const auto& outcome : outcomes) {
    bytes.put(outcome.status).put(outcome.observables.size());
    for (const auto& column : outcome.observables) bytes.put(column);
  }
  return bytes.take();
}

std::pair<std::int64_t, Outcomes> unpack(const std::string& text) {
  ByteReader bytes(text);
  const auto piece = bytes.get<std::int64_t>();
  Outcomes outcomes(bytes.get<std::size_t>());
  for (auto& outcome : outcomes) {
    outcome.status = bytes.get_all<executor::Status>();
    outcome.observables.resize(bytes.get<std::size_t>());
    for (auto& column : outcome.observables) column = bytes.get_all<double>();
  }
  return {piece, std::move(outcomes)};
}

/// Pieces come in any order, from several threads, and go on in theirs.
class InOrder {
 public:
  explicit InOrder(const KeepPieces& to) : to_(to) {}

  void add(std::int64_t piece, Outcomes outcomes) {
    const std::lock_guard guard(lock_);
    waiting_.emplace(piece, std::move(outcomes));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_;
         first = waiting_.erase(first), ++next_)
      to_.keep(first->first, first->second);
  }

 private:
  const KeepPieces& to_;
  std::mutex lock_;
  std::map<std::int64_t, Outcomes> waiting_;
  std::int64_t next_ = 0;
};

}  // namespace

std::int64_t choose_piece(const team::Team* team, const executor::Model& model, std::int64_t chunk,
                          std::int64_t members, std::int64_t steps) {
  return team == nullptr ? chunk : runs::share_chunk(model, chunk, {members, steps, team->place().size});
}

void lead_pieces(team::Team* team, const std::string& job, std::int64_t count, const StepPiece& step,
                 const KeepPieces& to) {
  InOrder pieces(to);
  if (team == nullptr) {
    for (std::int64_t piece = 0; piece < count; ++piece) pieces.add(piece, step(piece));
    return;
  }
  team::Round round(*team, job, [&](const std::string& bytes) {
    auto [piece, outcomes] = unpack(bytes);
    std::size_t members = 0;
    for (const auto& outcome : outcomes) members += outcome.status.size();
    pieces.add(piece, std::move(outcomes));
    if (to.came) to.came(static_cast<std::int64_t>(members));
  });
  for (std::int64_t piece = team->take(); piece < count; piece = team->take()) pieces.add(piece, step(piece));
  round.end();
}

void follow_pieces(team::Team& team, std::int64_t count, const StepPiece& step) {
  for (std::int64_t piece = team.take(); piece < count; piece = team.take()) team.report(pack(piece, step(piece)));
  team.end_round();
}

}  // namespace conesweep::ensemble
