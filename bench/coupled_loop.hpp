#pragma once

// What the loops of coupled_by_hand.cpp share.
#include <cmath>

#include "loops.hpp"

constexpr double g = 9.81;
inline double h;
inline long steps;

/// How near to a wall counts as touching it, of a length: (B2), at step i.
template <int D>
double reach_of(const double* q, long i) {
  double sum = 0;
  for (int j = 0; j < D; ++j) sum += q[j] * q[j];
  return (i == 0 ? 1e-9 : 1e-12) * (1 + std::sqrt(sum));
}
