#pragma once

#include "../oracle/known_indices.hpp"
#include "ensemble.hpp"
#include "sensitivity/design.hpp"
#include "sensitivity/sobol.hpp"

namespace conesweep::sensitivity {

using executor::Status;
using test::KnownIndices;

inline std::vector<Status> all_ok(std::size_t members) { return std::vector<Status>(members, Status::ok); }

inline void add(SobolSums& sums, const std::vector<double>& values) { sums.add(values, all_ok(values.size())); }

/// All values of a design with random base points.
inline std::vector<double> run(const KnownIndices& known, bool second_order, std::int64_t bases, std::uint64_t seed) {
  const SaltelliLayout layout{known.parameters, second_order};
  const SaltelliPoints points(sampling::make_points(test::unit_scenario(known.parameters, seed), 2), layout);
  return test::values_at(points, known.parameters, 0, layout.members(bases), known.f);
}

inline SobolIndices indices_of(const std::vector<double>& values, SaltelliLayout layout, std::uint64_t seed = 1) {
  SobolSums sums(layout);
  add(sums, values);
  return sums.indices(test::names_of(layout.parameters), seed);
}

}  // namespace conesweep::sensitivity
