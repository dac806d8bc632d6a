#include "run/growth.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "run/quantity.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::runs {

namespace {

// What a goal is about; its share is not known yet.
Goal find_goal(const std::string& name, const scenario::Scenario& scenario) {
  const Quantity found = find_quantity(setting::until, name, scenario);
  return {found.name, found.number, 0, found.of_class};
}

void check_share(const Goal& goal, const std::string& text) {
  if (!(goal.share > 0 && goal.share < 1))
    throw InputError(about(setting::until) + "the share of '" + text + "' must lie between 0 and 1 (100%)");
}

}  // namespace

Goal make_goal(const std::string& name, double share, const scenario::Scenario& scenario) {
  Goal goal = find_goal(name, scenario);
  goal.share = share;
  check_share(goal, name + ":" + format_short(share));
  return goal;
}

std::vector<Goal> parse_goals(const std::string& text, const scenario::Scenario& scenario) {
  std::vector<Goal> goals;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    at = end + 1;
    const std::size_t colon = one.rfind(':');
    const Sentence wanted =
        about(setting::until) + "'" + one + "' should read name:share, for example reach:1% or reach:0.01";
    if (colon == std::string::npos) throw InputError(wanted);
    Goal goal = find_goal(one.substr(0, colon), scenario);
    const bool percent = one.ends_with('%');
    const char* first = one.data() + colon + 1;
    const char* last = one.data() + one.size() - (percent ? 1 : 0);
    const auto result = std::from_chars(first, last, goal.share);
    if (result.ec != std::errc() || result.ptr != last) throw InputError(wanted);
    if (percent) goal.share /= 100;
    check_share(goal, one);
    goals.push_back(goal);
  }
  return goals;
}

std::int64_t bound_growth(const scenario::Scenario& scenario, std::int64_t most) {
  if (!scenario.sweep.empty())
    throw InputError(about(setting::until) +
                     "a sweep has as many members at every point as [ensemble] says; take one point with " +
                     setting::set + ", or ask for more " + setting::members);
  if (scenario::samplers[scenario.ensemble.sampler].depends_on_members)
    throw InputError(about(setting::until) + "the points of sampler '" +
                     std::string(to_name(scenario.ensemble.sampler)) +
                     "' depend on the number of members, so they cannot go on; use random or sobol");
  for (const auto& variation : scenario.vary)
    if (variation.distribution.kind == scenario::DistributionKind::table)
      most = std::min(most, static_cast<std::int64_t>(variation.distribution.values.size()));
  if (most < scenario.ensemble.members)
    throw InputError(about(setting::most) + "must be at least the " + std::to_string(scenario.ensemble.members) +
                     " members to begin with, got " + std::to_string(most));
  return most;
}

std::int64_t grow(std::int64_t n, double excess, std::int64_t unit, std::int64_t most) {
  const double reserve = 1.05;  // the error is itself estimated
  const auto now = static_cast<double>(n);
  const double wanted = std::isfinite(excess) ? now * excess * excess * reserve : 4 * now;
  const auto next = static_cast<std::int64_t>(std::clamp(wanted, 1.1 * now, 4 * now));
  return std::min((next + unit - 1) / unit * unit, most);
}

double Growth::excess() const {
  double worst = 0;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const double excess = errors[k] / goals[k].share;
    worst = std::max(worst, excess == excess ? excess : std::numeric_limits<double>::infinity());
  }
  return worst;
}

}  // namespace conesweep::runs
