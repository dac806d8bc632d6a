#include "sensitivity/design.hpp"

#include "support/error.hpp"

namespace conesweep::sensitivity {

SaltelliPoints::SaltelliPoints(std::unique_ptr<sampling::UnitPoints> base, SaltelliLayout layout) : base_(std::move(base)), layout_(layout) {
  CS_ASSERT(base_ != nullptr && layout_.parameters > 0);
}

double SaltelliPoints::coordinate(std::int64_t member, std::size_t axis) const {
  CS_ASSERT(axis < layout_.parameters);
  const std::int64_t row = layout_.row(member);
  const auto k = static_cast<std::int64_t>(layout_.parameters);
  const bool mostly_b = row == 1 || row >= 2 + k;
  const bool exchanged = row >= 2 && (row - 2) % k == static_cast<std::int64_t>(axis);
  return base_->coordinate(layout_.base(member), axis + (mostly_b != exchanged ? layout_.parameters : 0));
}

}  // namespace conesweep::sensitivity
