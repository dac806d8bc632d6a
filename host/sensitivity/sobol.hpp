#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sensitivity/design.hpp"
#include "sensitivity/index.hpp"
#include "statistics/rare.hpp"

namespace conesweep::sensitivity {

/// Where fewer than 30 members of A and B have another value than most (a rare class, a rare event): what there is, and
/// what it takes.
struct TooFew {
  std::int64_t seen = 0;            // with another value
  std::int64_t of = 0;              // members of A and B that have a value; 0: there are not too few
  std::int64_t needed_members = 0;  // of the design, for 30 of them, by the share that was seen; 0: none was seen
  bool operator==(const TooFew&) const = default;
};

/// Sobol indices of one observable.
struct SobolIndices {
  std::vector<Index> first;         // [parameter], (S3): what is reported
  std::vector<Index> first_jansen;  // [parameter], (S4): the other estimator, for comparison
  std::vector<Index> total;         // [parameter], (S5)
  std::vector<Index> second;        // pairs (0, 1), (0, 2), …, (1, 2), …, (S6); empty unless asked for
  double mean = nan;                // of A and B
  double variance = nan;            // of A and B, (S2)
  std::int64_t bases = 0;           // seen
  std::int64_t left_out = 0;        // members that stopped or have no finite value
  bool constant = false;            // all members of all rows have the same value
  TooFew too_few;                   // members that differ, in A and B: then there are no indices
  std::vector<std::string> warnings;
};

/// Where pair (i, j), i < j, stands in `second`.
inline std::size_t pair_number(std::size_t i, std::size_t j, std::size_t parameters) {
  return i * (2 * parameters - i - 1) / 2 + (j - i - 1);
}

/// With fewer bases than this the intervals are rough, and a warning says so: at 64 those of the functions in
/// tests/sensitivity cover in 90 to 96 % instead of 95 %.
inline constexpr std::int64_t enough_bases = 64;

/// Sums over the bases of a Saltelli design, from which Sobol indices are estimated. Memory does not grow with the
/// number of bases.
///
/// Write A, B, AB_i, BA_i for the values of the observable in the rows of a base (design.hpp), <·> for the mean over
/// all N bases.
///
///   (S1)  m   = <A + B>/2
///   (S2)  V   = 2N/(2N - 1) <(A - m)² + (B - m)²>/2
///   (S3)  S_i = <(B - m)(AB_i - A)> / V                                           [Saltelli2010, table 2 (b)], centred
///   (S4)  S_i = 1 - <(B - AB_i)²> / 2V                                            [Jansen1999]
///   (S5)  T_i = <(A - AB_i)²> / 2V                                                [Jansen1999]
///   (S6)  S_ij = <(BA_i - B)(AB_j - A) + (BA_j - B)(AB_i - A)> / 2V
///
/// With BA, (S3) to (S5) are means over both roles: A and B exchanged, BA_i in place of AB_i. (S6) is then the closed
/// index of [Saltelli2002], <BA_i AB_j> - <A B>, averaged over (i, j) and (j, i), less S_i and S_j by (S3): all but the
/// differences drop out.
///
/// (S3) and not (S4) is reported as `first`. (S3) is a mean of products with AB_i - A, which vanishes with the
/// influence of parameter i, and so does its error; that of (S4) does not: for a parameter without influence it
/// compares independent values. Measured on the g function, N = 1024: S = 0.72, 0.18, 0.024, 0.00007 have standard
/// errors 0.031, 0.021, 0.008, 0.0005 by (S3) and 0.017, 0.032, 0.029, 0.027 by (S4). Only an index above about 1/2 is
/// better by (S4): there is at most one, and its relative error is small by either.
///
/// A member that stopped, or has no finite value, is left out by itself: each mean <·> is over the bases that have all
/// the rows in it, (S1) and (S2) over the A and the B that there are. So one member in a corner of the cube that always
/// stops costs one term, not its base. What is left speaks of the members that end; where many stop, the indices of
/// stopping itself are the ones to look at.
///
/// An index of a rare event is a share of a variance that few members make: with p = 1e-3 and 1000 bases two of A and
/// B, and (S5) comes out at 1, 1.5 or 2.5 where 0.9 is right. Where less than 30 members of A and B have another value
/// than most (statistics/rare.hpp), no index is given, but how many members it takes to see 30.
///
/// Values enter as differences to the first one that is used, c. A large mean costs nothing then, and since c is one of
/// the values, (c - m)² <= 2N V: no outlier as c can cost more than a factor 2N of rounding.
///
/// Intervals come from a bootstrap over groups of bases. Where the bases are one sequence, a group is a run of
/// consecutive ones: at most 256 groups, all of the same power of two in length but the last; when they are full,
/// neighbours are merged and the length is doubled. For random points any grouping is right. Points of a Latin
/// hypercube are a little better as a whole than their groups, which resampling cannot see: intervals are right or
/// somewhat too wide. Where the bases come in R independent parts dealt out in turn (design.hpp), the parts are the
/// groups; for one sequence of Sobol points no grouping is right. In turn without parts would be the worst: it sorts
/// Sobol points by their first coordinates, each group a thin slice of the cube.
///
/// The interval is the expanded percentile interval [Hesterberg2015]: the percentiles at Φ(∓√(G/(G - 1)) t), G groups,
/// t Student's 0.975 quantile with G - 1 degrees. For 256 groups that is 2.4 and 97.6 %. Basic and normal intervals
/// covered less often; BCa intervals were no better.
class SobolSums {
 public:
  /// `parts`: of make_base_points.
  explicit SobolSums(SaltelliLayout layout, int parts = 1);

