#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "keep/classes.hpp"
#include "keep/stored_run.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::tell {

/// Members that `run` repeats at half the step, beside those it has at the whole one. Differences of paired members
/// scatter far less than the members themselves: 256 are enough to see a step error of the size of the sampling error
/// of a million.
inline constexpr std::int64_t step_check_members = 256;

/// Which: the n members are cut into m = min(256, n) runs of equal length, up to one; of run k = 0 … m - 1 the member
/// at the share {k φ} of it, the digits of k times the golden ratio. A fixed stride would stand at the same level in
/// every row of a grid.
std::vector<std::int64_t> spread_members(std::int64_t members);

/// Where an ensemble's mean stands: what its summary says.
struct MeanEstimate {
  double mean = 0;
  double standard_deviation = 0;
  double standard_error = 0;
};

/// What halving the step did to the mean of one observable. NaN where there was too little to compare.
struct StepError {
  std::string name;
  std::int64_t compared = 0;    // members that are ok and have a finite value at both steps
  std::int64_t changed = 0;     // members that stopped, or have no value, at one of the steps only
  double difference = 0;        // d = mean of (value at h - value at h/2)
  double difference_error = 0;  // its standard error
  double step_error = 0;        // of the mean at h: 2^p|d|/(2^p - 1)  (L2)
  // where values jump and few pairs did, or none: 95 % bound of the step error (L8); else NaN
  double at_most = 0;
  double sampling_error = 0;  // of the mean of the whole ensemble
  // the mean itself goes to zero with the step: it measures the step, and is never large; `penetration` is of this kind
  bool vanishes = false;
  bool is_large = false;
  int halvings = 0;  // after so many it would not be large; 0 if it is not
  int order = 1;     // p: of the scheme, 1 where values jump
};

struct StepCheck {
  std::int64_t members = 0;            // repeated
  double step = 0;                     // h
  std::vector<StepError> observables;  // in the order of observable_names
  std::vector<StepError> classes;      // shares of the classes, by their names; empty: there are none
  double advised_step = 0;             // small enough for every observable; h itself if none is large
};

/// What an ensemble's summary says: the means of its observables, and the shares of its classes.
struct Means {
  std::span<const MeanEstimate> observables;
  std::span<const keep::ClassCount> classes = {};
};

/// Compares members at h with the same at h/2: the means of observables, and the shares of classes.
///
///   (L2)  the scheme is of order one: S_h - S_0 = 2 (S_h - S_{h/2}), with S_0 the value in the limit of small steps
///
/// A step error is large if it is more than twice the sampling error (more members would no longer help), more than 1 %
/// of the larger of |mean| and standard deviation (it would be seen in a plot), and if the difference it was taken from
/// is more than twice its own standard error (it is there).
///
/// A mean that (L2) takes to less than a tenth of itself vanishes with the step. Where there is no sampling error (a
/// grid, one member), it is not asked; nor for the error of the difference where there is one pair, which has none:
/// then 1 % of the value, and more than rounding, is large.
///
///   (L8)  0 of n pairs differ: at most a share 3/n of all members do, at 95 % (the rule of three)
///
/// So a count, or an observable of the user's of whole numbers, of which no pair differs has a step error of at most 2
/// · 3/n, as far as those that differ do so by one. Where one differs, or a few, or where a few of other numbers make
/// the whole scatter of the differences (n/κ below 10, κ their kurtosis), 2|d| is the luck of these few, and jumps to
/// both sides may even cancel: the bound is 2 (|d| + 2 e + 3 j/n), e the standard error of d, j the size of a jump (1,
/// or the largest that was seen). Shares of classes are means of 0 and 1. Numbers of other kinds differ by rounding at
/// least, unless they do not depend on the step.
///
/// Serial sums over at most 256 members: the bits depend on the scenario and the seed alone.
StepCheck compare_steps(const scenario::Scenario& scenario, const keep::SomeMembers& at_h,
                        const executor::Outcome& at_half, const Means& means);

/// Names in words: all of up to four, else three of them and how many more.
std::string join_few(std::vector<std::string> names);

/// One sentence about the observables whose step error is large, with the step to try; empty if there are none.
Sentence step_warning(const StepCheck& check);

}  // namespace conesweep::tell
