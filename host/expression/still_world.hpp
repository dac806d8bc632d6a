#pragma once

#include <span>
#include <vector>

#include "expression/evaluate.hpp"

namespace conesweep::expression {

/// What the leaves of a formula mean where nothing moves: parameters, a time and a position, as far as they are given.
/// Such a formula has neither velocity nor history; the reader has seen to it.
template <class Scalar>
struct StillWorld {
  const std::vector<double>& parameters;
  std::span<const Scalar> coordinates = {};
  Scalar t = Scalar(0);

  Scalar symbol(Symbol s) const {
    const auto i = static_cast<std::size_t>(s.index);
    if (s.kind == Symbol::Kind::parameter) return Scalar(parameters[i]);
    if (s.kind == Symbol::Kind::time) return t;
    CS_ASSERT(s.kind == Symbol::Kind::coordinate && i < coordinates.size());
    return coordinates[i];
  }
  Scalar history(const Node&) const {
    throw InternalError("a formula of what stands still has no history", __FILE__, __LINE__);
  }
};

}  // namespace conesweep::expression
