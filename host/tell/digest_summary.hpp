#pragma once

#include "keep/digest.hpp"
#include "tell/summary.hpp"

namespace conesweep::tell {

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
  double of_mean(const keep::Group& group, const keep::GroupShape& shape, std::size_t observable) const;

  /// Of the share of a class.
  double of_share(const keep::Group& group, const keep::GroupShape& shape, std::size_t code) const;

 private:
  template <class Mean>
  double of_runs(const keep::Group& group, const keep::GroupShape& shape, const Mean& mean) const;

  scenario::Sampler sampler_;
  std::shared_ptr<const statistics::HypercubeError> hypercube_;
};

/// The statistics of a run whose members are not kept: with classes and sweep, without those of tracks and steps. Mean,
/// deviation, skewness, min and max have the bits that they have of members that are kept.
Summary summarise(const io::RunData& run, const keep::Digest& digest);

}  // namespace conesweep::tell
