#include "ensemble/converge.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "ensemble/line_fit.hpp"
#include "ensemble/shared_pieces.hpp"
#include "sampling/sampler.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"
#include "tell/summary.hpp"

namespace conesweep::ensemble {
namespace {

using executor::Outcome;
using executor::Status;
using scenario::Scenario;

constexpr double significance = 2;  // standard errors: a difference below drowns in noise
constexpr double trusted_order_error = 0.25;
constexpr double least_order = 0.5;
constexpr double vanishing_share = 0.1;  // of a value that is left in the limit

// One level in memory: the wanted columns, NaN where a member stopped.
struct LevelColumns {
  std::vector<std::vector<double>> values;  // [wanted observable][member]
  std::vector<Status> status;
};

}  // namespace

std::string_view to_name(Dominates dominates) {
  switch (dominates) {
    case Dominates::step: return "step";
    case Dominates::sampling: return "sampling";
    case Dominates::neither: break;
  }
  return "neither";
}

void check_levels(int levels) {
  if (levels < 2) throw InputError(about(setting::levels) + "at least 2, got " + std::to_string(levels));
}

double rounding_of(executor::Precision precision) { return precision == executor::Precision::single ? 1e-5 : 1e-12; }

std::unique_ptr<executor::Model> make_level_model(const std::string& backend, const Scenario& scenario, int levels,
                                                  executor::Options execution, std::string& reason) {
  executor::demand_countable_steps(execution.precision, scenario::refine(scenario, levels - 1));
  const double steps = static_cast<double>(scenario.steps) * static_cast<double>((std::int64_t{1} << levels) - 1);
  execution.work = static_cast<double>(scenario.ensemble.members) * steps;
  return executor::make_model(backend, scenario, varying_parameters(scenario), execution, reason);
}

void judge(ConvergeLine& line, double rounding) {
  const std::size_t count = line.differences.size();
  double scale = 0;
  for (const double value : line.values) scale = std::max(scale, std::fabs(value));

  // a difference is there if it is more than its noise and more than rounding
  std::vector<double> noise(count);
  const auto is_there = [&](std::size_t k) { return std::fabs(line.differences[k]) > significance * noise[k]; };
  for (std::size_t k = 0; k < count; ++k) noise[k] = std::max(line.difference_errors[k], rounding * scale);
  const double sampling_error = line.sampled ? line.sampling_error : 0;
  // error of log2 |d|
  const auto relative = [&](std::size_t k) { return noise[k] / std::fabs(line.differences[k]) / std::numbers::ln2; };

  line.orders.assign(count > 0 ? count - 1 : 0, nan);
  line.order_errors = line.orders;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const double ratio = line.differences[k] / line.differences[k + 1];
    if (!is_there(k) || !is_there(k + 1) || !(ratio > 0)) continue;
    line.orders[k] = log2_of(ratio);
    line.order_errors[k] = std::sqrt(relative(k) * relative(k) + relative(k + 1) * relative(k + 1));
  }

  // the straight line through log2 |d|, while differences are there and keep their sign
  std::size_t used = 0;
  while (used < count && is_there(used) && (used == 0 || (line.differences[used] > 0) == (line.differences[0] > 0)))
    ++used;
  line.order = line.order_error = nan;
  if (used >= 2) {
    LineFit fit;
    const auto weight = [&](std::size_t k) {
      return 1 / (relative(k) * relative(k) + 1e-6);
    };  // no difference is worth more than three digits: orders change with h
    const auto log_of = [&](std::size_t k) { return log2_of(std::fabs(line.differences[k])); };
    for (std::size_t k = 0; k < used; ++k) fit.see(static_cast<double>(k), log_of(k), weight(k));
    double scatter = 0;  // where the points miss the line by more than their noise, that is the error
    for (std::size_t k = 0; k < used; ++k) {
      const double miss = fit.miss(static_cast<double>(k), log_of(k));
      scatter += weight(k) * miss * miss;
    }
    if (used > 2) scatter /= static_cast<double>(used - 2);
    line.order = -fit.slope_about_means();
    line.order_error = std::sqrt(std::max(1.0, scatter) / fit.spread());
  }