  /// The next members of the design, in order, any number at a time: the only order there is, so bits do not depend on
  /// chunks, and a design that was extended gives what it had given at once.
  void add(std::span<const double> values, std::span<const executor::Status> status);

  std::int64_t bases() const { return seen_; }
  std::int64_t left_out() const { return left_out_; }
  std::size_t groups() const { return groups_.size() / stride_; }

  /// What the bases so far say, with intervals at 95 % from so many resamplings: a function of the sums and the seed.
  SobolIndices indices(std::span<const std::string> names, std::uint64_t seed, int resamplings = 1000) const;

 private:
  static constexpr std::size_t most_runs = 256;

  // a group: [0] how many A and B there are, [1] Σ A + B, [2] Σ A² + B², then for each i Σ of the differences, products
  // and squares that (S3) to (S5) need in this order, with how many terms (S3) and (S4), and (S5), have; then (S6) for
  // each pair, and how many terms. All about the shift, both roles added up.
  enum GroupSum : std::size_t { at_count = 0, at_values = 1, at_squares = 2, at_parameters = 3 };
  enum TermSum : std::size_t {
    difference = 0,
    product = 1,
    to_a = 2,
    to_b = 3,
    triples = 4,
    doubles = 5,
    part_size = 6
  };
  enum PairSum : std::size_t { exchange = 0, terms = 1, pair_size = 2 };

  void add_base(std::span<const double> rows);
  double* next_group();  // of the next base
  std::size_t estimates() const;
  // (S3), (S4), (S5), (S6) one after another; NaN where V = 0
  void estimate(std::span<const double> sums, std::span<double> out) const;
  double mean(std::span<const double> sums) const;  // about the shift
  double variance(std::span<const double> sums) const;
  std::vector<double> total_sums() const;

  // A bootstrap over groups: [estimate][replicate].
  struct Resampled {
    std::size_t groups;
    int resamplings;
    std::vector<std::vector<double>> values;

    bool is_enough(std::size_t estimate) const;
    bool set_intervals(std::span<Index> indices);  // were there enough for all of them?
  };
  Resampled resample(std::uint64_t seed, int resamplings) const;

  // Empty: there are indices. Sets what is known of the values anyway.
  std::string why_undefined(std::span<const double> sums, SobolIndices& result) const;
  void hand_out(std::span<const Index> all, SobolIndices& result) const;
  void warn(std::span<const std::string> names, double fewest, SobolIndices& result) const;

  SaltelliLayout layout_;
  std::size_t parts_;  // 1: groups are runs
  Rows rows_;
  std::size_t stride_;          // sums in a group
  std::vector<double> groups_;  // [group][sum]
  std::int64_t length_ = 1;     // bases in a full run
  std::int64_t seen_ = 0;
  std::int64_t left_out_ = 0;   // members
  statistics::RareValue rare_;  // among A and B
  bool has_shift_ = false;
  double shift_ = 0;
};

}  // namespace conesweep::sensitivity
