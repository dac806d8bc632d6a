#include "sampling/sampler.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <string>

#include "sampling/copula.hpp"
#include "sampling/latin.hpp"
#include "sampling/philox.hpp"
#include "sampling/sobol.hpp"
#include "support/error.hpp"
#include "support/workers.hpp"

namespace conesweep::sampling {

namespace {

std::atomic<std::int64_t> drawn = 0;

using scenario::DistributionKind;
using scenario::Sampler;
using scenario::Scenario;

/// What names the axes: the parameter, and a prime for the second copy. [axis]
std::vector<std::uint64_t> hash_axes(const Scenario& scenario, int copies) {
  std::vector<std::uint64_t> hashes;
  for (int copy = 0; copy < copies; ++copy)
    for (const auto& variation : scenario.vary)
      hashes.push_back(hash_name(scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] +
                                 std::string(static_cast<std::size_t>(copy), '\'')));
  return hashes;
}

/// random: Philox4x32-10 at counter (member, name) under the key seed.
///
/// A name and not an index: what else varies, and in which order, does not matter.
class RandomPoints final : public UnitPoints {
 public:
  RandomPoints(const Scenario& scenario, int copies)
      : seed_(scenario.ensemble.seed), names_(hash_axes(scenario, copies)) {}

  double coordinate(std::int64_t member, std::size_t axis) const override {
    return random_unit(seed_, static_cast<std::uint64_t>(member), names_[axis]);
  }

 private:
  std::uint64_t seed_;
  std::vector<std::uint64_t> names_;  // [axis]
};

/// latin: the axis is cut into n equal strata, one a member, and the members are shuffled: (π(member) + u)/n
/// [McKayBeckmanConover1979].
///
/// π by seed and name, u as `random` has it.
class LatinPoints final : public UnitPoints {
 public:
  LatinPoints(const Scenario& scenario, int copies)
      : seed_(scenario.ensemble.seed),
        members_(static_cast<std::uint64_t>(members_of_point(scenario))),
        names_(hash_axes(scenario, copies)) {
    for (const std::uint64_t name : names_) permutations_.emplace_back(members_, seed_, name);
  }

  double coordinate(std::int64_t member, std::size_t axis) const override {
    const auto number = static_cast<std::uint64_t>(member);
    return stratum_point(permutations_[axis](number), random_unit(seed_, number, names_[axis]), members_);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t members_;
  std::vector<std::uint64_t> names_;       // [axis]
  std::vector<Permutation> permutations_;  // [axis]
};

/// sobol: point `member` of the Sobol sequence, scrambled by seed; axes in file order.
class SobolPoints final : public UnitPoints {
 public:
  SobolPoints(const Scenario& scenario, int copies)
      : seed_(scenario.ensemble.seed), sequence_(scenario.vary.size() * static_cast<std::size_t>(copies)) {}

  double coordinate(std::int64_t member, std::size_t axis) const override {
    return to_unit(scramble(sequence_.digits(static_cast<std::uint64_t>(member), axis), seed_, axis));
  }

 private:
  std::uint64_t seed_;
  SobolSequence sequence_;
};

/// grid: all combinations of levels, the last variation runs fastest.
///
/// Level j of n is the point j/(n - 1) where the support has both ends (n = 1: its median), and (j + 1/2)/n where an
/// end is infinite.
class GridPoints final : public UnitPoints {
 public:
  explicit GridPoints(const Scenario& scenario) : axes_(scenario.vary.size()) {
    std::int64_t stride = 1;
    for (std::size_t v = axes_.size(); v-- > 0;) {
      const auto& variation = scenario.vary[v];
      CS_ASSERT(variation.levels >= 1);
      const Support range = support(variation.distribution);
      axes_[v] = {variation.levels, stride, std::isfinite(range.lower) && std::isfinite(range.upper)};
      stride *= variation.levels;
    }
  }

  double coordinate(std::int64_t member, std::size_t number) const override {
    const Axis& axis = axes_[number];
    const auto level = static_cast<double>(member / axis.stride % axis.levels);
    const auto levels = static_cast<double>(axis.levels);
    if (axis.bounded && axis.levels > 1) return level / (levels - 1);
    return (level + 0.5) / levels;
  }