  // (L7)
  const bool trusted = line.order_error <= trusted_order_error && line.order >= least_order;
  double error = 0;
  for (const double difference : line.differences) error += difference;
  if (count > 0) error += line.differences.back() / (trusted ? exp2_of(line.order) - 1 : 1);
  line.step_error = std::fabs(error);
  line.limit = line.values.front() - error;
  if (line.step_error <= rounding * scale) line.step_error = 0;
  line.dominates = line.step_error > sampling_error ? Dominates::step
                   : sampling_error > 0             ? Dominates::sampling
                                                    : Dominates::neither;
  if (line.at_most < line.step_error) line.at_most = line.step_error;      // false with NaN
  if (line.at_most > sampling_error) line.dominates = Dominates::neither;  // not known; false with NaN
}

namespace {

// One level's members, in pieces that any rank can step.
class LevelPieces {
 public:
  LevelPieces(const Scenario& scenario, const ConvergeRequest& request, const executor::Watch& watch)
      : scenario_(scenario), request_(request), watch_(watch) {}

  std::int64_t first_of(std::int64_t piece) const { return piece * chunk; }
  std::int64_t count() const { return (scenario_.ensemble.members + chunk - 1) / chunk; }

  Outcomes step(const executor::Model& model, const scenario::Setup& level, std::int64_t piece) const {
    const std::int64_t first = first_of(piece), members = std::min(chunk, scenario_.ensemble.members - first);
    Outcomes outcomes;
    outcomes.push_back(model.run(
        level, {{scenario_, first, members}, sampling::draw(scenario_, first, members, request_.threads)}, watch_));
    return outcomes;
  }

  std::int64_t chunk = 1;

 private:
  const Scenario& scenario_;
  const ConvergeRequest& request_;
  const executor::Watch& watch_;
};

/// The leader's words: level l, in pieces of so many members.
struct LevelJob {
  int level;
  std::int64_t chunk;
};

void follow_levels(const Scenario& scenario, const ConvergeRequest& request, const MakeModel& make,
                   const executor::Watch& watch) {
  LevelPieces pieces(scenario, request, watch);
  std::unique_ptr<executor::Model> model;
  while (const auto words = request.team->hear()) {
    const auto job = ByteReader(*words).get<LevelJob>();
    if (model == nullptr) model = make(scenario);
    const scenario::Setup level = refine(scenario, job.level);
    pieces.chunk = job.chunk;
    follow_pieces(*request.team, pieces.count(), [&](std::int64_t piece) { return pieces.step(*model, level, piece); });
  }
}

// Observables that are compared: those that were asked for, or all.
std::vector<std::size_t> find_wanted(const Scenario& scenario, const ConvergeRequest& request) {
  std::vector<std::size_t> wanted;
  for (const std::string& name : request.observables) wanted.push_back(find_observable(scenario, name));
  const std::size_t all = observable_names(scenario).size();
  for (std::size_t k = 0; request.observables.empty() && k < all; ++k) wanted.push_back(k);
  return wanted;
}

/// Levels, one after the other: steps all members of one, and makes its statistics beside those of the level before.
class LevelByLevel {
 public:
  LevelByLevel(const Scenario& scenario, const ConvergeRequest& request, const executor::Watch& watch)
      : scenario_(scenario),
        request_(request),
        watch_(watch),
        names_(observable_names(scenario)),
        wanted_(find_wanted(scenario, request)),
        draws_(tell::ensemble_draws(scenario)),
        lines_(wanted_.size()),
        pieces_(scenario, request, watch) {
    result_.members = scenario.ensemble.members;
  }

  void see(const executor::Model& model, int l, const scenario::Setup& level) {
    LevelColumns now = step(model, l, level);
    share_work(static_cast<std::int64_t>(wanted_.size()), request_.threads, [&](std::int64_t k) {
      if (watch_.stopped()) throw Interrupted();
      compare(static_cast<std::size_t>(k), l, now);
    });
    before_ = std::move(now);
  }

