#include "ensemble/mlmc.hpp"

#include <algorithm>
#include <cmath>

#include "ensemble/line_fit.hpp"
#include "ensemble/mlmc_levels.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::ensemble {
namespace {

using scenario::Scenario;
using statistics::CentralSums;
using statistics::rule_of_three;

constexpr int first_levels = 2;              // levels 0, 1, 2 are always there: a rate needs two corrections
constexpr std::int64_t pilot_members = 128;  // on each of them, to begin with
constexpr std::int64_t least_members = 32;   // on a level that comes later: its variance is extrapolated as well
constexpr std::int64_t most_tried = 1024;    // members of a level to find two that have a value
constexpr double more_for_kurtosis = 2;      // times as many as (M2) wants, where few members make the variance
constexpr double growth = 8;                 // of a level in one round: a variance from few members may be far off
constexpr double slack = 1.01;               // numbers of members this close to the wanted ones will do (Giles)
constexpr double least_rate = 0.5;           // of alpha and beta (Giles)
// alpha is taken as fitted, up to the scheme's order; as 1 while nothing is fitted
// of beta no more is relied on: a level that happened to see no rare event looks like a fast fall
constexpr double greatest_beta = 2;
constexpr double uncertain_variance = 0.5;  // relative standard error of a variance that is worth a warning

/// The algorithm: what is decided between two rounds.
class Giles {
 public:
  Giles(const MlmcRequest& request, MlmcLevels& levels, int levels_max, int order)
      : request_(request), levels_(levels), levels_max_(levels_max), order_(order) {}

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
      for (std::size_t l = 0; l < target.size(); ++l)
        more = more || static_cast<double>(target[l]) > slack * static_cast<double>(levels_[l].members);
      if (more) continue;
      if (result_.bias <= bias_share * request_.rmse) break;
      if (static_cast<int>(levels_.size()) > levels_max_) {
        result_.reached = false;
        result_.notes.push_back("the bias, about " + format_short(result_.bias, 2) + ", is still above " +
                                format_short(bias_share * request_.rmse, 2) +
                                ", a quarter of the rmse asked for, at level " + std::to_string(levels_max_) + "; " +
                                (levels_max_ < request_.levels_max ? "a finer level would have too many steps"
                                                                   : "allow more with " + setting::levels_max) +
                                ", begin with a smaller " + setting::step + ", or ask for less");
        break;
      }
      levels_.add();
      estimate();
      target = wanted();
    }
    if (!enough_members) {
      result_.reached = false;
      result_.notes.push_back("the rmse asked for needs about " + format_short(needed_, 2) + " members, and " +
                              setting::members_max + " allows " + counted(request_.members_max) +
                              "; the answer stands with the error it has");
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
        throw InputError(
            "'" + request_.observable + "' has a value in " + std::to_string(level.correction.count) + " of " +
            counted(level.members) + " members at step " + format_short(level.step) +
            (level.stopped > level.members / 2
                 ? "; most members stopped: conesweep run tells why"
                 : ": the event it waits for never came; choose another observable or a later [time] end"));
      target[l] = std::min(most_tried, 8 * level.members);
      more = true;
    }
    return more;
  }

  // (M5) of n members of level 0; 0 where the variance that is seen can be believed
  double unseen_variance(double members) {
    const MlmcLevel& level = levels_[0];
    const bool may_miss = level.whole || (levels_.draws() && level.value.variance() == 0);
    const double error = rule_of_three / members / 2;
    return may_miss ? members * error * error : 0;
  }

  // (M4), and the variances that (M2) goes by
  void estimate() {
    const std::size_t count = levels_.size();
    LineFit mean_fit, variance_fit;  // log2 over levels
    const auto see = [](LineFit& fit, std::size_t l, double y, double weight) {
      if (y > 0 && weight > 0) fit.see(static_cast<double>(l), log2_of(y), weight);
    };
    const auto rate = [](const LineFit& fit, double otherwise) {
      return fit.is_determined() ? -fit.slope() : otherwise;
    };
    for (std::size_t l = 1; l < count; ++l) {
      const CentralSums& y = levels_[l].correction;
      if (y.count < 2) continue;
      const double error2 = y.variance() / static_cast<double>(y.count);
      // 1e-4: a mean known to 1 % is known
      if (y.mean != 0) see(mean_fit, l, std::fabs(y.mean), 1 / (error2 / (y.mean * y.mean) + 1e-4));
      see(variance_fit, l, y.variance(), static_cast<double>(std::min(y.count, pilot_members)));
    }
    result_.alpha = std::clamp(rate(mean_fit, 1), least_rate, static_cast<double>(order_));
    result_.beta = std::clamp(rate(variance_fit, greatest_beta), least_rate, greatest_beta);

    // few members may show no variance, or too little; half of what the level above lets expect is the least (Giles)
    const double fall = exp2_of(result_.beta), mean_fall = exp2_of(result_.alpha);
    std::vector<double> means(count, 0.0);
    for (std::size_t l = 0; l < count; ++l) {
      MlmcLevel& level = levels_[l];
      level.variance = level.correction.variance();
      if (l == 0)
        level.variance =
            std::max(level.variance,
                     unseen_variance(std::max(rule_of_three / request_.rmse, static_cast<double>(level.members))));
      means[l] = std::fabs(level.correction.mean);
      if (l < 2) continue;
      const double expected = levels_[l - 1].variance / fall;
      level.variance = level.correction.count < 2 ? expected : std::max(level.variance, expected / 2);
      means[l] =
          level.correction.count < 2 ? means[l - 1] / mean_fall : std::max(means[l], means[l - 1] / mean_fall / 2);
    }
    result_.bias = 0;
    result_.bias_is_bound = true;
    double shrink = 1 / (mean_fall - 1);
    for (std::size_t l = count - 1; l >= 1 && l + 3 >= count; --l, shrink /= mean_fall) {
      const bool unseen = levels_[l].saw_nothing();
      result_.bias = std::max(result_.bias, (unseen ? levels_[l].unseen() : means[l]) * shrink);
      result_.bias_is_bound = result_.bias_is_bound && unseen;
    }
  }

  // (M2), in members to run: some have no value
  std::vector<std::int64_t> wanted() {
    const double allowed = noise_share * request_.rmse;
    double sum = 0;
    for (std::size_t l = 0; l < levels_.size(); ++l)
      sum += std::sqrt(levels_[l].variance * static_cast<double>(levels_[l].cost));
    needed_ = 0;
    std::vector<std::int64_t> target;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const MlmcLevel& level = levels_[l];
      const CentralSums& y = level.correction;
      double number =
          std::ceil(std::sqrt(level.variance / static_cast<double>(level.cost)) * sum / (allowed * allowed));
      number = std::max(number, static_cast<double>(l > first_levels ? least_members : pilot_members));
      if (l > 0 && l + 3 >= levels_.size() && levels_[l].saw_nothing())
        number =
            std::max(number, std::ceil(rule_of_three / (exp2_of(result_.alpha) - 1) / (bias_share * request_.rmse)));
      // a variance that few members make needs more of them before it is believed: its relative error is sqrt((kurtosis
      // - 1) / n)
      if (y.count >= 2)
        number = std::max(number, std::min(std::ceil((y.kurtosis() - 1) / (uncertain_variance * uncertain_variance)),
                                           more_for_kurtosis * number));
      const double members =
          y.count > 0 ? number * (static_cast<double>(level.members) / static_cast<double>(y.count)) : number;
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
    // the finest level that knows the variance of the observable to some per cent
    const MlmcLevel* known = &result_.levels.front();
    for (std::size_t l = 0; l < result_.levels.size(); ++l) {
      const MlmcLevel& level = result_.levels[l];
      const CentralSums& y = level.correction;
      const auto n = static_cast<double>(y.count);
      result_.estimate += y.mean;
      noise2 += (l == 0 ? std::max(y.variance(), unseen_variance(n)) : level.variance) / n;
      result_.cost += static_cast<double>(level.members) * static_cast<double>(level.cost);
      all += level.members, stopped += level.stopped, without += level.without, changed += level.changed;
      if (level.value.count >= 1000) known = &level;
      const double uncertainty = std::sqrt((y.kurtosis() - 1) / n);
      const bool missed = l > 0 && y.variance() == 0 && level.variance > 0;
      if (missed || uncertainty > uncertain_variance)
        rare.push_back(std::to_string(l) + " (kurtosis " + (missed ? "unknown" : format_short(y.kurtosis(), 3)) + ", " +
                       counted(y.count) + " members)");
    }
    if (!rare.empty())
      result_.notes.push_back(
          "few members make the whole variance of level" + std::string(rare.size() > 1 ? "s " : " ") +
          join_words(rare) +
          ": it is known badly, and the standard error may be too small; rare events want a smaller " + setting::rmse);
    const CentralSums& coarsest = result_.levels.front().value;
    result_.error_is_bound = levels_.draws() && coarsest.variance() == 0;
    if (result_.error_is_bound)
      result_.notes.push_back("all of " + counted(coarsest.count) + " members have the value " +
                              format_short(coarsest.mean) + ": what happens to fewer than " +
                              format_short(100 * result_.levels.front().unseen(), 2) +
                              " % of all was perhaps not seen (95 %)");
    if (result_.bias_is_bound)
      result_.notes.push_back(
          "no pair of two steps differs in the last levels, which does not make the bias 0: at 95 % it is below " +
          format_short(result_.bias, 2) + ", as far as those that differ do so by one");
    result_.standard_error = std::sqrt(noise2);
    const double allowed = noise_share * request_.rmse;
    result_.plain_members =
        std::max(1.0, std::ceil(std::max(known->value.variance(), unseen_variance(rule_of_three / request_.rmse)) /
                                (allowed * allowed)));
    result_.plain_cost = result_.plain_members * static_cast<double>(result_.levels.back().steps);
    if (stopped > 0)
      result_.notes.push_back(counted(stopped) + " of " + counted(all) +
                              " members stopped and were left out: the answer is the mean of the others");
    if (without > 0)
      result_.notes.push_back(counted(without) + " of " + counted(all) + " members have no finite value of '" +
                              request_.observable +
                              "' and were left out: the answer is the mean over those that have one");
    if (changed > 0)
      result_.notes.push_back(counted(changed) +
                              " of them have a value at one of their two steps only: which members count changes with "
                              "the step, and the stated error does not know of it");
    return std::move(result_);
  }

  const MlmcRequest& request_;
  MlmcLevels& levels_;
  int levels_max_;
  int order_;          // of the scheme
  double needed_ = 0;  // members in all, as far as is known
  MlmcResult result_;
};

}  // namespace

