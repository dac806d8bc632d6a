#pragma once

#include <cstdint>
#include <vector>

#include "executor/reference/laws_at_place.hpp"

namespace conesweep::executor::reference {

/// How far rounding may move a node.
struct Roundings {
  double q = 0;  // each coordinate, and each of the past
  double v = 0;  // each velocity
  double t = 0;  // the time
};

/// A node as near as rounding: what is added to it.
struct Disturbance {
  Vector q, v, past;
  double t = 0;
};

/// Numbers -1 and 1, the same ones for the same seed.
class Signs {
 public:
  explicit Signs(std::uint32_t seed) : state_(seed) {}
  double operator()() {
    state_ ^= state_ << 13, state_ ^= state_ >> 17, state_ ^= state_ << 5;
    return (state_ >> 9) % 2 == 0 ? -1 : 1;
  }

 private:
  std::uint32_t state_;
};

inline constexpr int mixed_disturbances = 24;  // of everything at once, for walls and conditions met together

/// All numbers of a node with so many coordinates, up or down.
Disturbance disturb_all(Eigen::Index coordinates, const Roundings& by, Signs& sign);

/// Each number of such a node up, and down, one pair after the other; then `mixed_disturbances` of all numbers at once.
std::vector<Disturbance> find_disturbances(Eigen::Index coordinates, const Roundings& by);

}  // namespace conesweep::executor::reference
