#pragma once

namespace conesweep::state {

/// What became of a member. The numbers stand in people's files: new ones are appended. Names and advice:
/// host/scenario/lists.hpp.
enum class Status : unsigned char {
  ok,
  non_finite,
  bad_angle,
  bad_restitution,
  bad_delay,
  singular_gradient,
  several_contacts,
  start_outside,
  not_converged,          // the laws of a step do not hold to 1e-10 (B7)
  bad_mass,               // M is not positive definite
  dependent_constraints,  // firm rows say the same, or contradict each other
  bad_limit,              // a set of a resistance without 0, or not a number
  bad_start,              // the start breaks a bilateral constraint, or no velocity can go on from it
  bad_percussions,        // a time, size or count out of range
};

/// What is worth knowing of a member that reached the end: bits of a number that stands in people's files.
enum class Flag : unsigned char {
  // in some step the rows of active contacts with friction were dependent: the answer is the solver's selection (B9)
  hyperstatic = 1,
  // in some step it met more walls than are located: from the last of them on it went through walls (I4)
  crowded = 2,
};

/// What a member does at a node; the numbers stand in people's files, too.
enum class Mode : unsigned char { flight, slip, stick };

}  // namespace conesweep::state
