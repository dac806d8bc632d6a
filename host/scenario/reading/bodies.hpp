#pragma once

#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// A coordinate that no force, law or mass joins to another one.
struct Loner {
  int coordinate;
  bool has_motion_of_its_own;  // its force depends on where it is or how fast: it would move without the others
};

/// Those among the coordinates along which a particle's contact slides: g does not name them, yet friction acts on
/// their velocities (B8).
///
/// Coordinates are joined where a formula of a force, a contact, a constraint or a resistance names both, and where
/// their forces are the same formula but for their names: a spring that pulls alike in both directions pulls one body.
std::vector<Loner> find_loners(const Scenario& scenario, const Contact& contact);

/// Friction that acts on several coordinates as on one particle, where one of them may well be another body: a warning
/// (B8).
void warn_of_several_bodies(const Scenario& scenario, const Source& source, Faults& problems);

}  // namespace conesweep::scenario
