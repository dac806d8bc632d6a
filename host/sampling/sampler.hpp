#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sampling/distribution.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::sampling {

/// Points in the unit cube by member number. A member's point never depends on who else is drawn, or when.
class UnitPoints {
 public:
  virtual ~UnitPoints() = default;
  // in [0, 1]; of a grid only with its ends
  virtual double coordinate(std::int64_t member, std::size_t axis) const = 0;
};

/// The points of the scenario's sampler, independent between axes: correlations come with `draw`. Axis v is the
/// variation v. With two copies there are twice as many axes, and axis v + (number of variations) is variation v again,
/// independent of the first: what designs for sensitivity are made of. InputError where a sampler cannot: two copies of
/// a grid, more axes than there are Sobol points.
std::unique_ptr<UnitPoints> make_points(const scenario::Scenario& scenario, int copies = 1);

/// Varied parameters of members first … first + count - 1: [variation][member], correlated as the scenario says. On so
/// many threads (0: all cores; few values take one); the bits depend on neither threads nor pieces.
std::vector<std::vector<double>> draw(const scenario::Scenario& scenario, std::int64_t first, std::int64_t count,
                                      int threads = 0);

/// The same of members wherever they are.
std::vector<std::vector<double>> draw(const scenario::Scenario& scenario, const std::vector<std::int64_t>& members);

/// The same at points of somebody else's. Who draws piece by piece makes the points once.
std::vector<std::vector<double>> draw(const scenario::Scenario& scenario, const UnitPoints& points, std::int64_t first,
                                      std::int64_t count, int threads = 0);

/// So many members this process has drawn: a run draws each of its members once.
std::int64_t count_drawn();

}  // namespace conesweep::sampling
