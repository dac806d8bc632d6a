#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "executor/executor.hpp"

namespace conesweep::statistics {

/// Which members belong together: those of one part may depend on each other, parts are independent and alike.
struct Parts {
  std::int64_t together = 1;  // so many consecutive members are in one part …
  // … and parts are dealt out in turn over so many; 0: every run of `together` members is a part of its own
  std::int64_t count = 0;

  std::int64_t of(std::int64_t member) const { return count > 0 ? member / together % count : member / together; }
  bool are_members() const { return together == 1 && count == 0; }
};

/// The standard error of the mean over the members that are ok and have a value, from the scatter of the parts.
///
///   (1)  e_r = Σ (x - mean) over part r,   error² = R/(R - 1) Σ e_r² / n²      R parts that have values, n values
///
/// The mean is a ratio where members are left out, hence e_r and not the parts' means. With one member a part this is
/// s/√n. NaN where less than two parts have values, or one is infinite.
double error_by_parts(std::span<const double> values, std::span<const executor::Status> status, const Parts& parts);

/// The standard error of a mean over one scrambled Sobol sequence, from the sequence itself.
///
/// 2^k consecutive points from a multiple of 2^k on are a net, randomised like the whole: a small repetition. Their
/// means scatter more than n/2^k independent ones would have to, for together they fill gaps of each other; so (1) with
/// such runs as parts is too large, by a factor up to the number of runs where the observable is smooth, and little
/// where it jumps. Where the points of a run repeat those of another in the plane of two axes, it is too small. That
/// depends on the length; so the largest of three is taken, with 16 to 31, 32 to 63 and 64 to 127 runs.
///
/// Below 128 members a run is one member, and the error not below that of independent ones.
///
/// Independent randomisations, dealt out in turn, would show the error exactly, but are another sample, and a worse
/// one: each has too few points for late axes.
double error_by_runs(std::span<const double> values, std::span<const executor::Status> status);

/// What is left of a part: how many values, and their mean.
struct PartMean {
  double count = 0;
  double mean = 0;
};

/// error_by_parts and error_by_runs from the parts alone: the same but for rounding. `runs` are the 64 to 127 shortest
/// ones, in order.
double error_of_parts(std::span<const PartMean> parts);
double error_of_runs(std::vector<PartMean> runs);

/// So long are the shortest runs: 64 to 127 of them.
std::int64_t shortest_run(std::int64_t members);

}  // namespace conesweep::statistics
