#include "run/kept_columns.hpp"

#include <cmath>

#include "keep/classes.hpp"
#include "tell/step_check.hpp"

namespace conesweep::runs {

std::vector<Gap> KeptColumns::fit() {
  chunks_->fit(run_.scenario.ensemble.members);
  std::vector<Gap> gaps;
  for (const io::MemberRange& range : chunks_->missing()) gaps.push_back({range, chunks_->begun(range.first)});
  return gaps;
}

std::int64_t KeptColumns::take(ChunkReport report, RunningMean* watched) {
  if (report.bytes.empty())
    chunks_->take_new(report.chunk);
  else
    chunks_->write_packed(report.chunk, report.bytes);
  if (watched != nullptr) show(report.chunk, *watched);
  return report.chunk.range.count;
}

void KeptColumns::show(RunningMean& watched) const {
  for (const keep::ChunkSet::Chunk& chunk : chunks_->used()) show(chunk, watched);
}

// Members that are there count, whoever stepped them.
void KeptColumns::show(const keep::ChunkSet::Chunk& chunk, RunningMean& watched) const {
  const auto column_of = [&](io::Kind kind) {
    return [this, &chunk, kind](std::size_t index) {
      std::vector<double> column;
      chunks_->append(chunk, kind, index, column);
      return column;
    };
  };
  keep::MemberColumns columns{column_of(io::Kind::observable), column_of(io::Kind::parameter), {}};
  chunks_->append(chunk, io::Kind::status, 0, columns.status);
  watched.add(chunk.range.first, columns);
}

std::int64_t KeptColumns::save() {
  chunks_->forget_lost();
  return chunks_->finished_members();
}

std::int64_t KeptColumns::bytes_to_come(const Plan&, const std::vector<Gap>& missing) const {
  std::vector<io::MemberRange> ranges;
  for (const Gap& gap : missing) ranges.push_back(gap.range);
  return missing_bytes(run_.scenario, ranges, chunks_->shape().tracked);
}

void KeptColumns::settle() {
  if (!run_.scenario.classes.empty()) run_.classes = keep::classify(run_.scenario, keep::columns_of(run_));
}

// The standard error of a mean as a share of it; NaN: no values yet, or none that differ from 0. Of a class: half the
// width of its interval.
std::vector<double> KeptColumns::errors(const std::vector<Goal>& goals, const tell::Draws& draws,
                                        statistics::Engine& engine) const {
  const auto status = run_.status();
  std::vector<double> errors;
  for (const Goal& goal : goals) {
    if (goal.of_class) {
      errors.push_back(keep::share_interval(run_.classes, goal.observable, draws.error).half_width());
      continue;
    }
    const auto column = run_.observable(goal.observable);
    const auto sums = statistics::merge_blocks(engine.block_moments(column, status, 1));
    const auto n = static_cast<double>(sums.count);
    const double error = draws.error ? draws.error(column, status) : std::sqrt(sums.squares / (n - 1) / n);
    errors.push_back(error / std::fabs(sums.mean));
  }
  return errors;
}

tell::Summary KeptColumns::sum_up(const tell::Draws& draws, statistics::Engine& engine) const {
  tell::Summary summary = tell::summarise(run_, run_.scenario.sweep.empty() ? draws : tell::Draws{}, engine);
  tell::summarise_classes(run_, draws, summary);
  summary.sweep = tell::summarise_sweep(run_, draws, engine);
  return summary;
}

keep::SomeMembers KeptColumns::spread(const executor::Model&, const executor::Watch&) const {
  return run_.some(tell::spread_members(run_.scenario.ensemble.members));
}

}  // namespace conesweep::runs
