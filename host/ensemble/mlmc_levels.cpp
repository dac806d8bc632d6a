#include "ensemble/mlmc_levels.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include "support/bytes.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::ensemble {

using executor::Outcome;
using executor::Status;

/// The finaliser of SplitMix64 [SteeleLeaFlood2014] is a bijection, so no two levels of a seed share a key; Philox
/// makes independent streams of them.
std::uint64_t level_seed(std::uint64_t seed, int level) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  };
  return mix(mix(seed + 0x9e3779b97f4a7c15) + static_cast<std::uint64_t>(level) + 1);
}

void MlmcLevels::add() {
  auto level = std::make_unique<Level>();
  const int l = static_cast<int>(levels_.size());
  if (model_ == nullptr) model_ = make_(scenario_);
  level->scenario = scenario::Scenario{scenario_, refine(scenario_, l), scenario_};
  level->scenario.ensemble.sampler = scenario::Sampler::random;
  level->scenario.ensemble.seed = level_seed(scenario_.ensemble.seed, l);
  level->points = sampling::make_points(level->scenario);
  level->facts.steps = level->scenario.steps;
  level->facts.step = level->scenario.h();
  level->facts.cost = level->scenario.steps + (l > 0 ? levels_.back()->scenario.steps : 0);
  levels_.push_back(std::move(level));
}

void MlmcLevels::extend(std::size_t l, std::int64_t target) {
  Level& level = *levels_[l];
  MlmcLevel& facts = level.facts;
  if (target <= facts.members) return;
  const std::int64_t runs = (target - facts.members) * (l > 0 ? 2 : 1);
  if (begins_) begins_(static_cast<int>(l), runs, static_cast<double>(facts.cost) / (l > 0 ? 2 : 1));
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t chunk = choose_piece(request_.team, *model_, request_.chunk, target - facts.members, facts.cost);
  const PieceJob job{static_cast<int>(l), {facts.members, target - facts.members}, chunk};
  lead_pieces(
      request_.team, ByteWriter().put(job).take(), job.pieces(), [&](std::int64_t piece) { return step(job, piece); },
      {[&](std::int64_t, const Outcomes& outcomes) { add_values(level, outcomes.front(), outcomes.back(), l > 0); },
       watch_.finished});
  level.sum_all();
  facts.members = target;
  facts.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  facts.correction = statistics::merge_blocks(level.corrections);
  facts.value = statistics::merge_blocks(level.values);
}

void MlmcLevels::follow() {
  while (const auto words = request_.team->hear()) {
    const auto job = ByteReader(*words).get<PieceJob>();
    while (static_cast<int>(levels_.size()) <= job.level) add();
    follow_pieces(*request_.team, job.pieces(), [&](std::int64_t piece) { return step(job, piece); });
  }
}

std::int64_t MlmcLevels::members() const {
  std::int64_t all = 0;
  for (const auto& level : levels_) all += level->facts.members;
  return all;
}

std::vector<MlmcLevel> MlmcLevels::facts() const {
  std::vector<MlmcLevel> all;
  for (const auto& level : levels_) all.push_back(level->facts);
  return all;
}

void MlmcLevels::Level::sum_full() {
  constexpr auto block = static_cast<std::size_t>(statistics::block_members);
  while (y.size() >= block) sum_first(block);
}

void MlmcLevels::Level::sum_all() {
  if (!y.empty()) sum_first(y.size());
}

void MlmcLevels::Level::sum_first(std::size_t count) {
  corrections.push_back(statistics::sum_block(std::span(y).first(count)));
  values.push_back(statistics::sum_block(std::span(p).first(count)));
  for (auto* column : {&y, &p}) column->erase(column->begin(), column->begin() + static_cast<std::ptrdiff_t>(count));
}

// at the level's step, and (but on level 0) at twice that
Outcomes MlmcLevels::step(const PieceJob& job, std::int64_t piece) const {
  const Level& level = *levels_[static_cast<std::size_t>(job.level)];
  const std::int64_t first = job.range.first + piece * job.chunk, count = std::min(job.chunk, job.range.end() - first);
  const executor::Chunk chunk = {{level.scenario, first, count},
                                 sampling::draw(level.scenario, *level.points, first, count, request_.threads)};
  Outcomes outcomes;
  outcomes.push_back(model_->run(level.scenario, chunk, watch_));
  if (job.level > 0)
    outcomes.push_back(model_->run(levels_[static_cast<std::size_t>(job.level) - 1]->scenario, chunk, watch_));
  return outcomes;
}

void MlmcLevels::add_values(Level& level, const Outcome& fine, const Outcome& coarse, bool is_pair) {
  MlmcLevel& facts = level.facts;
  const std::size_t members = fine.status.size();
  std::vector<double> y(members, nan), p(members, nan);
  const auto is_ok = [](const Outcome& outcome, std::size_t m) { return outcome.status[m] == Status::ok; };
  const auto value = [&](const Outcome& outcome, std::size_t m) { return outcome.observables[observable_][m]; };
  for (std::size_t m = 0; m < members; ++m) {
    const bool ok = is_ok(fine, m) && (!is_pair || is_ok(coarse, m));
    const bool fine_value = is_ok(fine, m) && std::isfinite(value(fine, m));
    const bool coarse_value = !is_pair ? fine_value : is_ok(coarse, m) && std::isfinite(value(coarse, m));
    facts.stopped += ok ? 0 : 1;
    facts.without += ok && !(fine_value && coarse_value) ? 1 : 0;
    facts.changed += fine_value != coarse_value ? 1 : 0;
    if (!fine_value || !coarse_value) continue;
    p[m] = value(fine, m);
    y[m] = is_pair ? p[m] - value(coarse, m) : p[m];
    facts.differ += is_pair && y[m] != 0 ? 1 : 0;
    facts.whole = facts.whole && draws() && p[m] == std::floor(p[m]) && may_count(scenario_, observable_);
  }
  level.y.insert(level.y.end(), y.begin(), y.end());
  level.p.insert(level.p.end(), p.begin(), p.end());
  level.sum_full();
}

}  // namespace conesweep::ensemble