  Convergence finish() {
    for (auto& observable : lines_) {
      const auto& deviations = observable[1].values;
      const bool constant = std::all_of(deviations.begin(), deviations.end(), [](double d) { return !(d > 0); });
      for (auto& line : observable) {
        if (constant && line.statistic != Statistic::mean) continue;
        judge(line, request_.rounding);
        result_.lines.push_back(std::move(line));
      }
    }
    return std::move(result_);
  }

 private:
  // all members of a level
  LevelColumns step(const executor::Model& model, int l, const scenario::Setup& level) {
    ConvergeLevel facts;
    facts.step = level.h(), facts.steps = level.steps;
    const auto members = static_cast<std::size_t>(result_.members);
    LevelColumns now;
    now.values.assign(wanted_.size(), std::vector<double>(members, nan));
    now.status.reserve(members);
    const auto start = std::chrono::steady_clock::now();
    pieces_.chunk = choose_piece(request_.team, model, request_.chunk, result_.members, level.steps);
    const auto keep = [&](std::int64_t piece, const Outcomes& outcomes) {
      const Outcome& outcome = outcomes.front();
      const auto first = static_cast<std::size_t>(pieces_.first_of(piece));
      for (std::size_t k = 0; k < wanted_.size(); ++k)
        for (std::size_t m = 0; m < outcome.status.size(); ++m)
          if (outcome.status[m] == Status::ok) now.values[k][first + m] = outcome.observables[wanted_[k]][m];
      now.status.insert(now.status.end(), outcome.status.begin(), outcome.status.end());
    };
    lead_pieces(request_.team, ByteWriter().put(LevelJob{l, pieces_.chunk}).take(), pieces_.count(),
                [&](std::int64_t piece) { return pieces_.step(model, level, piece); }, {keep, watch_.finished});
    facts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    facts.stopped = static_cast<std::int64_t>(
        std::count_if(now.status.begin(), now.status.end(), [](Status s) { return s != Status::ok; }));
    if (l > 0)
      for (std::size_t m = 0; m < members; ++m)
        result_.levels.back().changed += (before_.status[m] == Status::ok) != (now.status[m] == Status::ok) ? 1 : 0;
    result_.levels.push_back(facts);
    return now;
  }

  // an observable's statistics, and what changed from the level before; observables are independent of each other
  void compare(std::size_t k, int l, const LevelColumns& now) {
    const Statistics here = compute_statistics(now.values[k], draws_.error);
    PairedDifferences apart;
    if (l > 0) apart = compare_pairs(before_.values[k], now.values[k], draws_.error);
    for (std::size_t s = 0; s < statistic_count; ++s) {
      ConvergeLine& line = lines_[k][s];
      line.observable = names_[wanted_[k]];
      line.statistic = static_cast<Statistic>(s);
      line.values.push_back(here.value[s]);
      line.sampled = draws_.sampled;
      if (l == 0) {
        line.sampling_error = here.error[s];
        continue;
      }
      line.differences.push_back(apart.difference[s]);
      line.difference_errors.push_back(draws_.sampled ? apart.error[s] : 0);  // 0: they are what they are
      if (line.statistic == Statistic::mean && apart.whole && may_count(scenario_, wanted_[k]) && apart.count > 0)
        line.see_pairs(apart, l == 1);
    }
  }

  const Scenario& scenario_;
  const ConvergeRequest& request_;
  const executor::Watch& watch_;
  std::vector<std::string> names_;
  std::vector<std::size_t> wanted_;
  tell::Draws draws_;
  std::vector<std::array<ConvergeLine, statistic_count>> lines_;  // [wanted observable]
  LevelPieces pieces_;
  LevelColumns before_;  // of the level before
  Convergence result_;
};

}  // namespace

Convergence run_converge(const Scenario& scenario, const ConvergeRequest& request, const MakeModel& make,
                         const executor::Watch& watch, const ConvergeBegins& begins) {
  CS_ASSERT(request.levels >= 2 && request.chunk > 0);
  refuse_sweep(scenario, "converge");
  LevelByLevel levels(scenario, request, watch);
  const int most = most_halvings(scenario) + 1;
  if (request.levels > most)
    throw InputError(about(setting::levels) + std::to_string(request.levels) + " levels would make more than " +
                     counted(most_steps) + " steps; at most " + std::to_string(most) + " are possible");

  if (request.team != nullptr && !request.team->leads()) {
    follow_levels(scenario, request, make, watch.without_progress());
    return {};
  }
  const auto model = make(scenario);
  for (int l = 0; l < request.levels; ++l) {
    const scenario::Setup level = refine(scenario, l);
    if (begins) begins(l, scenario.ensemble.members, level.steps);
    levels.see(*model, l, level);
  }
  return levels.finish();
}

