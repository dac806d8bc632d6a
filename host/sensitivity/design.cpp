#include "sensitivity/design.hpp"

#include "sampling/parts.hpp"
#include "support/error.hpp"

namespace conesweep::sensitivity {

namespace {

// Two copies of k axes, taken from 2 k axes in pairs: parameter v has axis 2 v in A and 2 v + 1 in B.
class PairedAxes final : public sampling::UnitPoints {
 public:
  PairedAxes(std::unique_ptr<sampling::UnitPoints> points, std::size_t parameters)
      : points_(std::move(points)), parameters_(parameters) {}
  double coordinate(std::int64_t member, std::size_t axis) const override {
    return points_->coordinate(member, axis < parameters_ ? 2 * axis : 2 * (axis - parameters_) + 1);
  }

 private:
  std::unique_ptr<sampling::UnitPoints> points_;
  std::size_t parameters_;
};

std::unique_ptr<sampling::UnitPoints> make_part(const scenario::Scenario& scenario) {
  auto points = sampling::make_points(scenario, 2);
  if (scenario.ensemble.sampler != scenario::Sampler::sobol) return points;
  return std::make_unique<PairedAxes>(std::move(points), scenario.vary.size());
}

}  // namespace

int advised_parts(scenario::Sampler sampler) { return sampler == scenario::Sampler::sobol ? 32 : 1; }

std::unique_ptr<sampling::UnitPoints> make_base_points(const scenario::Scenario& scenario, int parts) {
  CS_ASSERT(parts > 0);
  if (parts == 1) return make_part(scenario);
  std::vector<std::unique_ptr<sampling::UnitPoints>> all;
  scenario::Scenario part = scenario;
  for (int r = 0; r < parts; ++r) {
    part.ensemble.seed = sampling::part_seed(scenario.ensemble.seed, r);
    all.push_back(make_part(part));
  }
  return std::make_unique<sampling::InterleavedPoints>(std::move(all));
}

SaltelliPoints::SaltelliPoints(std::unique_ptr<sampling::UnitPoints> base, SaltelliLayout layout)
    : base_(std::move(base)), layout_(layout) {
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
