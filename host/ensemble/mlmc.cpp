#include "ensemble/mlmc.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "ensemble/line_fit.hpp"
#include "ensemble/shared_pieces.hpp"
#include "sampling/sampler.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"
#include "support/text.hpp"

namespace conesweep::ensemble {
namespace {

using executor::Outcome;
using executor::Status;
using scenario::Scenario;
using statistics::CentralSums;

constexpr int first_levels = 2;              // levels 0, 1, 2 are always there: a rate needs two corrections
constexpr std::int64_t pilot_members = 128;  // on each of them, to begin with
constexpr std::int64_t least_members = 32;   // on a level that comes later: its variance is extrapolated as well
constexpr std::int64_t most_tried = 1024;    // members of a level to find two that have a value
constexpr double more_for_kurtosis = 2;      // times as many as (M2) wants, where few members make the variance
constexpr double growth = 8;                 // of a level in one round: a variance from few members may be far off
constexpr double slack = 1.01;               // numbers of members this close to the wanted ones will do (Giles)
constexpr double least_rate = 0.5;           // of alpha and beta (Giles)
constexpr double greatest_alpha = 1;         // the scheme's order; a higher one, fitted, is not relied on …
constexpr double greatest_beta = 2;          // … nor is its square: a level that happened to see no rare event looks like a fast fall
constexpr double uncertain_variance = 0.5;   // relative standard error of a variance that is worth a warning

/// Levels with their scenarios, executors and sums.
class Levels {
 public:
  Levels(const Scenario& scenario, std::size_t observable, const MlmcRequest& request, const MakeExecutor& make, const executor::Watch& watch,
         const LevelBegins& begins)
      : scenario_(scenario), observable_(observable), request_(request), make_(make), watch_(watch), begins_(begins) {}

  std::size_t size() const { return levels_.size(); }
  MlmcLevel& operator[](std::size_t l) { return levels_[l]->facts; }

  void add() {
    auto level = std::make_unique<Level>();
    const int l = static_cast<int>(levels_.size());
    level->scenario = refine(scenario_, l);
    level->scenario.ensemble.sampler = scenario::Sampler::random;
    level->scenario.ensemble.seed = level_seed(scenario_.ensemble.seed, l);
    level->points = sampling::make_points(level->scenario);
    level->executor = make_(level->scenario);
    level->facts.steps = level->scenario.steps;
    level->facts.step = level->scenario.h();
    level->facts.cost = level->scenario.steps + (l > 0 ? levels_.back()->scenario.steps : 0);
    levels_.push_back(std::move(level));
  }

  void drop_finest() { levels_.pop_back(); }

  /// Runs members of level l up to number `target`.
  void extend(std::size_t l, std::int64_t target) {
    Level& level = *levels_[l];
    MlmcLevel& facts = level.facts;
    if (target <= facts.members) return;
    const std::int64_t runs = (target - facts.members) * (l > 0 ? 2 : 1);
    if (begins_) begins_(static_cast<int>(l), runs, static_cast<double>(facts.cost) / (l > 0 ? 2 : 1));
    const auto start = std::chrono::steady_clock::now();
    const std::int64_t chunk = choose_piece(request_.team, *level.executor, request_.chunk, target - facts.members, facts.cost);
    const PieceJob job{static_cast<int>(l), {facts.members, target - facts.members}, chunk};
    lead_pieces(request_.team, ByteWriter().put(job).take(), job.pieces(), [&](std::int64_t piece) { return step(job, piece); },
                {[&](std::int64_t, const Outcomes& outcomes) { add_values(level, outcomes.front(), outcomes.back(), l > 0); }, watch_.finished});
    level.sum_all();
    facts.members = target;
    facts.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    facts.correction = statistics::merge_blocks(level.corrections);
    facts.value = statistics::merge_blocks(level.values);
  }

  /// A follower's part: levels come as the leader asks for them.
  void follow() {
    while (const auto words = request_.team->hear()) {
      const auto job = ByteReader(*words).get<PieceJob>();
      while (static_cast<int>(levels_.size()) <= job.level) add();
      follow_pieces(*request_.team, job.pieces(), [&](std::int64_t piece) { return step(job, piece); });
    }
  }