namespace {

bool is_vanishing(const ConvergeLine& line) {
  return std::fabs(line.limit) < vanishing_share * std::fabs(line.values.front());
}

// Of a grid: there is no sampling error to compare with.
std::string advice_on_grid(const Convergence& convergence) {
  const ConvergeLine* worst = nullptr;
  const auto share = [](const ConvergeLine& line) { return line.step_error / std::fabs(line.values.front()); };
  for (const ConvergeLine& line : convergence.lines)
    if (share(line) > 0 && !is_vanishing(line) && (worst == nullptr || share(line) > share(*worst))) worst = &line;
  if (worst == nullptr) return "A grid draws nothing, and the step costs nothing that shows.";
  return "A grid draws nothing: the step is the only error, most of all of " + worst->observable + ", " +
         std::string(to_name(worst->statistic)) + ": " + format_short(worst->step_error, 2) + " of " +
         format_short(worst->values.front(), 3) + ".";
}

}  // namespace

Sentence converge_advice(const Scenario& scenario, const Convergence& convergence) {
  const ConvergeLine* worst = nullptr;     // the step's error is the largest share of the sampling's
  const ConvergeLine* tightest = nullptr;  // among those where sampling dominates, the nearest to the step's
  std::int64_t step = 0, all = 0;
  bool vanishing = false;
  const auto ratio = [](const ConvergeLine& line) { return line.step_error / line.sampling_error; };
  for (const ConvergeLine& line : convergence.lines) {
    if (line.dominates == Dominates::neither || !(line.sampling_error > 0)) continue;
    if (is_vanishing(line)) {
      vanishing = true;
      continue;
    }
    ++all;
    if (line.dominates == Dominates::step) ++step;
    const ConvergeLine*& place = line.dominates == Dominates::step ? worst : tightest;
    if (place == nullptr || ratio(line) > ratio(*place)) place = &line;
  }
  const auto describe = [](const ConvergeLine& line) {
    return line.observable + ", " + std::string(to_name(line.statistic)) + ": step " +
           format_short(line.step_error, 2) + ", sampling " + format_short(line.sampling_error, 2);
  };
  const auto has_value = [](const ConvergeLine& line) {
    return std::any_of(line.values.begin(), line.values.end(), [](double x) { return x == x; });
  };
  if (std::none_of(convergence.lines.begin(), convergence.lines.end(), has_value))
    return "No member has a value: all stopped, or the event never came.";
  if (scenario.ensemble.sampler == scenario::Sampler::grid) return advice_on_grid(convergence);
  if (all == 0) return "Nothing varies between members but what vanishes with the step: the step is the only error.";
  if (worst != nullptr) {
    const bool trusted = worst->order_error <= trusted_order_error && worst->order >= least_order;
    int halvings = 1;
    while (ratio(*worst) > exp2_of(halvings * (trusted ? worst->order : 1)) && halvings < most_halvings(scenario))
      ++halvings;
    return "The step dominates " + counted(step) + " of " + counted(all) + " statistics, most of all " +
           describe(*worst) + "; " + setting::step(format_number(readable_step(scenario, halvings))) +
           " would bring it below the sampling error.";
  }
  const std::string which = counted(all) + " statistics" + (vanishing ? " that do not vanish with the step" : "");
  if (!(tightest->step_error > 0)) return "Sampling dominates everywhere, and the step costs nothing that shows.";
  const double more = ratio(*tightest) > 0 ? 1 / (ratio(*tightest) * ratio(*tightest)) : 1;
  return "Sampling dominates all " + which + ". The nearest is " + describe(*tightest) +
         "; with this step, up to about " + format_short(more * static_cast<double>(convergence.members), 2) +
         " members are worth running before the step dominates.";
}

}  // namespace conesweep::ensemble
