#pragma once

#include "run/digest.hpp"
#include "run/growth.hpp"
#include "run/quantity.hpp"
#include "run/summary.hpp"

namespace conesweep::runs {

/// Errors of means over the members of an ensemble, or of one point of a sweep, from their digest.
class DigestErrors {
 public:
  explicit DigestErrors(const scenario::Scenario& scenario);

  /// Members are taken as independent: there are no others.
  bool plain() const {
    return sampler_ == scenario::Sampler::random || (sampler_ == scenario::Sampler::latin && hypercube_ == nullptr);
  }
  bool sampled() const { return sampler_ != scenario::Sampler::grid; }

  /// Of an observable's mean; NaN: not known.
  double of_mean(const Group& group, const GroupShape& shape, std::size_t observable) const;

  /// Of the share of a class.
  double of_share(const Group& group, const GroupShape& shape, std::size_t code) const;

 private:
  template <class Mean>
  double of_runs(const Group& group, const GroupShape& shape, const Mean& mean) const;

  scenario::Sampler sampler_;
  std::shared_ptr<const statistics::HypercubeError> hypercube_;
};

/// The statistics of a run whose members are not kept: with classes and sweep, without those of tracks and steps. Mean,
/// deviation, skewness, min and max have the bits that they have of members that are kept.
Summary summarise(const io::RunData& run, const Digest& digest);

/// The error that a goal is about (growth.hpp).
double error_of(const Digest& digest, const DigestErrors& errors, const Goal& goal);

/// The mean of a quantity so far: of an observable, or of the marks 0 and 1 of a class.
statistics::Moments moments_of(const Digest& digest, const Quantity& quantity);

}  // namespace conesweep::runs
