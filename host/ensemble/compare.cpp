#include "ensemble/compare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

#include "ensemble/histories.hpp"
#include "ensemble/run_ensemble.hpp"
#include "ensemble/scales.hpp"
#include "keep/classes.hpp"
#include "sampling/sampler.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::ensemble {
namespace {

using executor::Outcome;
using executor::Status;

constexpr double most_errors_of_mean = 5;  // by chance one mean in two million is further off

std::string describe_time(const scenario::Scenario& scenario, std::int64_t step) {
  return "at t = " + format_short(scenario.time(step));
}

std::string describe_wrong(const scenario::Scenario& scenario, const JudgedMember& member) {
  using executor::reference::Judged;
  const auto& found = member.found;
  const std::string step =
      member.who + "'s step " + std::to_string(found.wrong) + " " + describe_time(scenario, found.wrong);
  if (found.stopped != Status::ok)
    return step + ": the reference stops there with " + std::string(to_name(found.stopped));
  switch (found.why_wrong) {
    case Judged::wrong_place: return step + " leads to another place: off by " + format_short(found.residual, 3);
    case Judged::wrong_mode: return step + " is told to be in another mode than its velocity has";
    case Judged::wrong_end:
      return member.who + "'s motion ends, or goes on, where it should not, " + describe_time(scenario, found.wrong);
    default:
      return step + " is no solution: residual " + format_short(found.residual, 3) +
             ", allowed: " + format_short(member.accepted, 3);
  }
}

std::string describe_unjudged(const scenario::Scenario& scenario, const JudgedMember& member) {
  const auto& found = member.found;
  return counted(found.not_judged, "step") + " of " + member.who + " not judged, the first " +
         describe_time(scenario, found.first_unjudged) + ": " +
         std::string(executor::reference::reason_of(found.why_unjudged));
}

// Sorts judged members into the comparison. Returns which ones were judged, and say nothing about numbers.
std::vector<bool> take_judged(const scenario::Scenario& scenario, const std::vector<JudgedMember>& judged,
                              const std::vector<Outcome const*>& sides, Comparison& comparison) {
  std::map<std::int64_t, std::vector<const JudgedMember*>> by_member;
  for (const JudgedMember& member : judged) by_member[member.member].push_back(&member);
  const Apart apart(scenario, *sides[0], *sides[1]);
  std::vector<bool> settled(static_cast<std::size_t>(comparison.members), false);
  for (const auto& [m, all] : by_member) {
    const auto at = static_cast<std::size_t>(m);
    settled[at] = true;
    const auto find = [&](const auto& is) {
      const auto which = std::find_if(all.begin(), all.end(), [&](const JudgedMember* some) { return is(*some); });
      return which == all.end() ? nullptr : *which;
    };
    if (const JudgedMember* wrong = find([](const JudgedMember& one) { return one.found.wrong >= 0; })) {
      comparison.wrong.push_back({m, describe_wrong(scenario, *wrong)});
    } else if (const JudgedMember* other = find([](const JudgedMember& one) { return !one.other.empty(); })) {
      comparison.wrong.push_back({m, other->who + "'s " + other->other});
    } else if (apart.is_unsolved_once(at)) {
      comparison.wrong.push_back({m, apart.first(at)});
    } else if (const JudgedMember* unknown = find([](const JudgedMember& one) { return one.found.not_judged > 0; })) {
      comparison.unjudged.push_back({m, describe_unjudged(scenario, *unknown)});
    } else {
      Parted parted{m, apart.first(at)};
      for (const JudgedMember* some : all) {
        parted.residual = std::max(parted.residual, some->found.residual);
        parted.several = std::max(parted.several, some->found.several);
      }
      (parted.several > 0 ? comparison.several : comparison.parted).push_back(parted);
    }
  }
  return settled;
}

// Are their means the same, but for what the members themselves differ by?
MeanDifference compare_means(const std::string& name, const std::vector<double>& a, const std::vector<double>& b,
                             double tolerated) {
  MeanDifference found{name};
  double n = 0, apart = 0, squares = 0;
  for (std::size_t m = 0; m < a.size(); ++m) {
    if (!std::isfinite(a[m]) || !std::isfinite(b[m])) continue;
    n += 1;
    found.a += (a[m] - found.a) / n, found.b += (b[m] - found.b) / n;
    const double before = apart;
    apart += (a[m] - b[m] - apart) / n;
    squares += (a[m] - b[m] - before) * (a[m] - b[m] - apart);
  }
  if (n < 2) return found;
  const double error = std::sqrt(squares / (n - 1) / n);
  found.errors = std::fabs(apart) > tolerated && error > 0 ? std::fabs(apart) / error : 0;
  found.within = found.errors <= most_errors_of_mean;
  return found;
}

// Gathers the differences of one column of numbers.
class Gathering {
 public:
  explicit Gathering(std::string name) { result_.name = std::move(name); }

