#pragma once

#include <conesweep/math/config.hpp>

namespace conesweep::math {

/// A number known when compiling, as an argument.
template <int I>
struct Index {
  static constexpr int value = I;
  CS_HD constexpr operator int() const { return I; }
};

/// body(Index<0>), …, body(Index<N - 1>): a loop whose counter can choose code and types.
template <int N, int I = 0, class Body>
CS_INLINE void unroll(const Body& body) {
  if constexpr (I < N) {
    body(Index<I>{});
    unroll<N, I + 1>(body);
  }
}

/// Arrays of no length are not C++; one element that nobody touches costs nothing.
CS_HD constexpr int at_least_one(int n) { return n > 0 ? n : 1; }

}  // namespace conesweep::math
