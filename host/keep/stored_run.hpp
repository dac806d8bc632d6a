#pragma once

#include <memory>
#include <vector>

#include "keep/chunk_set.hpp"
#include "keep/digest.hpp"
#include "statistics/engine.hpp"

namespace conesweep::keep {

/// The members of a run as they are kept; with what their coordinates over time give.
class StoredRun : public io::RunData {
 public:
  StoredRun() = default;
  explicit StoredRun(const io::RunData& facts) : io::RunData(facts) {}

  /// One coordinate at the recorded times, over all members that are ok; empty: not asked for.
  virtual statistics::TrackMoments track_moments(std::size_t coordinate) const = 0;

  /// Its quantiles over the first block, [level * times + time]; empty: not asked for.
  virtual std::vector<double> track_bands(std::size_t coordinate, statistics::Engine& engine) const = 0;
};

/// Members wherever they are: their parameters, [variation][member], their observables and statuses.
struct SomeMembers {
  std::vector<std::vector<double>> varied = {};
  executor::Outcome outcome = {};
};

/// Columns of members, gathered from chunks.
class ColumnsRun final : public StoredRun {
 public:
  explicit ColumnsRun(const ChunkSet& chunks) : chunks_(&chunks) {}

  std::vector<double> parameter(std::size_t variation) const override;
  std::vector<double> observable(std::size_t observable) const override;
  std::vector<executor::Status> status() const override;
  std::vector<double> stop_time() const override;
  std::vector<double> residual() const override;
  std::vector<std::uint8_t> flags() const override;
  std::vector<double> trajectory(std::size_t column) const override;
  std::vector<std::uint8_t> modes() const override;
  statistics::TrackMoments track_moments(std::size_t coordinate) const override;
  std::vector<double> track_bands(std::size_t coordinate, statistics::Engine& engine) const override;

  /// These members, in this order.
  SomeMembers some(const std::vector<std::int64_t>& members) const;

 private:
  template <class T>
  std::vector<T> gather(io::Kind kind, std::size_t index = 0) const;

  const ChunkSet* chunks_;
};

/// What a digest has of members: the recorded ones, and no columns of all.
class DigestRun final : public StoredRun {
 public:
  DigestRun(const io::RunData& facts, Digest digest) : StoredRun(facts), digest_(std::move(digest)) {}

  const Digest& digest() const { return digest_; }

  std::vector<double> parameter(std::size_t) const override { refuse(); }
  std::vector<double> observable(std::size_t) const override { refuse(); }
  std::vector<executor::Status> status() const override { refuse(); }
  std::vector<double> stop_time() const override { refuse(); }
  std::vector<double> residual() const override { refuse(); }
  std::vector<std::uint8_t> flags() const override { refuse(); }
  std::vector<double> trajectory(std::size_t column) const override;
  std::vector<std::uint8_t> modes() const override;
  std::vector<double> grid_levels(std::size_t variation) const override;
  statistics::TrackMoments track_moments(std::size_t coordinate) const override;
  std::vector<double> track_bands(std::size_t coordinate, statistics::Engine& engine) const override;

 private:
  [[noreturn]] static void refuse();

  Digest digest_;
};

}  // namespace conesweep::keep