 private:
  struct Axis {
    std::int64_t levels = 1;
    std::int64_t stride = 1;  // members between two levels
    bool bounded = true;
  };
  std::vector<Axis> axes_;  // [variation]
};

}  // namespace

std::unique_ptr<UnitPoints> make_points(const Scenario& scenario, int copies) {
  CS_ASSERT(copies == 1 || copies == 2);
  switch (scenario.ensemble.sampler) {
    case Sampler::random: return std::make_unique<RandomPoints>(scenario, copies);
    case Sampler::latin: return std::make_unique<LatinPoints>(scenario, copies);
    case Sampler::sobol:
      if (scenario.vary.size() * static_cast<std::size_t>(copies) > SobolSequence::most_axes)
        throw InputError("sobol points have at most " + std::to_string(SobolSequence::most_axes) +
                         " axes, and this takes " +
                         std::to_string(scenario.vary.size() * static_cast<std::size_t>(copies)) +
                         "; use sampler = \"latin\" or \"random\"");
      return std::make_unique<SobolPoints>(scenario, copies);
    case Sampler::grid:
      if (copies == 2) throw InputError("a grid has no second copy of its points; use another sampler");
      return std::make_unique<GridPoints>(scenario);
  }
  throw InternalError("every sampler has points", __FILE__, __LINE__);
}

std::vector<std::vector<double>> draw(const Scenario& scenario, std::int64_t first, std::int64_t count, int threads) {
  return draw(scenario, *make_points(scenario), first, count, threads);
}

std::vector<std::vector<double>> draw(const Scenario& scenario, const std::vector<std::int64_t>& members) {
  const auto points = make_points(scenario);
  std::vector<std::vector<double>> varied(varying_parameters(scenario).size());
  for (const std::int64_t member : members) {
    const auto one = draw(scenario, *points, member, 1, 1);
    for (std::size_t v = 0; v < varied.size(); ++v) varied[v].push_back(one[v].front());
  }
  return varied;
}

std::vector<std::vector<double>> draw(const Scenario& scenario, const UnitPoints& points, std::int64_t first,
                                      std::int64_t count, int threads) {
  CS_ASSERT(first >= 0 && count >= 0);
  drawn.fetch_add(count, std::memory_order_relaxed);
  std::vector<std::vector<double>> varied(varying_parameters(scenario).size(),
                                          std::vector<double>(static_cast<std::size_t>(count)));
  const std::size_t axes = scenario.vary.size();
  const std::int64_t members = members_of_point(scenario);  // each point of a sweep has the same draws
  for (const auto& variation : scenario.vary)
    CS_ASSERT(variation.distribution.kind != DistributionKind::table ||
              std::min(first + count, scenario.sweep.empty() ? first + count : members) <=
                  static_cast<std::int64_t>(variation.distribution.values.size()));
  const Copula copula(scenario);
  const auto member_of = [&](std::int64_t row) { return scenario.sweep.empty() ? row : row % members; };

  // members first + begin … first + begin + size - 1
  const auto draw_block = [&](std::size_t begin, std::size_t size) {
    std::vector<std::span<double>> columns;
    for (std::size_t v = 0; v < axes; ++v) {
      columns.push_back(std::span(varied[v]).subspan(begin, size));
      const auto& distribution = scenario.vary[v].distribution;
      std::int64_t row = first + static_cast<std::int64_t>(begin);
      if (distribution.kind == DistributionKind::table)  // a row of the table is a member
        for (double& x : columns[v]) x = distribution.values[static_cast<std::size_t>(member_of(row++))];
      else
        for (double& u : columns[v]) u = points.coordinate(member_of(row++), v);
    }
    for (std::size_t k = 0; k < scenario.sweep.size(); ++k) {
      std::int64_t row = first + static_cast<std::int64_t>(begin);
      for (double& x : std::span(varied[axes + k]).subspan(begin, size)) x = sweep_value(scenario, k, row++ / members);
    }
    copula.correlate(columns);
    for (std::size_t v = 0; v < axes; ++v)
      if (scenario.vary[v].distribution.kind != DistributionKind::table)
        for (double& x : columns[v]) x = quantile(scenario.vary[v].distribution, x);
  };

  constexpr std::int64_t block = 1024;          // members; 0.1 ms for one parameter
  constexpr std::int64_t worth_sharing = 8192;  // values; less takes no longer than starting threads
  const std::int64_t blocks = (count + block - 1) / block;
  const bool few = count * static_cast<std::int64_t>(varied.size()) < worth_sharing;
  share_work(varied.empty() ? 0 : blocks, few ? 1 : count_threads(threads), [&](std::int64_t k) {
    draw_block(static_cast<std::size_t>(k * block), static_cast<std::size_t>(std::min(block, count - k * block)));
  });
  return varied;
}

std::int64_t count_drawn() { return drawn.load(std::memory_order_relaxed); }

}  // namespace conesweep::sampling
