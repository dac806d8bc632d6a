#pragma once

#include <memory>

#include "keep/chunk_set.hpp"
#include "keep/digest.hpp"
#include "statistics/engine.hpp"

namespace conesweep::keep {

/// The members of a run, in chunks; with what their coordinates over time give.
class StoredRun final : public io::RunData {
 public:
  explicit StoredRun(const ChunkSet& chunks) : chunks_(&chunks) {}

  std::vector<double> parameter(std::size_t variation) const override;
  std::vector<double> observable(std::size_t observable) const override;
  std::vector<executor::Status> status() const override;
  std::vector<double> stop_time() const override;
  std::vector<double> residual() const override;
  std::vector<std::uint8_t> flags() const override;
  std::vector<double> trajectory(std::size_t column) const override;
  std::vector<std::uint8_t> modes() const override;
  std::vector<double> grid_levels(std::size_t variation) const override;

  /// From now on there are no columns of members: what is left of them is in a digest.
  void become(Digest digest) { digest_ = std::make_unique<Digest>(std::move(digest)); }
  const Digest* digest() const { return digest_.get(); }

  /// Observables and statuses of these members, in this order.
  executor::Outcome some(const std::vector<std::int64_t>& members) const;

  /// One coordinate at the recorded times, over all members that are ok; empty: not asked for.
  statistics::TrackMoments track_moments(std::size_t coordinate) const;

  /// Its quantiles over the first block, [level * times + time]; empty: not asked for.
  std::vector<double> track_bands(std::size_t coordinate, statistics::Engine& engine) const;

 private:
  template <class T>
  std::vector<T> gather(io::Kind kind, std::size_t index) const;

  const ChunkSet* chunks_;
  std::unique_ptr<const Digest> digest_;
};

}  // namespace conesweep::keep