  std::int64_t members() const {
    std::int64_t all = 0;
    for (const auto& level : levels_) all += level->facts.members;
    return all;
  }

  std::vector<MlmcLevel> facts() const {
    std::vector<MlmcLevel> all;
    for (const auto& level : levels_) all.push_back(level->facts);
    return all;
  }

 private:
  struct Level {
    Scenario scenario;
    std::unique_ptr<sampling::UnitPoints> points;
    std::unique_ptr<executor::Executor> executor;
    MlmcLevel facts;
    std::vector<CentralSums> corrections, values;  // of blocks of 4096 members, counted from where a round began
    std::vector<double> y, p;                      // of the block that is not full yet: corrections and values of its members

    // blocks do not depend on the pieces they came in
    void sum_full() {
      constexpr auto block = static_cast<std::size_t>(statistics::block_members);
      while (y.size() >= block) sum_first(block);
    }
    void sum_all() {
      if (!y.empty()) sum_first(y.size());
    }

   private:
    void sum_first(std::size_t count) {
      corrections.push_back(statistics::sum_block(std::span(y).first(count)));
      values.push_back(statistics::sum_block(std::span(p).first(count)));
      for (auto* column : {&y, &p}) column->erase(column->begin(), column->begin() + static_cast<std::ptrdiff_t>(count));
    }
  };

  /// The leader's words: members of a level, in pieces of so many.
  struct PieceJob {
    int level;
    io::Range range;
    std::int64_t chunk;

    std::int64_t pieces() const { return (range.count + chunk - 1) / chunk; }
  };

  // at the level's step, and (but on level 0) at twice that
  Outcomes step(const PieceJob& job, std::int64_t piece) const {
    const Level& level = *levels_[static_cast<std::size_t>(job.level)];
    const std::int64_t first = job.range.first + piece * job.chunk, count = std::min(job.chunk, job.range.end() - first);
    const executor::Chunk chunk = {first, count, sampling::draw(level.scenario, *level.points, first, count, request_.threads)};
    Outcomes outcomes;
    outcomes.push_back(level.executor->run(chunk, watch_));
    if (job.level > 0) outcomes.push_back(levels_[static_cast<std::size_t>(job.level) - 1]->executor->run(chunk, watch_));
    return outcomes;
  }

  void add_values(Level& level, const Outcome& fine, const Outcome& coarse, bool is_pair) {
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
      facts.whole = facts.whole && p[m] == std::floor(p[m]) && may_count(scenario_, observable_);
    }
    level.y.insert(level.y.end(), y.begin(), y.end());
    level.p.insert(level.p.end(), p.begin(), p.end());
    level.sum_full();
  }

  const Scenario& scenario_;
  std::size_t observable_;
  const MlmcRequest& request_;
  const MakeExecutor& make_;
  const executor::Watch& watch_;
  const LevelBegins& begins_;
  std::vector<std::unique_ptr<Level>> levels_;
};

/// The algorithm: what is decided between two rounds.
class Giles {
 public:
  Giles(const MlmcRequest& request, Levels& levels, int levels_max) : request_(request), levels_(levels), levels_max_(levels_max) {}

