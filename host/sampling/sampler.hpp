#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::sampling {

/// Inverse of the distribution function: u in [0, 1] -> value, within the support. `table` has none.
double quantile(const scenario::Distribution& distribution, double u);

/// Smallest and largest value a distribution can give.
struct Support {
  double lower = 0;
  double upper = 0;
};
Support support(const scenario::Distribution& distribution);

/// Points in the unit cube by member number. A member's point never depends on who else is drawn, or when.
class UnitPoints {
 public:
  virtual ~UnitPoints() = default;
  virtual double coordinate(std::int64_t member, std::size_t axis) const = 0;  // in [0, 1]
};

/// The points of the scenario's sampler; InputError if it is not there yet. Axis v is the variation v. With two copies there are twice as
/// many axes, and axis v + (number of variations) is variation v again, independent of the first: what designs for sensitivity are made of.
std::unique_ptr<UnitPoints> make_points(const scenario::Scenario& scenario, int copies = 1);

/// Do the points of this sampler depend on how many members there are?
bool depends_on_members(scenario::Sampler sampler);

/// Is this sampler there yet? (latin and sobol come with the ensembles.)
bool is_available(scenario::Sampler sampler);

/// Varied parameters of members first … first + count - 1: [variation][member].
std::vector<std::vector<double>> draw(const scenario::Scenario& scenario, std::int64_t first, std::int64_t count);

/// The same at points of somebody else's.
std::vector<std::vector<double>> draw(const scenario::Scenario& scenario, const UnitPoints& points, std::int64_t first, std::int64_t count);

}  // namespace conesweep::sampling
