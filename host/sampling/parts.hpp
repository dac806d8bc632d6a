#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sampling/sampler.hpp"

namespace conesweep::sampling {

/// Several independent randomisations of a point set, dealt out in turn: point j is point j / R of part j mod R.
///
/// Points that fill the cube evenly need this for honest errors. The parts are independent and alike, whatever the
/// points, so their scatter shows the error; the scatter of points within one randomisation does not: it is mostly far
/// too large, and far too small where Sobol points fill the plane of two axes badly. (Sobol indices from one sequence,
/// the g function: intervals of total indices covered in 0 and in 16 % for some numbers of bases.)
class InterleavedPoints final : public UnitPoints {
 public:
  explicit InterleavedPoints(std::vector<std::unique_ptr<UnitPoints>> parts);
  double coordinate(std::int64_t member, std::size_t axis) const override;

 private:
  std::vector<std::unique_ptr<UnitPoints>> parts_;
};

/// The seed of a part.
std::uint64_t part_seed(std::uint64_t seed, int part);

}  // namespace conesweep::sampling
