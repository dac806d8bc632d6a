#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ensemble/levels.hpp"
#include "ensemble/paired_statistics.hpp"
#include "ensemble/run_ensemble.hpp"
#include "executor/executor.hpp"
#include "scenario/scenario.hpp"
#include "statistics/rare.hpp"
#include "team/team.hpp"

namespace conesweep::ensemble {

enum class Dominates { neither, step, sampling };
std::string_view to_name(Dominates dominates);

/// One statistic of one observable over the levels h, h/2, h/4, …
struct ConvergeLine {
  std::string observable;
  Statistic statistic = Statistic::mean;
  std::vector<double> values;  // [level]
  // [level], value at a level minus value at the next finer one, over the members that both have
  std::vector<double> differences;
  std::vector<double> difference_errors;  // their standard errors
  // [level]: log2 of the ratio of two successive differences; NaN where they drown in noise
  std::vector<double> orders, order_errors;
  double order = 0, order_error = 0;  // of all differences that do not; NaN: not to be had
  double step_error = 0;              // of the value at h (L7)
  double limit = 0;                   // value at h minus its signed step error
  double sampling_error = 0;          // of the value at h
  bool sampled = true;                // false: a grid, which has none
  // a mean of whole numbers of which no pair differs, or few: 95 % bound of the step error (L8)
  double at_most = std::numeric_limits<double>::quiet_NaN();
  Dominates dominates = Dominates::neither;

  /// The pairs of a level and the next, in a mean of whole numbers.
  void see_pairs(const PairedDifferences& pairs, bool first_level) {
    if (static_cast<double>(pairs.differ) >= statistics::few_jumps)
      at_most = std::numeric_limits<double>::quiet_NaN();
    else if (first_level)
      at_most =
          2 * statistics::bound_of_jumps(pairs.difference[0], pairs.error[0], 1, static_cast<double>(pairs.count));
  }
};

/// Fills orders, errors and the verdict of a line from its differences. `rounding` is the share of a value below which
/// a difference is nothing.
///
///   (L7)  S_h - S_0 = sum of the differences down to the finest level + the last one / (2^p - 1); p is the observed
///         order where its standard error is at
///         most 1/4 and it is at least 1/2, else 1, the order of the scheme
void judge(ConvergeLine& line, double rounding);

struct ConvergeLevel {
  double step = 0;
  std::int64_t steps = 0;
  std::int64_t stopped = 0;  // members
  std::int64_t changed = 0;  // members that stopped here or at the next finer level, but not at both
  double seconds = 0;        // measured
};

struct Convergence {
  std::int64_t members = 0;
  std::vector<ConvergeLevel> levels;
  // observables in their order, five statistics each; of one that never varies the mean alone
  std::vector<ConvergeLine> lines;
};

struct ConvergeRequest {
  int levels = 4;
  std::vector<std::string> observables;  // empty: all
  std::int64_t chunk = default_chunk;
  double rounding = 1e-12;     // relative: what some thousand steps round
  int threads = 1;             // that draw members and make the statistics
  team::Team* team = nullptr;  // that shares the members; null: this process is alone
};

/// InputError unless there are two levels to compare.
void check_levels(int levels);

/// What some thousand steps round, relative.
double rounding_of(executor::Precision precision);

/// The model that all levels share. InputError where the finest one has more steps than the precision can count.
std::unique_ptr<executor::Model> make_level_model(const std::string& backend, const scenario::Scenario& scenario,
                                                  int levels, executor::Options execution, std::string& reason);

/// Steps all members at h, h/2, …, h/2^(levels - 1) and compares neighbours. Two levels are in memory at a time. On a
/// rank that follows it returns nothing: the leader has it all.
using ConvergeBegins = std::function<void(int level, std::int64_t members, std::int64_t steps)>;
Convergence run_converge(const scenario::Scenario& scenario, const ConvergeRequest& request, const MakeModel& make,
                         const executor::Watch& watch, const ConvergeBegins& begins = {});

/// What to do about it, in one or two sentences: the step or the number of members that would balance the two errors.
/// What vanishes with the step, as penetration does (the limit is less than a tenth of the value at h), has no say.
Sentence converge_advice(const scenario::Scenario& scenario, const Convergence& convergence);

}  // namespace conesweep::ensemble