std::int64_t MlmcResult::stopped() const {
  std::int64_t all = 0;
  for (const MlmcLevel& level : levels) all += level.stopped;
  return all;
}

MlmcResult run_mlmc(const Scenario& scenario, const MlmcRequest& request, const MakeModel& make,
                    const executor::Watch& watch, const LevelBegins& begins) {
  refuse_sweep(scenario, "mlmc");
  const std::size_t observable = find_observable(scenario, request.observable);
  if (!(request.rmse > 0) || !std::isfinite(request.rmse))
    throw InputError(about(setting::rmse) + "the error asked for must be a number > 0, got " +
                     format_short(request.rmse));
  if (request.levels_max < first_levels)
    throw InputError(about(setting::levels_max) + "at least " + std::to_string(first_levels) +
                     ", so that the rate of convergence shows; got " + std::to_string(request.levels_max));
  constexpr std::int64_t pilots = (first_levels + 1) * pilot_members;
  if (request.members_max < pilots)
    throw InputError(about(setting::members_max) + "at least " + std::to_string(pilots) +
                     ", the pilot members of the first levels; got " + std::to_string(request.members_max));
  const int halvings = most_halvings(scenario, request.steps_max);
  if (halvings < first_levels)
    throw InputError("mlmc halves the step at least twice, and the scenario has " + counted(scenario.steps) +
                     " steps already; begin with a larger " + setting::step);
  CS_ASSERT(request.chunk > 0 && request.chunk % statistics::block_members == 0);
  for (const auto& variation : scenario.vary)
    if (variation.distribution.kind == scenario::DistributionKind::table)
      throw InputError("mlmc draws members of its own on every level, and a table has one row a member: give '" +
                       scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] +
                       "' a distribution, or fix it with " + setting::set);
  if (request.team != nullptr && !request.team->leads()) {
    const executor::Watch quiet = watch.without_progress();
    MlmcLevels(scenario, observable, request, make, {quiet, begins}).follow();
    return {};
  }
  MlmcLevels levels(scenario, observable, request, make, {watch, begins});
  return Giles(request, levels, std::min(request.levels_max, halvings), scenario.order).run();
}

}  // namespace conesweep::ensemble
