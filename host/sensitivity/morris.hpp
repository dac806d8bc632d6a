#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sampling/sampler.hpp"
#include "sensitivity/index.hpp"

namespace conesweep::sensitivity {

/// Which variations have a support with both ends finite.
std::vector<bool> bounded_axes(const scenario::Scenario& scenario);

/// Trajectories for screening [Morris1991], by member number: member m is point m mod (k + 1) of trajectory m / (k +
/// 1).
///
/// A trajectory starts at a random level of every axis and moves one axis after another, in random order, by half of
/// the p levels (an even number), up or down. Level l is at
///
///   (F1)  u = l/(p - 1)      where the support has both ends; the step is Δ = p/(2(p - 1))
///         u = (l + 1/2)/p    where an end is infinite: the middle of a cell, since u = 0 or 1 would be infinite; Δ =
///                            1/2
///
/// Order, start and directions are random numbers of (seed, trajectory), so trajectories can be added later.
class MorrisPoints final : public sampling::UnitPoints {
 public:
  /// InputError unless levels is even and at least 2.
  MorrisPoints(std::uint64_t seed, std::vector<bool> bounded, int levels = 4);

  double coordinate(std::int64_t member, std::size_t axis) const override;

  std::size_t parameters() const { return bounded_.size(); }
  std::int64_t rows() const { return static_cast<std::int64_t>(bounded_.size()) + 1; }
  std::int64_t members(std::int64_t trajectories) const { return trajectories * rows(); }

  /// What happens between point s and point s + 1 of a trajectory.
  struct Step {
    std::size_t axis = 0;
    double change = 0;  // of u: ±Δ
  };
  std::vector<Step> steps(std::int64_t trajectory) const;  // k

 private:
  struct Start {
    int level = 0;   // before its step
    bool up = true;  // the step goes up
  };
  Start start(std::int64_t trajectory, std::size_t axis) const;
  std::vector<std::uint32_t> order(std::int64_t trajectory) const;  // [step] -> axis
  double unit(int level, std::size_t axis) const;

  std::uint64_t seed_;
  std::vector<bool> bounded_;  // [axis]
  int levels_;
};

/// What screening says about one parameter: the elementary effects e = (change of the observable) / (change of u). An
/// effect is per unit of probability: 1 is the way through the whole distribution, so effects of parameters with
/// different units can be compared.
struct Effect {
  double mu = nan;              // mean of e
  Index mu_star;                // mean of |e|, interval by Student's t; how much the parameter matters
  double standard_error = nan;  // of mu_star
  double sigma = nan;           // standard deviation of e (n - 1): nonlinear, or interacting with others
  std::int64_t count = 0;       // effects used
};

struct MorrisEffects {
  std::vector<Effect> effects;    // [parameter]
  std::int64_t trajectories = 0;  // seen
  std::int64_t left_out = 0;      // effects with an end that stopped or has no finite value, of all parameters
  std::vector<std::string> warnings;
};

/// Sums of the elementary effects of one observable. A trajectory with a missing value loses the effects next to it and
/// no others.
class MorrisSums {
 public:
  explicit MorrisSums(const MorrisPoints& points);  // kept by reference

  /// The next members, in order, any number at a time.
  void add(std::span<const double> values, std::span<const executor::Status> status);

  MorrisEffects effects(std::span<const std::string> names) const;

 private:
  struct Moments {
    double mean = 0;
    double squares = 0;  // sum of (x - mean)²
    void add(double x, double n);
  };
  struct EffectSums {
    std::int64_t count = 0;
    Moments effect;
    Moments magnitude;
  };

  const MorrisPoints& points_;
  Rows rows_;
  std::vector<EffectSums> sums_;  // [parameter]
  std::int64_t trajectories_ = 0;
};

}  // namespace conesweep::sensitivity