  MlmcResult run() {
    while (static_cast<int>(levels_.size()) <= first_levels) levels_.add();
    std::vector<std::int64_t> target(levels_.size(), pilot_members);
    bool enough_members = true;
    for (;;) {
      enough_members = limit(target);
      for (std::size_t l = 0; l < levels_.size(); ++l) levels_.extend(l, target[l]);
      if (enough_members && try_more(target)) continue;
      estimate();
      if (!enough_members) {
        if (levels_[levels_.size() - 1].correction.count < 2) levels_.drop_finest(), estimate();
        break;
      }
      target = wanted();
      bool more = false;
      for (std::size_t l = 0; l < target.size(); ++l) more = more || static_cast<double>(target[l]) > slack * static_cast<double>(levels_[l].members);
      if (more) continue;
      if (result_.bias <= bias_share * request_.rmse) break;
      if (static_cast<int>(levels_.size()) > levels_max_) {
        result_.reached = false;
        result_.notes.push_back("the bias, about " + format_short(result_.bias, 2) + ", is still above " + format_short(bias_share * request_.rmse, 2) +
                                ", a quarter of the rmse asked for, at level " + std::to_string(levels_max_) + "; " +
                                (levels_max_ < request_.levels_max ? "a finer level would have too many steps" : "allow more with --levels-max") +
                                ", begin with a smaller --step, or ask for less");
        break;
      }
      levels_.add();
      estimate();
      target = wanted();
    }
    if (!enough_members) {
      result_.reached = false;
      result_.notes.push_back("the rmse asked for needs about " + format_short(needed_, 2) + " members, and --members-max allows " +
                              counted(request_.members_max) + "; the answer stands with the error it has");
    }
    return finish();
  }

 private:
  // members may be left out, but not all of them: where the first ones have no value, others may
  bool try_more(std::vector<std::int64_t>& target) {
    bool more = false;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const MlmcLevel& level = levels_[l];
      if (level.correction.count >= 2) continue;
      if (level.members >= most_tried)
        throw InputError("'" + request_.observable + "' has a value in " + std::to_string(level.correction.count) + " of " + counted(level.members) +
                         " members at step " + format_short(level.step) +
                         (level.stopped > level.members / 2 ? "; most members stopped: conesweep run tells why"
                                                            : ": the event it waits for never came; choose another observable or a later [time] end"));
      target[l] = std::min(most_tried, 8 * level.members);
      more = true;
    }
    return more;
  }

  // Where all members of all levels have the same value there is nothing to estimate, and a note says what was not seen.
  bool saw_nothing(std::size_t l) {
    bool varies = false;
    for (std::size_t k = 0; k < levels_.size(); ++k) varies = varies || levels_[k].value.variance() > 0;
    return varies && levels_[l].saw_nothing();
  }

  // (M4), and the variances that (M2) goes by
  void estimate() {
    const std::size_t count = levels_.size();
    LineFit mean_fit, variance_fit;  // log2 over levels
    const auto see = [](LineFit& fit, std::size_t l, double y, double weight) {
      if (y > 0 && weight > 0) fit.see(static_cast<double>(l), log2_of(y), weight);
    };
    const auto rate = [](const LineFit& fit, double otherwise) { return fit.is_determined() ? -fit.slope() : otherwise; };
    for (std::size_t l = 1; l < count; ++l) {
      const CentralSums& y = levels_[l].correction;
      if (y.count < 2) continue;
      const double error2 = y.variance() / static_cast<double>(y.count);
      if (y.mean != 0) see(mean_fit, l, std::fabs(y.mean), 1 / (error2 / (y.mean * y.mean) + 1e-4));  // 1e-4: a mean known to 1 % is known
      see(variance_fit, l, y.variance(), static_cast<double>(std::min(y.count, pilot_members)));
    }
    result_.alpha = std::clamp(rate(mean_fit, greatest_alpha), least_rate, greatest_alpha);
    result_.beta = std::clamp(rate(variance_fit, greatest_beta), least_rate, greatest_beta);

    // few members may show no variance, or too little; half of what the level above lets expect is the least (Giles)
    const double fall = exp2_of(result_.beta), mean_fall = exp2_of(result_.alpha);
    std::vector<double> means(count, 0.0);
    for (std::size_t l = 0; l < count; ++l) {
      MlmcLevel& level = levels_[l];
      level.variance = level.correction.variance();
      means[l] = std::fabs(level.correction.mean);
      if (l < 2) continue;
      const double expected = levels_[l - 1].variance / fall;
      level.variance = level.correction.count < 2 ? expected : std::max(level.variance, expected / 2);
      means[l] = level.correction.count < 2 ? means[l - 1] / mean_fall : std::max(means[l], means[l - 1] / mean_fall / 2);
    }
    result_.bias = 0;
    result_.bias_is_bound = true;
    double shrink = 1 / (mean_fall - 1);
    for (std::size_t l = count - 1; l >= 1 && l + 3 >= count; --l, shrink /= mean_fall) {
      const bool unseen = saw_nothing(l);
      result_.bias = std::max(result_.bias, (unseen ? levels_[l].unseen() : means[l]) * shrink);
      result_.bias_is_bound = result_.bias_is_bound && unseen;
    }
  }

