#pragma once

#include <memory>

#include "keep/chunk_set.hpp"
#include "run/kept.hpp"

namespace conesweep::runs {

/// Every member has its row: columns in chunks.
class KeptColumns final : public Kept {
 public:
  explicit KeptColumns(std::unique_ptr<keep::ChunkSet> chunks) : chunks_(std::move(chunks)), run_(*chunks_) {}

  keep::ChunkSet& chunks() { return *chunks_; }
  const keep::ChunkSet& chunks() const { return *chunks_; }
  keep::StoredRun& facts() { return run_; }

  std::vector<Gap> fit() override;
  bool takes_blocks() const override { return false; }
  void add(io::ChunkResults part, double seconds) override { chunks_->write(std::move(part), seconds); }
  std::int64_t take(ChunkReport report, RunningMean* watched) override;
  void show(RunningMean& watched) const override;
  std::int64_t save() override;
  std::int64_t bytes_to_come(const Plan& plan, const std::vector<Gap>& missing) const override;
  double seconds() const override { return chunks_->solve_seconds(); }

  void settle() override;
  const keep::StoredRun& data() const override { return run_; }
  std::vector<double> errors(const std::vector<Goal>& goals, const tell::Draws& draws,
                             statistics::Engine& engine) const override;
  tell::Summary sum_up(const tell::Draws& draws, statistics::Engine& engine) const override;
  keep::SomeMembers spread(const executor::Model& model, const executor::Watch& watch) const override;

 private:
  void show(const keep::ChunkSet::Chunk& chunk, RunningMean& watched) const;

  std::unique_ptr<keep::ChunkSet> chunks_;
  keep::ColumnsRun run_;
};

}  // namespace conesweep::runs
