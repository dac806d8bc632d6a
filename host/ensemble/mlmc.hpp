#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ensemble/levels.hpp"
#include "ensemble/run_ensemble.hpp"
#include "executor/executor.hpp"
#include "scenario/scenario.hpp"
#include "statistics/central_sums.hpp"
#include "statistics/rare.hpp"
#include "team/team.hpp"

namespace conesweep::ensemble {

/// What is asked of the multilevel estimate.
struct MlmcRequest {
  std::string observable;
  double rmse = 0;                           // the error asked for
  int levels_max = 12;                       // finest level allowed: step h / 2^12
  std::int64_t members_max = 1'000'000'000;  // on all levels together
  std::int64_t steps_max = most_steps;       // of one member
  std::int64_t chunk = default_chunk;
  int threads = 0;             // that draw members; 0: all cores
  team::Team* team = nullptr;  // that shares the members; null: this process is alone
};

/// One level: its members are run at h / 2^l and (but on level 0) at twice that step.
struct MlmcLevel {
  std::int64_t steps = 0;  // of the finer run
  double step = 0;
  std::int64_t members = 0;            // run
  std::int64_t stopped = 0;            // of these, at either step
  std::int64_t without = 0;            // ok, but without a finite value at either step
  std::int64_t changed = 0;            // stopped or without a value at one of the two steps only
  std::int64_t differ = 0;             // pairs with Y ≠ 0
  bool whole = true;                   // members are drawn, and all values are whole numbers: a count, a share
  statistics::CentralSums correction;  // of Y = P_l - P_{l-1}; on level 0 of P_0
  statistics::CentralSums value;       // of P_l
  double variance = 0;                 // of Y, as used: not less than half of what the levels above let expect
  std::int64_t cost = 0;               // of one member, in member·steps
  double seconds = 0;                  // measured

  /// 0 of n pairs of whole numbers differ: what E Y may still be, at 95 %, where those that differ do so by one (the
  /// rule of three, L8).
  bool saw_nothing() const { return whole && differ == 0 && correction.count > 0; }
  double unseen() const { return statistics::rule_of_three / static_cast<double>(correction.count); }
};

struct MlmcResult {
  std::vector<MlmcLevel> levels;
  double estimate = 0;
  double bias = 0;             // of the finest level, estimated (M4)
  bool bias_is_bound = false;  // no pair of the last levels differs: a 95 % bound stands in its place
  double standard_error = 0;   // (M3)
  // all members of level 0 have the same value: half a 95 % bound stands in its place (M5)
  bool error_is_bound = false;
  double alpha = 0;          // |E Y_l| falls like 2^(-alpha l); as used: between 1/2 and 1
  double beta = 0;           // V Y_l falls like 2^(-beta l); as used: between 1/2 and 2
  double cost = 0;           // member·steps of all levels
  double plain_members = 0;  // of plain Monte Carlo at the finest step with the same standard error as asked for
  double plain_cost = 0;
  bool reached = true;          // bias and standard error are as asked for
  std::vector<Sentence> notes;  // what a reader must know
  std::int64_t stopped() const;
};

// How the error is split. rmse² >= bias² + standard error² would allow 1/√2 of it to each, but then the answer would
// miss by more than the rmse in up to a third of all runs. With a quarter and a half it lies within the rmse in 93 % of
// all runs or more, and its root-mean-square error is at most 0.56 of what was asked.
inline constexpr double bias_share = 0.25;
inline constexpr double noise_share = 0.5;

/// Progress of a multilevel run: so many members of a level are about to be run, each twice but on level 0.
using LevelBegins = std::function<void(int level, std::int64_t runs, double steps_a_run)>;

/// The mean of one observable by Giles' algorithm [Giles2008, Giles2015].
///
///   (M1)  E P_L = E P_0 + sum over l = 1 … L of E Y_l,     Y_l = P_l - P_{l-1}
///
/// P_l is the observable at step h / 2^l. Both terms of Y_l belong to the same member (the same parameters, the same
/// past), so that Y_l is small; every level has members of its own. Few members on the fine, dear levels correct the
/// many on the coarse one.
///
///   (M2)  N_l = sqrt(V_l / C_l) · sum over k of sqrt(V_k C_k) / s²     least cost for sum V_l / N_l <= s², s = rmse /
///         2
///   (M3)  standard error² = sum over l of V_l / N_l
///   (M4)  bias = max over the last three levels of |E Y_l| 2^(-alpha (L - l)) / (2^alpha - 1) <= rmse / 4
///
/// A level of whole numbers whose pairs all agree has seen nothing, and 0 is no estimate of E Y_l: 3/N_l takes its
/// place in (M4), and the level gets members until that is small enough.
///
///   (M5)  standard error of level 0 >= 3/N_0 / 2      where values are whole numbers, or all the same
///
/// So with the variance: what happens to few may have happened to none of those that were run, and 0 is no estimate of
/// V_0. A bound at 95 % counts as two standard errors. It takes N_0 >= 3/rmse members to bring it down to rmse/2: what
/// is rarer then moves the mean by less than the rmse, as far as it does so by one. Nothing of the kind is asked where
/// nothing is drawn.
///
/// C_l is counted in member·steps, so that the result is a function of scenario and seed alone: not of threads, chunks
/// or machine. The sampler is random, whatever the scenario says.
MlmcResult run_mlmc(const scenario::Scenario& scenario, const MlmcRequest& request, const MakeModel& make,
                    const executor::Watch& watch, const LevelBegins& begins = {});

/// The seed of a level's members.
std::uint64_t level_seed(std::uint64_t seed, int level);

}  // namespace conesweep::ensemble
