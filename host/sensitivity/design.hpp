#pragma once

#include <cstdint>
#include <memory>

#include "sampling/sampler.hpp"

namespace conesweep::sensitivity {

/// The order of members in a Saltelli design of k parameters [Saltelli2010].
///
/// Base j has two independent points A and B of the cube, and its members are consecutive: m = j rows + r with
///
///   r = 0       A
///   r = 1       B
///   r = 2 + i   A with coordinate i of B (AB_i), i = 0 … k - 1
///   r = 2+k+i   B with coordinate i of A (BA_i), for second order only
///
/// So more bases are more members at the end, and a design can be extended.
struct SaltelliLayout {
  std::size_t parameters = 0;
  bool second_order = false;

  std::int64_t rows() const { return static_cast<std::int64_t>((second_order ? 2 : 1) * parameters + 2); }
  std::int64_t members(std::int64_t bases) const { return bases * rows(); }
  std::int64_t base(std::int64_t member) const { return member / rows(); }
  std::int64_t row(std::int64_t member) const { return member % rows(); }

  /// A and B are independent draws; statistics of the ensemble (mean, quantiles) are made of these members alone.
  bool is_independent(std::int64_t member) const { return row(member) < 2; }
};

/// The points of a Saltelli design by member number. Base j is point j of `base`, which has two copies of the axes (sampling::make_points
/// with copies = 2): A on the first k, B on the others. Samplers whose points depend on their number (latin) count bases, not members.
class SaltelliPoints final : public sampling::UnitPoints {
 public:
  SaltelliPoints(std::unique_ptr<sampling::UnitPoints> base, SaltelliLayout layout);
  double coordinate(std::int64_t member, std::size_t axis) const override;
  const SaltelliLayout& layout() const { return layout_; }

 private:
  std::unique_ptr<sampling::UnitPoints> base_;
  SaltelliLayout layout_;
};

}  // namespace conesweep::sensitivity
