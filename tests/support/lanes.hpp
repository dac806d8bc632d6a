#pragma once

#include <conesweep/math/pack.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace conesweep::test {

/// All of the family Real that executors use: scalars on devices and in diagnosis, packs on the cpu.
using Reals = ::testing::Types<double, float, Pack<double, 2>, Pack<double, 4>, Pack<double, 8>, Pack<float, 4>,
                               Pack<float, 8>, Pack<float, 16>>;

/// Calls `check(arguments, results, where)` for every row of arguments, where results are those of its own lane: rows
/// go through `apply` side by side, as many as there are lanes, so that every lane has other neighbours. `apply(x)`
/// takes the arguments as Reals, x[k], and gives results likewise.
template <class Real, class Scalar, class Apply, class Check>
void for_rows(const std::vector<std::vector<Scalar>>& rows, const Apply& apply, const Check& check) {
  constexpr std::size_t lanes = RealTraits<Real>::lanes;
  ASSERT_FALSE(rows.empty());
  for (std::size_t first = 0; first < rows.size(); ++first) {
    std::vector<Real> arguments(rows[first].size());
    for (std::size_t l = 0; l < lanes; ++l)
      for (std::size_t k = 0; k < arguments.size(); ++k)
        set_lane(arguments[k], static_cast<int>(l), rows[(first + 7 * l) % rows.size()][k]);
    const std::vector<Real> results = apply(arguments);
    for (std::size_t l = 0; l < lanes; ++l) {
      std::vector<Scalar> own;
      for (const Real& result : results) own.push_back(get_lane(result, static_cast<int>(l)));
      const std::size_t row = (first + 7 * l) % rows.size();
      check(rows[row], own, "row " + std::to_string(row) + " in lane " + std::to_string(l));
    }
  }
}

template <class Scalar>
bool same_bits(Scalar a, Scalar b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace conesweep::test
