#pragma once

namespace conesweep::state {

/// What became of a member. The numbers stand in people's files: new ones are appended. Names and advice: host/scenario/lists.hpp.
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

/// What a member does at a node; the numbers stand in people's files, too.
enum class Mode : unsigned char { flight, slip, stick };

}  // namespace conesweep::state
