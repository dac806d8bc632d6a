#pragma once

#include <optional>

#include "keep/digests.hpp"
#include "run/kept_columns.hpp"

namespace conesweep::runs {

/// Members become a digest as they come. What was there as columns, before the ensemble grew too large for them, does
/// so too.
class KeptDigest final : public Kept {
 public:
  /// `columns` must live as long. InputError where the digest that is there is of more members than will be, which
  /// nothing can be taken from.
  KeptDigest(KeptColumns& columns, int threads, bool grows);

  std::int64_t members() const { return store_.digests().members(); }
  std::int64_t damaged() const { return store_.damaged(); }  // files that were not as written

  /// An ensemble that grew to so many members before it was interrupted; 0: none did.
  std::int64_t begun_members() const { return store_.digests().begun_members(); }

  std::vector<Gap> fit() override;
  bool takes_blocks() const override { return true; }
  void add(io::ChunkResults part, double seconds) override;
  std::int64_t take(ChunkReport report, RunningMean* watched) override;
  void show(RunningMean& watched) const override;
  std::int64_t save() override;
  std::int64_t bytes_to_come(const Plan& plan, const std::vector<Gap>&) const override { return plan.disk_bytes; }
  double seconds() const override { return store_.digests().seconds(); }

  void settle() override { run_.emplace(columns_.data(), store_.digests().total()); }
  const keep::StoredRun& data() const override;
  std::vector<double> errors(const std::vector<Goal>& goals, const tell::Draws& draws,
                             statistics::Engine& engine) const override;
  tell::Summary sum_up(const tell::Draws& draws, statistics::Engine& engine) const override;
  keep::SomeMembers spread(const executor::Model& model, const executor::Watch& watch) const override;

 private:
  KeptColumns& columns_;
  keep::DigestStore store_;
  std::optional<keep::DigestRun> run_;
};

}  // namespace conesweep::runs
