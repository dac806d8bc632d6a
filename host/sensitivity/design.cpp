#include "sensitivity/design.hpp"

#include "sampling/philox.hpp"
#include "support/error.hpp"

namespace conesweep::sensitivity {

InterleavedPoints::InterleavedPoints(std::vector<std::unique_ptr<sampling::UnitPoints>> parts) : parts_(std::move(parts)) { CS_ASSERT(!parts_.empty()); }

double InterleavedPoints::coordinate(std::int64_t member, std::size_t axis) const {
  const auto parts = static_cast<std::int64_t>(parts_.size());
  return parts_[static_cast<std::size_t>(member % parts)]->coordinate(member / parts, axis);
}

int advised_parts(scenario::Sampler sampler) { return sampler == scenario::Sampler::sobol ? 32 : 1; }

std::unique_ptr<sampling::UnitPoints> make_base_points(const scenario::Scenario& scenario, int parts) {
  CS_ASSERT(parts > 0);
  if (parts == 1) return sampling::make_points(scenario, 2);
  std::vector<std::unique_ptr<sampling::UnitPoints>> all;
  scenario::Scenario part = scenario;
  for (int r = 0; r < parts; ++r) {
    const auto words = sampling::random_words(scenario.ensemble.seed, static_cast<std::uint64_t>(r), sampling::hash_name("seed of a part"));
    part.ensemble.seed = std::uint64_t{words[1]} << 32 | words[0];
    all.push_back(sampling::make_points(part, 2));
  }
  return std::make_unique<InterleavedPoints>(std::move(all));
}

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
