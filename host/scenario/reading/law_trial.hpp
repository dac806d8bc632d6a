#pragma once

#include "scenario/reading/findings.hpp"

namespace conesweep::scenario {

/// Tries the laws of a model at the start of members, as the executors do before the first step: is the mass positive
/// definite, do the bilateral constraints hold (B9), does a set without an end allow the velocity, are the percussions
/// in range?
class LawTrial {
 public:
  LawTrial(const Scenario& scenario, Findings& findings);

  /// Its position and velocity are finite.
  void try_member(const TriedMember& member);

 private:
  using Expr = expression::Expr;

  /// u = row·v + rest, with its gradients.
  struct Row {
    std::vector<Expr> row;  // by coordinate
    Expr rate;              // of a relation of positions: its change with time; none: `row` is of velocities
  };
  void try_mass(const TriedMember& member);
  void try_persistent(const TriedMember& member, const Contact& contact);
  void try_bilateral(const TriedMember& member, const Bilateral& bilateral, const Row& row);
  void try_rows(const TriedMember& member);
  void try_freewheel(const TriedMember& member, const Resistance& resistance);
  void try_percussions(const TriedMember& member, const Resistance& resistance);

  /// Is what is off by so much put right before the member starts?
  bool is_settled(double distance, double size) const { return scenario_.settle && is_within_settling(distance, size); }

  const Scenario& scenario_;
  Findings& findings_;
  std::vector<Row> rows_;    // of the bilateral constraints
  std::int64_t atoms_left_;  // that are still looked at, over all members
};

}  // namespace conesweep::scenario
