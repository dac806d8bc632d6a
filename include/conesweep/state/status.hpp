#pragma once

namespace conesweep::state {

/// What became of a member. The numbers stand in people's files: new ones are appended. Names and advice: host/executor/status.
enum class Status : unsigned char {
  ok,
  non_finite,
  bad_angle,
  bad_restitution,
  bad_delay,
  singular_gradient,
  several_contacts,
  start_outside,
};

/// What a member does at a node, as trajectories store it.
enum class Mode : unsigned char { flight, slip, stick };

}  // namespace conesweep::state