  // (M2), in members to run: some have no value
  std::vector<std::int64_t> wanted() {
    const double allowed = noise_share * request_.rmse;
    double sum = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l) sum += std::sqrt(levels_[l].variance * static_cast<double>(levels_[l].cost));
    needed_ = 0;
    std::vector<std::int64_t> target;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const MlmcLevel& level = levels_[l];
      const CentralSums& y = level.correction;
      double number = std::ceil(std::sqrt(level.variance / static_cast<double>(level.cost)) * sum / (allowed * allowed));
      number = std::max(number, static_cast<double>(l > first_levels ? least_members : pilot_members));
      if (l > 0 && l + 3 >= levels_.size() && saw_nothing(l))
        number = std::max(number, std::ceil(3 / (exp2_of(result_.alpha) - 1) / (bias_share * request_.rmse)));
      // a variance that few members make needs more of them before it is believed: its relative error is sqrt((kurtosis - 1) / n)
      if (y.count >= 2)
        number = std::max(number, std::min(std::ceil((y.kurtosis() - 1) / (uncertain_variance * uncertain_variance)), more_for_kurtosis * number));
      const double members = y.count > 0 ? number * (static_cast<double>(level.members) / static_cast<double>(y.count)) : number;
      needed_ += std::max(members, static_cast<double>(level.members));
      const double next = std::min(members, growth * static_cast<double>(std::max(level.members, pilot_members)));
      target.push_back(std::max(level.members, static_cast<std::int64_t>(std::min(next, 9e15))));
    }
    return target;
  }

  // at most --members-max in all: what is left is shared out in proportion
  bool limit(std::vector<std::int64_t>& target) {
    std::int64_t more = 0;
    for (std::size_t l = 0; l < target.size(); ++l) more += target[l] - levels_[l].members;
    const std::int64_t left = request_.members_max - levels_.members();
    if (more <= left) return true;
    const double share = static_cast<double>(std::max<std::int64_t>(left, 0)) / static_cast<double>(more);
    for (std::size_t l = 0; l < target.size(); ++l) {
      const std::int64_t members = levels_[l].members;
      target[l] = members + static_cast<std::int64_t>(share * static_cast<double>(target[l] - members));
    }
    return false;
  }

  MlmcResult finish() {
    result_.levels = levels_.facts();
    double noise2 = 0;
    std::int64_t all = 0, stopped = 0, without = 0, changed = 0;
    std::vector<std::string> rare;
    result_.estimate = 0;
    const MlmcLevel* known = &result_.levels.front();  // the finest level that knows the variance of the observable to some per cent
    for (std::size_t l = 0; l < result_.levels.size(); ++l) {
      const MlmcLevel& level = result_.levels[l];
      const CentralSums& y = level.correction;
      const auto n = static_cast<double>(y.count);
      result_.estimate += y.mean;
      noise2 += level.variance / n;
      result_.cost += static_cast<double>(level.members) * static_cast<double>(level.cost);
      all += level.members, stopped += level.stopped, without += level.without, changed += level.changed;
      if (level.value.count >= 1000) known = &level;
      const double uncertainty = std::sqrt((y.kurtosis() - 1) / n);
      const bool missed = l > 0 && y.variance() == 0 && level.variance > 0;
      if (missed || uncertainty > uncertain_variance)
        rare.push_back(std::to_string(l) + " (kurtosis " + (missed ? "unknown" : format_short(y.kurtosis(), 3)) + ", " + counted(y.count) + " members)");
    }
    if (!rare.empty())
      result_.notes.push_back("few members make the whole variance of level" + std::string(rare.size() > 1 ? "s " : " ") + join_words(rare) +
                              ": it is known badly, and the standard error may be too small; rare events want a smaller --rmse");
    const CentralSums& coarsest = result_.levels.front().value;
    if (result_.levels.front().whole && coarsest.count > 0 && coarsest.variance() == 0)
      result_.notes.push_back("all of " + counted(coarsest.count) + " members have the value " + format_short(coarsest.mean) + ": what happens to fewer than " +
                              format_short(100 * result_.levels.front().unseen(), 2) + " % of all was perhaps not seen (95 %)");
    if (result_.bias_is_bound)
      result_.notes.push_back("no pair of two steps differs in the last levels, which does not make the bias 0: at 95 % it is below " +
                              format_short(result_.bias, 2) + ", as far as those that differ do so by one");
    result_.standard_error = std::sqrt(noise2);
    const double allowed = noise_share * request_.rmse;
    result_.plain_members = std::max(1.0, std::ceil(known->value.variance() / (allowed * allowed)));
    result_.plain_cost = result_.plain_members * static_cast<double>(result_.levels.back().steps);
    if (stopped > 0)
      result_.notes.push_back(counted(stopped) + " of " + counted(all) + " members stopped and were left out: the answer is the mean of the others");
    if (without > 0)
      result_.notes.push_back(counted(without) + " of " + counted(all) + " members have no finite value of '" + request_.observable +
                              "' and were left out: the answer is the mean over those that have one");
    if (changed > 0)
      result_.notes.push_back(
          counted(changed) +
          " of them have a value at one of their two steps only: which members count changes with the step, and the stated error does not know of it");
    return std::move(result_);
  }

  const MlmcRequest& request_;
  Levels& levels_;
  int levels_max_;
  double needed_ = 0;  // members in all, as far as is known
  MlmcResult result_;
};

}  // namespace

