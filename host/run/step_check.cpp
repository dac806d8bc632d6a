#include "run/step_check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sampling/sampler.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"
#include "support/text.hpp"

namespace conesweep::runs {
namespace {

using executor::Outcome;
using executor::Status;

constexpr double least_share = 0.01;     // of |mean| or deviation: what is worth a warning
constexpr double least_ratio = 2;        // to the sampling error
constexpr double significance = 2;       // standard errors of the difference
constexpr double vanishing_share = 0.1;  // of a mean that is left in the limit

bool has_value(const Outcome& outcome, std::size_t observable, std::size_t m) {
  return outcome.status[m] == Status::ok && std::isfinite(outcome.observables[observable][m]);
}

bool is_whole(double x) { return x == std::floor(x); }

void judge(StepError& error, const MeanEstimate& mean, int most) {
  error.sampling_error = mean.standard_error;
  const double scale = std::max(std::fabs(mean.mean), mean.standard_deviation);
  const double noise = std::isnan(mean.standard_error) ? 0 : mean.standard_error;
  const double allowed = std::max(least_ratio * noise, least_share * scale);
  error.vanishes =
      error.name == to_name(scenario::Standard::penetration) || std::fabs(mean.mean - 2 * error.difference) < vanishing_share * std::fabs(mean.mean);
  error.is_large = !error.vanishes && error.step_error > allowed && std::fabs(error.difference) > significance * error.difference_error;  // false with NaN
  double left = error.step_error;
  for (error.halvings = 0; error.is_large && left > allowed && error.halvings < most; left /= 2) ++error.halvings;
}

}  // namespace

std::vector<std::int64_t> spread_members(std::int64_t members) {
  const std::int64_t count = std::min(step_check_members, members);
  std::vector<std::int64_t> spread;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t first = k * members / count, last = (k + 1) * members / count;
    const double turns = static_cast<double>(k) * std::numbers::phi;
    spread.push_back(first + static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(last - first)));
  }
  return spread;
}

Outcome run_spread(const scenario::Scenario& scenario, const MakeExecutor& make, const executor::Watch& watch) {
  const auto members = spread_members(scenario.ensemble.members);
  return make(scenario)->run({0, static_cast<std::int64_t>(members.size()), sampling::draw(scenario, members)}, watch);
}

Outcome run_at_half_step(const scenario::Scenario& scenario, const MakeExecutor& make, const executor::Watch& watch) {
  return run_spread(refine(scenario, 1), make, watch);
}

StepCheck compare_steps(const scenario::Scenario& scenario, const Outcome& at_h, const Outcome& at_half, std::span<const MeanEstimate> means) {
  const auto names = observable_names(scenario);
  const std::size_t members = at_half.status.size();
  CS_ASSERT(members <= static_cast<std::size_t>(step_check_members) && at_h.status.size() == members);
  CS_ASSERT(at_h.observables.size() == names.size() && at_half.observables.size() == names.size() && means.size() == names.size());
  StepCheck check;
  check.members = static_cast<std::int64_t>(members);
  check.step = scenario.h();
  int halvings = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    StepError error;
    error.name = names[k];
    std::vector<double> differences(members, nan);
    bool same = may_count(scenario, k);  // whole numbers, and no pair differs
    for (std::size_t m = 0; m < members; ++m) {
      const bool before = has_value(at_h, k, m), after = has_value(at_half, k, m);
      if (before && after) {
        differences[m] = at_h.observables[k][m] - at_half.observables[k][m];
        same = same && differences[m] == 0 && is_whole(at_h.observables[k][m]);
      }
      if (before != after) ++error.changed;
    }
    const auto sums = statistics::block_moments(differences, std::vector<Status>(members, Status::ok));
    const auto n = static_cast<double>(sums.count);
    error.compared = sums.count;
    error.difference = sums.count > 0 ? sums.mean : nan;
    error.difference_error = sums.count > 1 ? std::sqrt(sums.squares / (n - 1) / n) : nan;
    error.step_error = 2 * std::fabs(error.difference);
    error.at_most = same && sums.count > 0 ? 2 * 3 / n : nan;
    judge(error, means[k], most_halvings(scenario));
    halvings = std::max(halvings, error.halvings);
    check.observables.push_back(std::move(error));
  }
  check.advised_step = halvings > 0 ? readable_step(scenario, halvings) : scenario.h();
  return check;
}

StepCheck check_step(const scenario::Scenario& scenario, const Outcome& at_h, std::span<const MeanEstimate> means, const MakeExecutor& make,
                     const executor::Watch& watch) {
  if (most_halvings(scenario) == 0) return {.members = 0, .step = scenario.h(), .observables = {}, .advised_step = scenario.h()};
  return compare_steps(scenario, at_h, run_at_half_step(scenario, make, watch), means);
}

std::string join_few(std::vector<std::string> names) {
  constexpr std::size_t shown = 3;
  if (names.size() > shown + 1) {
    const std::string more = std::to_string(names.size() - shown) + " more";
    names.resize(shown);
    names.push_back(more);
  }
  return join_words(names);
}

std::string step_warning(const StepCheck& check) {
  // the worst one with its numbers, the others by name
  const StepError* worst = nullptr;
  std::vector<std::string> others;
  for (const StepError& error : check.observables)
    if (error.is_large && (worst == nullptr || error.halvings > worst->halvings)) worst = &error;
  if (worst == nullptr) return {};
  for (const StepError& error : check.observables)
    if (error.is_large && &error != worst) others.push_back(error.name);
  return "the step is large for " + worst->name + ": halving it moves the mean by " + format_short(-worst->difference, 2) + " (± " +
         format_short(worst->difference_error, 2) + "), so the step costs about " + format_short(worst->step_error, 2) + " where sampling costs " +
         format_short(worst->sampling_error, 2) + (others.empty() ? "" : "; also for " + join_few(others)) + "; try --step " +
         format_number(check.advised_step);
}

}  // namespace conesweep::runs
