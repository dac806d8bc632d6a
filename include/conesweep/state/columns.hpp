#pragma once

#include <conesweep/state/node.hpp>

// The table of a member's state, as host/expression/states.hpp has it: whatever has a column for each number of it
// (trajectories, final values) goes through these, in this order.

namespace conesweep::state {

/// Numbers of a member's state: coordinates, then velocities.
template <class Model>
CS_HD constexpr int count_states() {
  return 2 * Model::dimension;
}

/// The first so many of them have statistics over all members: coordinates.
template <class Model>
CS_HD constexpr int count_summed_states() {
  return Model::dimension;
}

/// visit(column, number) for each.
template <class Real, class Model, class Visit>
CS_INLINE void for_each_state(const Node<Real, Model>& node, const Visit& visit) {
  unroll<Model::dimension>([&](auto c) CS_LAMBDA { visit(c, node.q[c]); });
  unroll<Model::dimension>([&](auto c) CS_LAMBDA { visit(Model::dimension + c, node.v[c]); });
}

}  // namespace conesweep::state
