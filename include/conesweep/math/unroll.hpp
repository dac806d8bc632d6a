#pragma once

#include <conesweep/math/config.hpp>

namespace conesweep::math {

/// A number known when compiling, as an argument.
template <int I>
struct Index {
  static constexpr int value = I;
  CS_HD constexpr operator int() const { return I; }
};

/// Does nothing with it.
struct Nothing {
  template <int I>
  CS_INLINE void operator()(Index<I>) const {}
};

/// body(Index<0>), …, body(Index<N - 1>), in this order: a loop whose counter can choose code and types. By halves, so
/// that the depth of templates grows with log N: compilers allow some hundreds of levels.
template <int N, int First = 0, class Body>
CS_INLINE void unroll(const Body& body) {
  if constexpr (N == 1) {
    body(Index<First>{});
  } else if constexpr (N > 1) {
    unroll<N / 2, First>(body);
    unroll<N - N / 2, First + N / 2>(body);
  }
}

/// Up to here all is one piece of code, and what a body keeps can stay in registers.
inline constexpr int most_in_one_piece = 64;

template <int N, int First, class Body>
CS_APART void unroll_apart(const Body& body) {
  unroll<N, First>(body);
}

/// The same for counts without a bound: beyond most_in_one_piece, in pieces that are functions of their own. Compilers
/// take time with the square of a function's length (800 observables in one: 60 s of a processor).
template <int N, class Body>
CS_INLINE void unroll_many(const Body& body) {
  constexpr int piece = most_in_one_piece / 2;
  if constexpr (N <= most_in_one_piece) {
    unroll<N>(body);
  } else {
    unroll<(N + piece - 1) / piece>([&](auto k) CS_LAMBDA {
      constexpr int first = k * piece, rest = N - first;
      unroll_apart<(rest < piece ? rest : piece), first>(body);
    });
  }
}

/// Arrays of no length are not C++; one element that nobody touches costs nothing.
CS_HD constexpr int at_least_one(int n) { return n > 0 ? n : 1; }

}  // namespace conesweep::math