  void see(std::int64_t member, double a, double b) {
    // the same kind on both sides: a history that differs is left out before
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    const double apart = std::fabs(a - b), size = std::max(std::fabs(a), std::fabs(b));
    result_.scale = std::max(result_.scale, size);
    absolute_.push_back(apart);
    relative_.push_back(apart > 0 ? apart / size : 0);
    if (apart > worst_) {
      worst_ = apart;
      result_.worst_member = member, result_.a = a, result_.b = b;
    }
  }

  Difference finish(double least_scale, double tolerance) {
    result_.compared = static_cast<std::int64_t>(absolute_.size());
    result_.absolute = spread(absolute_);
    result_.relative = spread(relative_);
    result_.scale = std::max(result_.scale, least_scale);
    result_.within = result_.absolute.worst <= tolerance * result_.scale;
    return result_;
  }

 private:
  static Difference::Spread spread(std::vector<double>& values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto at = [&](double level) {
      return values[static_cast<std::size_t>(level * static_cast<double>(values.size() - 1))];
    };
    return {at(0.5), at(0.99), values.back()};
  }

  Difference result_;
  std::vector<double> absolute_, relative_;
  double worst_ = 0;
};

class BitCount {
 public:
  void see(double a, double b, const std::string& name, std::int64_t member) {
    ++result.values;
    if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) return;
    if (result.differing++ == 0)
      result.first = name + " of member " + std::to_string(member) + ": " + format_bits(a) + " and " + format_bits(b);
  }

  BitDifferences result;
};

BitDifferences compare_bits(const scenario::Scenario& scenario, const Outcome& a, const Outcome& b) {
  BitCount count;
  const auto members = static_cast<std::int64_t>(a.status.size());
  for (std::int64_t m = 0; m < members; ++m) {
    const auto at = static_cast<std::size_t>(m);
    count.see(static_cast<double>(a.status[at]), static_cast<double>(b.status[at]), "status", m);
    count.see(a.stop_time[at], b.stop_time[at], "stop time", m);
    count.see(a.residual[at], b.residual[at], "residual", m);
    count.see(static_cast<double>(a.flags[at]), static_cast<double>(b.flags[at]), "flags", m);
  }
  const auto names = observable_names(scenario);
  for (std::size_t k = 0; k < names.size(); ++k)
    for (std::int64_t m = 0; m < members; ++m)
      count.see(a.observables[k][static_cast<std::size_t>(m)], b.observables[k][static_cast<std::size_t>(m)], names[k],
                m);
  const std::int64_t times = a.trajectories.times;
  for (std::size_t cell = 0; cell < a.trajectories.mode.size(); ++cell)
    count.see(a.trajectories.mode[cell], b.trajectories.mode[cell], "trajectory.mode",
              static_cast<std::int64_t>(cell) / times);
  for (std::size_t c = 0; c < a.trajectories.columns.size(); ++c) {
    const std::string name =
        "trajectory." + names[names.size() - a.trajectories.columns.size() + c].substr(std::string("final.").size());
    for (std::size_t cell = 0; cell < a.trajectories.columns[c].size(); ++cell)
      count.see(a.trajectories.columns[c][cell], b.trajectories.columns[c][cell], name,
                static_cast<std::int64_t>(cell) / times);
  }
  return count.result;
}

bool is_passed(const Comparison& comparison, const CompareLimits& limits) {
  const auto is_within = [](const auto& found) { return found.within; };
  const auto share = [&](const auto& members) {
    return static_cast<double>(members.size()) / static_cast<double>(comparison.members);
  };
  return std::all_of(comparison.differences.begin(), comparison.differences.end(), is_within) &&
         std::all_of(comparison.means.begin(), comparison.means.end(), is_within) && comparison.wrong.empty() &&
         comparison.unjudged.empty() && share(comparison.grazing) <= limits.grazing &&
         share(comparison.parted) <= limits.parted;
}

}  // namespace

std::vector<std::int64_t> find_differing(const scenario::Scenario& scenario, const Outcome& a, const Outcome& b,
                                         const CompareLimits& limits) {
  const Comparison comparison = compare(scenario, a, b, limits);
  std::vector<bool> differs(a.status.size(), false);
  for (const Grazing& member : comparison.grazing) differs[static_cast<std::size_t>(member.member)] = true;
  const auto see = [&](const Difference& difference, std::size_t m, double x, double y) {
    if (std::fabs(x - y) > limits.tolerance * difference.scale) differs[m] = true;
  };
  const std::size_t observables = a.observables.size();
  for (std::size_t k = 0; k < comparison.differences.size(); ++k) {
    const Difference& difference = comparison.differences[k];
    if (difference.within) continue;
    if (k < observables) {
      for (std::size_t m = 0; m < differs.size(); ++m) see(difference, m, a.observables[k][m], b.observables[k][m]);
    } else {
      const auto times = static_cast<std::size_t>(a.trajectories.times);
      const auto& column = a.trajectories.columns[k - observables];
      for (std::size_t cell = 0; cell < column.size(); ++cell)
        see(difference, cell / times, column[cell], b.trajectories.columns[k - observables][cell]);
    }
  }
  std::vector<std::int64_t> members;
  for (std::size_t m = 0; m < differs.size(); ++m)
    if (differs[m]) members.push_back(static_cast<std::int64_t>(m));
  return members;
}