std::int64_t MlmcResult::stopped() const {
  std::int64_t all = 0;
  for (const MlmcLevel& level : levels) all += level.stopped;
  return all;
}

/// The finaliser of SplitMix64 [SteeleLeaFlood2014] is a bijection, so no two levels of a seed share a key; Philox makes independent streams of them.
std::uint64_t level_seed(std::uint64_t seed, int level) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  };
  return mix(mix(seed + 0x9e3779b97f4a7c15) + static_cast<std::uint64_t>(level) + 1);
}

MlmcResult run_mlmc(const Scenario& scenario, const MlmcRequest& request, const MakeExecutor& make, const executor::Watch& watch, const LevelBegins& begins) {
  refuse_sweep(scenario, "mlmc");
  const std::size_t observable = find_observable(scenario, request.observable);
  if (!(request.rmse > 0) || !std::isfinite(request.rmse))
    throw InputError("--rmse: the error asked for must be a number > 0, got " + format_short(request.rmse));
  if (request.levels_max < first_levels)
    throw InputError("--levels-max: at least " + std::to_string(first_levels) + ", so that the rate of convergence shows; got " +
                     std::to_string(request.levels_max));
  constexpr std::int64_t pilots = (first_levels + 1) * pilot_members;
  if (request.members_max < pilots)
    throw InputError("--members-max: at least " + std::to_string(pilots) + ", the pilot members of the first levels; got " +
                     std::to_string(request.members_max));
  const int halvings = most_halvings(scenario, request.steps_max);
  if (halvings < first_levels)
    throw InputError("mlmc halves the step at least twice, and the scenario has " + counted(scenario.steps) + " steps already; begin with a larger --step");
  CS_ASSERT(request.chunk > 0 && request.chunk % statistics::block_members == 0);
  for (const auto& variation : scenario.vary)
    if (variation.distribution.kind == scenario::DistributionKind::table)
      throw InputError("mlmc draws members of its own on every level, and a table has one row a member: give '" +
                       scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] + "' a distribution, or fix it with --set");
  if (request.team != nullptr && !request.team->leads()) {
    const executor::Watch quiet = watch.without_progress();
    Levels(scenario, observable, request, make, quiet, begins).follow();
    return {};
  }
  Levels levels(scenario, observable, request, make, watch, begins);
  return Giles(request, levels, std::min(request.levels_max, halvings)).run();
}

}  // namespace conesweep::ensemble
