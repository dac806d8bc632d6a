#pragma once

#include <optional>
#include <vector>

#include "executor/reference/meeting_laws.hpp"
#include "executor/reference/percussions.hpp"

namespace conesweep::executor::reference {

/// Which contacts of a member take part where it is: those that touch (P2), (B2), and those that persist (T).
class Touching {
 public:
  Touching(const scenario::Scenario& scenario, const std::vector<double>& parameters);

  /// Those that touch at q where the piece begins, and the wall that was met (I). Stops with non_finite where a wall is
  /// nowhere, which would let everything through.
  std::vector<std::size_t> find(const Vector& q, const StepPiece& piece, std::optional<std::size_t> met = {}) const;

  const MeetingLaws& meeting() const { return meeting_; }

  bool persists(std::size_t contact) const;
  std::vector<bool> find_persisting(const std::vector<std::size_t>& contacts) const;
  std::vector<std::size_t> held() const;  // all that persist

  /// From then on these do not persist.
  void lose(const std::vector<std::size_t>& contacts, double t);

  std::vector<double> lost;  // [contact] when a persistent one was lost; NaN: it was not (T)

 private:
  const scenario::Scenario& scenario_;
  const std::vector<double>& parameters_;
  MeetingLaws meeting_;
  bool tolerant_;  // what misses by rounding touches, too
};

}  // namespace conesweep::executor::reference
