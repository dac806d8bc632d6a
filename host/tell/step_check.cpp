#include "tell/step_check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenario/refine.hpp"
#include "statistics/central_sums.hpp"
#include "statistics/rare.hpp"
#include "statistics/statistics.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"
#include "support/text.hpp"

namespace conesweep::tell {
namespace {

using executor::Outcome;
using executor::Status;

constexpr double least_share = 0.01;      // of |mean| or deviation: what is worth a warning
constexpr double least_ratio = 2;         // to the sampling error
constexpr double significance = 2;        // standard errors of the difference
constexpr double rounding_share = 1e-12;  // of the largest mean: what some thousand steps round
constexpr double vanishing_share = 0.1;   // of a mean that is left in the limit

bool has_value(const Outcome& outcome, std::size_t observable, std::size_t m) {
  return outcome.status[m] == Status::ok && std::isfinite(outcome.observables[observable][m]);
}

bool is_whole(double x) { return x == std::floor(x); }

// (L2) what is left at h of what halving it changes; values that jump do so at order one, whatever the scheme
double left_of_change(int order) { return order == 2 ? 4.0 / 3 : 2; }

void judge(StepError& error, const MeanEstimate& mean, double rounding, int most) {
  error.sampling_error = mean.standard_error;
  const double scale = std::isnan(mean.standard_deviation) ? std::fabs(mean.mean)
                                                           : std::max(std::fabs(mean.mean), mean.standard_deviation);
  const double noise = std::isnan(mean.standard_error) ? 0 : mean.standard_error;
  const double allowed = std::max(least_ratio * noise, least_share * scale);
  error.vanishes =
      error.name == to_name(scenario::Standard::penetration) ||
      std::fabs(mean.mean - std::copysign(error.step_error, error.difference)) < vanishing_share * std::fabs(mean.mean);
  const bool is_there = error.compared == 1 ? error.step_error > rounding
                                            : std::fabs(error.difference) > significance * error.difference_error;
  error.is_large = !error.vanishes && error.step_error > allowed && is_there;  // false with NaN
  double left = error.step_error;
  for (error.halvings = 0; error.is_large && left > allowed && error.halvings < most; left /= 2 * error.order)
    ++error.halvings;
}

// Of the differences of the pairs that both have a value, NaN for the others: their mean, its error, and the bound
// where they jump.
void measure(StepError& error, const std::vector<double>& differences, bool whole, int order) {
  const auto sums = statistics::block_moments(differences, std::vector<Status>(differences.size(), Status::ok));
  const auto n = static_cast<double>(sums.count);
  error.compared = sums.count;
  error.difference = sums.count > 0 ? sums.mean : nan;
  error.difference_error = sums.count > 1 ? std::sqrt(sums.squares / (n - 1) / n) : nan;
  error.order = whole ? 1 : order;
  error.step_error = left_of_change(error.order) * std::fabs(error.difference);
  error.at_most = nan;
  if (sums.count == 0) return;
  double differ = 0, largest = 0;
  for (const double d : differences)
    if (d == d && d != 0) differ += 1, largest = std::max(largest, std::fabs(d));
  const double kurtosis = statistics::sum_block(differences).kurtosis();
  const bool is_alone = sums.count == 1 && differ > 0;  // one pair that differs says nothing of others
  const bool few =
      whole ? differ < statistics::few_jumps : kurtosis > statistics::few_jumps && n / kurtosis < statistics::few_jumps;
  if (few && !is_alone)
    error.at_most = 2 * statistics::bound_of_jumps(error.difference, error.difference_error, whole ? 1 : largest, n);
}

// What an ensemble's mean is, of marks 0 and 1.
MeanEstimate mean_of(const keep::ClassCount& one) {
  return {one.share, std::sqrt(one.share * (1 - one.share)), one.has_interval ? one.interval.half_width() / 2 : nan};
}

// Every member is of a class, be it that of its status.
std::vector<StepError> compare_classes(const scenario::Scenario& scenario, const keep::SomeMembers& at_h,
                                       const Outcome& at_half, std::span<const keep::ClassCount> classes) {
  const auto classify = [&](const Outcome& outcome) {
    return keep::classify(scenario, {[&](std::size_t o) { return outcome.observables[o]; },
                                     [&](std::size_t v) { return at_h.varied[v]; }, outcome.status});
  };
  std::vector<StepError> found;
  if (classes.empty()) return found;
  const auto before = classify(at_h.outcome), after = classify(at_half);
  const auto all = class_names(scenario);
  for (const keep::ClassCount& one : classes) {
    StepError& error = found.emplace_back();
    error.name = one.name;
    const auto code = static_cast<std::size_t>(std::find(all.begin(), all.end(), one.name) - all.begin());
    std::vector<double> differences(before.size());
    for (std::size_t m = 0; m < differences.size(); ++m)
      differences[m] = (before[m] == code ? 1 : 0) - (after[m] == code ? 1 : 0);
    measure(error, differences, true, scenario.order);
  }
  return found;
}

// Of the observable k; where a member has a value at one of the steps only, it changed.
StepError compare_observable(const scenario::Scenario& scenario, const Outcome& at_h, const Outcome& at_half,
                             std::size_t k) {
  StepError error;
  error.name = observable_names(scenario)[k];
  std::vector<double> differences(at_half.status.size(), nan);
  bool whole = may_count(scenario, k);
  for (std::size_t m = 0; m < differences.size(); ++m) {
    const bool before = has_value(at_h, k, m), after = has_value(at_half, k, m);
    if (before && after) {
      differences[m] = at_h.observables[k][m] - at_half.observables[k][m];
      whole = whole && is_whole(at_h.observables[k][m]) && is_whole(at_half.observables[k][m]);
    }
    if (before != after) ++error.changed;
  }
  measure(error, differences, whole, scenario.order);
  return error;
}

}  // namespace

std::vector<std::int64_t> spread_members(std::int64_t members) {
  const std::int64_t count = std::min(step_check_members, members);
  std::vector<std::int64_t> spread;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t first = k * members / count, last = (k + 1) * members / count;
    const double turns = static_cast<double>(k) * std::numbers::phi;
    spread.push_back(first +
                     static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(last - first)));
  }
  return spread;
}

