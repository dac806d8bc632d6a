#include "sampling/sampler.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <string_view>

#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::sampling {

namespace {

using scenario::DistributionKind;
using scenario::Sampler;
using scenario::Scenario;

/// FNV-1a, 64 bits: what a parameter's name contributes to its random numbers.
std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;  // offset basis and prime as published by Fowler, Noll and Vo
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

/// random: u = (k + 1/2) 2^-52, with the 52 leading bits k of Philox4x32-10 at counter (member, name) under the key seed.
///
/// A name and not an index: what else varies, and in which order, does not matter. 52 bits and not 53: with 53 the largest
/// k + 1/2 is no double and rounds to u = 1, whose quantile may be infinite. Every u is exact, and so is 1 - u.
class RandomPoints final : public UnitPoints {
 public:
  RandomPoints(const Scenario& scenario, int copies) : seed_(scenario.ensemble.seed) {
    for (int copy = 0; copy < copies; ++copy)
      for (const auto& variation : scenario.vary)
        names_.push_back(hash_name(scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] + std::string(static_cast<std::size_t>(copy), '\'')));
  }

  double coordinate(std::int64_t member, std::size_t axis) const override {
    const auto number = static_cast<std::uint64_t>(member);
    const std::uint64_t name = names_[axis];
    const r123::Philox4x32::ctr_type counter = {{low_word(number), high_word(number), low_word(name), high_word(name)}};
    const r123::Philox4x32::key_type key = {{low_word(seed_), high_word(seed_)}};
    const auto words = r123::Philox4x32()(counter, key);
    const std::uint64_t k = (std::uint64_t{words[1]} << 32 | words[0]) >> 12;
    return (static_cast<double>(k) + 0.5) * 0x1p-52;
  }

 private:
  std::uint64_t seed_;
  std::vector<std::uint64_t> names_;  // [axis]
};

/// grid: all combinations of levels, the last variation runs fastest.
///
/// Level j of n is the point j/(n - 1) where the support has both ends (n = 1: its median), and (j + 1/2)/n where an end
/// is infinite.
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

bool depends_on_members(Sampler sampler) { return sampler == Sampler::latin || sampler == Sampler::grid; }

bool is_available(Sampler sampler) { return sampler == Sampler::random || sampler == Sampler::grid; }

std::unique_ptr<UnitPoints> make_points(const Scenario& scenario, int copies) {
  CS_ASSERT(copies == 1 || copies == 2);
  const Sampler sampler = scenario.ensemble.sampler;
  if (sampler == Sampler::random) return std::make_unique<RandomPoints>(scenario, copies);
  if (sampler == Sampler::grid && copies == 2) throw InputError("a grid has no second copy of its points; use another sampler");
  if (sampler == Sampler::grid) return std::make_unique<GridPoints>(scenario);

  std::vector<std::string> there;
  for (const Sampler known : {Sampler::random, Sampler::latin, Sampler::sobol, Sampler::grid})
    if (is_available(known)) there.emplace_back(to_name(known));
  throw InputError("sampler '" + std::string(to_name(sampler)) + "' is not there yet; use " + join_words(there, "or"));
}

std::vector<std::vector<double>> draw(const Scenario& scenario, std::int64_t first, std::int64_t count) {
  return draw(scenario, *make_points(scenario), first, count);
}

std::vector<std::vector<double>> draw(const Scenario& scenario, const UnitPoints& points, std::int64_t first, std::int64_t count) {
  CS_ASSERT(first >= 0 && count >= 0);
  std::vector<std::vector<double>> varied(scenario.vary.size());
  for (std::size_t v = 0; v < varied.size(); ++v) {
    const auto& distribution = scenario.vary[v].distribution;
    varied[v].reserve(static_cast<std::size_t>(count));
    if (distribution.kind == DistributionKind::table) {
      // row = member
      CS_ASSERT(first + count <= static_cast<std::int64_t>(distribution.values.size()));
      const auto row = distribution.values.begin() + first;
      varied[v].assign(row, row + count);
      continue;
    }
    for (std::int64_t member = first; member < first + count; ++member)
      varied[v].push_back(quantile(distribution, points.coordinate(member, v)));
  }
  return varied;
}

}  // namespace conesweep::sampling
