#include "sensitivity/morris.hpp"

#include <cmath>
#include <numeric>

#include "sampling/philox.hpp"
#include "sensitivity/student.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::sensitivity {

namespace {

// no parameter has such a name, so the numbers are used for nothing else
const std::uint64_t start_stream = sampling::hash_name("start of a trajectory");
const std::uint64_t order_stream = sampling::hash_name("order of a trajectory");

/// Four random words of a trajectory.
sampling::Words random_words(std::uint64_t seed, std::uint64_t stream, std::int64_t trajectory, std::size_t block) {
  return sampling::random_words(seed, static_cast<std::uint64_t>(trajectory) << 20 | block, stream);
}

}  // namespace

std::vector<bool> bounded_axes(const scenario::Scenario& scenario) {
  std::vector<bool> bounded;
  for (const auto& variation : scenario.vary) {
    const sampling::Support range = sampling::support(variation.distribution);
    bounded.push_back(std::isfinite(range.lower) && std::isfinite(range.upper));
  }
  return bounded;
}

MorrisPoints::MorrisPoints(std::uint64_t seed, std::vector<bool> bounded, int levels)
    : seed_(seed), bounded_(std::move(bounded)), levels_(levels) {
  CS_ASSERT(!bounded_.empty());
  if (levels < 2 || levels % 2 != 0)
    throw InputError("screening needs an even number of levels, 2 or more, not " + std::to_string(levels));
}

MorrisPoints::Start MorrisPoints::start(std::int64_t trajectory, std::size_t axis) const {
  const std::uint64_t half = static_cast<std::uint64_t>(levels_) / 2;
  const std::uint64_t word = random_words(seed_, start_stream, trajectory, axis / 4)[axis % 4];
  // the p starts are equally likely; the direction follows
  const auto drawn = static_cast<int>(word * (2 * half) >> 32);
  return {drawn, drawn < static_cast<int>(half)};
}

/// Fisher and Yates.
std::vector<std::uint32_t> MorrisPoints::order(std::int64_t trajectory) const {
  std::vector<std::uint32_t> axes(bounded_.size());
  std::iota(axes.begin(), axes.end(), 0u);
  sampling::Words words{};
  for (std::size_t done = 0; done + 1 < axes.size(); ++done) {
    if (done % 4 == 0) words = random_words(seed_, order_stream, trajectory, done / 4);
    const std::uint64_t left = axes.size() - done;
    std::swap(axes[done], axes[done + (words[done % 4] * left >> 32)]);
  }
  return axes;
}

double MorrisPoints::unit(int level, std::size_t axis) const {
  return bounded_[axis] ? static_cast<double>(level) / (levels_ - 1) : (level + 0.5) / levels_;
}

double MorrisPoints::coordinate(std::int64_t member, std::size_t axis) const {
  CS_ASSERT(axis < bounded_.size());
  const std::int64_t trajectory = member / rows();
  const auto point = static_cast<std::size_t>(member % rows());
  const Start from = start(trajectory, axis);
  bool moved = point == bounded_.size();
  if (!moved && point > 0) {
    const auto axes = order(trajectory);
    for (std::size_t s = 0; s < point; ++s) moved = moved || axes[s] == axis;
  }
  const int jump = from.up ? levels_ / 2 : -levels_ / 2;
  return unit(from.level + (moved ? jump : 0), axis);
}

std::vector<MorrisPoints::Step> MorrisPoints::steps(std::int64_t trajectory) const {
  std::vector<Step> all;
  for (const std::size_t axis : order(trajectory)) {
    const Start from = start(trajectory, axis);
    const double size = bounded_[axis] ? levels_ / (2.0 * (levels_ - 1)) : 0.5;
    all.push_back({axis, from.up ? size : -size});
  }
  return all;
}

MorrisSums::MorrisSums(const MorrisPoints& points)
    : points_(points), rows_(static_cast<std::size_t>(points.rows())), sums_(points.parameters()) {}

void MorrisSums::Moments::add(double x, double n) {
  const double delta = x - mean;
  mean += delta / n;
  squares += delta * (x - mean);
}

void MorrisSums::add(std::span<const double> values, std::span<const executor::Status> status) {
  rows_.add(values, status, [this](std::span<const double> row) {
    const auto steps = points_.steps(trajectories_++);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      if (!std::isfinite(row[s]) || !std::isfinite(row[s + 1])) continue;
      const double effect = (row[s + 1] - row[s]) / steps[s].change;
      EffectSums& sums = sums_[steps[s].axis];
      const auto n = static_cast<double>(++sums.count);
      sums.effect.add(effect, n);
      sums.magnitude.add(std::abs(effect), n);
    }
  });
}

MorrisEffects MorrisSums::effects(std::span<const std::string> names) const {
  CS_ASSERT(names.size() == sums_.size());
  MorrisEffects result;
  result.trajectories = trajectories_;
  std::vector<std::string> none;
  std::vector<std::string> few;
  std::vector<std::string> other;
  std::vector<Index> magnitudes;  // of the others
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const EffectSums& sums = sums_[i];
    Effect effect;
    effect.count = sums.count;
    result.left_out += trajectories_ - sums.count;
    if (sums.count > 0) {
      effect.mu = sums.effect.mean;
      effect.mu_star.value = sums.magnitude.mean;
    }
    if (sums.count > 1) {
      const auto n = static_cast<double>(sums.count);
      effect.sigma = std::sqrt(sums.effect.squares / (n - 1));
      effect.standard_error = std::sqrt(sums.magnitude.squares / (n - 1) / n);
      const double reach = student_reach(n - 1) * effect.standard_error;
      effect.mu_star.lower = effect.mu_star.value - reach;
      effect.mu_star.upper = effect.mu_star.value + reach;
    }
    if (sums.count < 2) {
      few.push_back(names[i]);
    } else if (effect.mu_star.value == 0) {
      none.push_back(names[i]);
    } else {
      other.push_back(names[i]);
      magnitudes.push_back(effect.mu_star);
    }
    result.effects.push_back(effect);
  }
  if (result.left_out > 0)
    result.warnings.push_back(
        counted(result.left_out) + " of " +
        format_count(static_cast<unsigned long long>(trajectories_) * sums_.size()) +
        " effects are left out (a member stopped or has no value): mu, mu* and sigma speak of the others");
  if (!few.empty())
    result.warnings.push_back("effect of " + join_words(few) +
                              ": fewer than two values, so no spread and no interval; take more trajectories");
  if (!none.empty()) result.warnings.push_back("effect of " + join_words(none) + ": 0 in every trajectory");
  warn_near_zero("mu*", magnitudes, other, "more trajectories narrow it", result.warnings);
  return result;
}

}  // namespace conesweep::sensitivity
