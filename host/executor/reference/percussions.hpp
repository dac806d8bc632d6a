#pragma once

#include <vector>

#include "executor/reference/laws_at_place.hpp"

namespace conesweep::executor::reference {

/// All percussions that come at one time (B6).
struct Atom {
  double k = 0;              // its time in steps; within 1e-9 of a whole number it is that number
  std::vector<double> size;  // by resistance; 0: none of its own
};

/// A part of a step: from k to k + length steps, or the atom at k.
struct StepPiece {
  double k = 0;
  Stretch stretch;
  const Atom* atom = nullptr;
};

/// The percussions of a member, and how they split its steps. Stops with bad_percussions where a family has times
/// outside [0, end], sizes that are not positive, or a number of atoms that is not whole.
class Percussions {
 public:
  Percussions(const scenario::Scenario& scenario, const std::vector<double>& parameters);

  /// Step i owns the atoms in [t_i, t_{i+1}[, the last one also the end. Without atoms it is one piece.
  std::vector<StepPiece> pieces(std::int64_t i) const;

 private:
  StepPiece between(double k, double end) const;

  const scenario::Scenario& scenario_;
  std::vector<Atom> atoms_;  // sorted, times differ
};

}  // namespace conesweep::executor::reference
