#pragma once

#include "executor/reference/slopes.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::executor::reference {

/// (B5) at the start: puts a member that misses walls and constraints by little, 1e-4 (1 + |q|) of a wall's own length,
/// on them, by steps of
///
///   least |δ|_M  with  φ + ∇φ·δ = 0,  g + ∇g·δ <= 0
///
/// of the holonomic constraints φ and of the walls g that it lies beyond; walls of persistent contacts, and those that
/// it has been put on, are equations. Then its velocity, by the least change in M onto firm rows and normal rows of
/// persistent contacts, where it misses them by 1e-4 (1 + |v|) at most. What is missed by more stays as it is. M is
/// that of the start.
void settle_start(const scenario::Scenario& scenario, const std::vector<double>& parameters, Vector& q, Vector& v);

}  // namespace conesweep::executor::reference