StepCheck compare_steps(const scenario::Scenario& scenario, const keep::SomeMembers& spread, const Outcome& at_half,
                        const Means& means) {
  const Outcome& at_h = spread.outcome;
  const std::size_t members = at_half.status.size(), observables = observable_names(scenario).size();
  CS_ASSERT(members <= static_cast<std::size_t>(step_check_members) && at_h.status.size() == members);
  CS_ASSERT(at_h.observables.size() == observables && at_half.observables.size() == observables &&
            means.observables.size() == observables);
  StepCheck check;
  check.members = static_cast<std::int64_t>(members);
  check.step = scenario.h();
  int halvings = 0;
  double largest = 0;
  for (const MeanEstimate& mean : means.observables)
    largest = std::isfinite(mean.mean) ? std::max(largest, std::fabs(mean.mean)) : largest;
  const auto judge_by = [&](StepError& error, const MeanEstimate& mean) {
    judge(error, mean, rounding_share * largest, scenario::most_halvings(scenario));
    halvings = std::max(halvings, error.halvings);
  };
  for (std::size_t k = 0; k < observables; ++k) {
    check.observables.push_back(compare_observable(scenario, at_h, at_half, k));
    judge_by(check.observables.back(), means.observables[k]);
  }
  check.classes = compare_classes(scenario, spread, at_half, means.classes);
  for (std::size_t k = 0; k < check.classes.size(); ++k) judge_by(check.classes[k], mean_of(means.classes[k]));
  check.advised_step = halvings > 0 ? scenario::readable_step(scenario, halvings) : scenario.h();
  return check;
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

Sentence step_warning(const StepCheck& check) {
  // the worst one with its numbers, the others by name
  std::vector<std::pair<std::string, const StepError*>> large;
  for (const StepError& error : check.observables)
    if (error.is_large) large.emplace_back(error.name, &error);
  for (const StepError& error : check.classes)
    if (error.is_large) large.emplace_back("the share of " + error.name, &error);
  if (large.empty()) return {};
  const auto worst = std::max_element(
      large.begin(), large.end(), [](const auto& a, const auto& b) { return a.second->halvings < b.second->halvings; });
  std::vector<std::string> others;
  for (const auto& [name, error] : large)
    if (error != worst->second) others.push_back(name);
  const StepError& error = *worst->second;
  const bool is_share = error.name != worst->first, one = error.compared == 1;
  return "the step is large for " + worst->first + ": halving it moves " +
         (one        ? "the value of the one member by "
          : is_share ? "it by "
                     : "the mean by ") +
         format_short(-error.difference, 2) + (one ? "" : " (± " + format_short(error.difference_error, 2) + ")") +
         ", so the step costs about " + format_short(error.step_error, 2) +
         (std::isnan(error.sampling_error) ? "" : " where sampling costs " + format_short(error.sampling_error, 2)) +
         (others.empty() ? "" : "; also for " + join_few(others)) + "; try " +
         setting::step(format_number(check.advised_step));
}

}  // namespace conesweep::tell