Comparison compare(const scenario::Scenario& scenario, const Outcome& a, const Outcome& b, const CompareLimits& limits,
                   const std::vector<JudgedMember>& judged) {
  const auto names = observable_names(scenario);
  CS_ASSERT(a.status.size() == b.status.size() && a.observables.size() == names.size() &&
            b.observables.size() == names.size());
  CS_ASSERT(a.trajectories.members == b.trajectories.members && a.trajectories.times == b.trajectories.times);
  Comparison comparison;
  comparison.members = static_cast<std::int64_t>(a.status.size());

  comparison.classes = compare_classes(scenario, a, b);

  // members that were judged step by step, and others that went another way
  const std::vector<bool> settled = take_judged(scenario, judged, {&a, &b}, comparison);
  const Histories histories(scenario, a, b);
  std::vector<bool> same(a.status.size(), true);
  for (std::size_t m = 0; m < same.size(); ++m) {
    if (settled[m]) {
      same[m] = false;
    } else if (const auto what = histories.difference(m)) {
      same[m] = false;
      comparison.grazing.push_back({static_cast<std::int64_t>(m), *what});
    } else if (a.status[m] != Status::ok) {
      ++comparison.stopped;
    }
  }

  if (limits.bits) {
    comparison.bits = compare_bits(scenario, a, b);
    comparison.passed = comparison.bits.differing == 0;
    return comparison;
  }

  // the others, number by number
  const double least = least_scale(scenario, a);
  for (std::size_t k = 0; k < names.size(); ++k) {
    Gathering gathering(names[k]);
    for (std::size_t m = 0; m < same.size(); ++m)
      if (same[m]) gathering.see(static_cast<std::int64_t>(m), a.observables[k][m], b.observables[k][m]);
    comparison.differences.push_back(gathering.finish(least, limits.tolerance));
  }
  const auto times = static_cast<std::size_t>(a.trajectories.times);
  for (std::size_t c = 0; c < a.trajectories.columns.size(); ++c) {
    Gathering gathering("trajectory." +
                        names[names.size() - a.trajectories.columns.size() + c].substr(std::string("final.").size()));
    for (std::size_t cell = 0; cell < a.trajectories.columns[c].size(); ++cell)
      if (same[cell / times])
        gathering.see(static_cast<std::int64_t>(cell / times), a.trajectories.columns[c][cell],
                      b.trajectories.columns[c][cell]);
    comparison.differences.push_back(gathering.finish(least, limits.tolerance));
  }
  if (limits.means) {
    for (std::size_t k = 0; k < names.size(); ++k)
      comparison.means.push_back(compare_means(names[k], a.observables[k], b.observables[k],
                                               limits.tolerance * std::max(least, comparison.differences[k].scale)));
  }
  comparison.passed = is_passed(comparison, limits);
  return comparison;
}

std::vector<OtherClass> compare_classes(const scenario::Scenario& scenario, const Outcome& a, const Outcome& b) {
  if (scenario.classes.empty()) return {};
  const auto drawn = sampling::draw(scenario, 0, static_cast<std::int64_t>(a.status.size()));
  const auto classify = [&](const Outcome& outcome) {
    return keep::classify(scenario, {[&](std::size_t o) { return outcome.observables[o]; },
                                     [&](std::size_t v) { return drawn[v]; }, outcome.status});
  };
  const auto names = class_names(scenario);
  const auto first = classify(a), second = classify(b);
  std::vector<OtherClass> others;
  for (std::size_t m = 0; m < first.size(); ++m)
    if (first[m] != second[m]) others.push_back({static_cast<std::int64_t>(m), names[first[m]], names[second[m]]});
  return others;
}

void run_members(const scenario::Scenario& scenario, std::int64_t members, Runner& a, Runner& b,
                 const executor::Watch& watch) {
  for (Runner* runner : {&a, &b}) {
    if (members == scenario.ensemble.members) {
      double solve_seconds = 0;
      runner->outcome = run_ensemble(scenario, *runner->model, default_chunk, watch, solve_seconds).outcome;
    } else {
      CS_ASSERT(members < scenario.ensemble.members);
      runner->outcome =
          runner->model->run(scenario, {{scenario, 0, members}, sampling::draw(scenario, 0, members)}, watch);
    }
  }
}

}  // namespace conesweep::ensemble
