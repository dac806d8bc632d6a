#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::statistics {

/// How often each value occurs, of as many binary digits as there is room for: at most `room` different values are told
/// apart.
///
/// A value is cut after its leading digit and d more of its binary digits, towards 0. d is the largest number with
/// which not more than `room` different ones are left; 52 is all of a double, and then nothing is lost. So d belongs to
/// the set of values, not to the order in which they came: a part of them never has fewer digits than the whole, for it
/// has no more different values. Adding is exactly associative and commutative, to the bit.
///
/// A quantile is read from the middles of what was cut off:
///
///   (1)  |x' - x| <= 2^-(d + 1) |x|,     exact where d = 52, and of values that reach no further than min and max
///
/// of the sorted value x, or of the larger of the two that type 7 interpolates between. Whole numbers, zeros and few
/// different values are exact; 65536 places leave d >= 10 to values of one sign over 64 powers of two, and d >= 4 to
/// whatever values there are. 0 stays 0; numbers below 2^-1022, which have fewer digits, are told apart as far as
/// 2^-(1022 + d).
class Sketch {
 public:
  static constexpr std::size_t most_room = 65536;
  static constexpr std::size_t least_room = 4096;  // with d = 0: a sign and an exponent
  static constexpr int all_digits = 52;

  explicit Sketch(std::size_t room = most_room);

  /// Members that are ok and have a value.
  void add(std::span<const double> values, std::span<const executor::Status> status);
  void add(const Sketch& other);

  std::int64_t count() const { return count_; }
  int digits() const { return digits_; }  // d
  double error() const;                   // the right side of (1) for x = 1; 0 where nothing is lost

  // `min` and `max` are those of all values, which a sketch does not keep

  /// Type 7; NaN of none.
  double quantile(double level, double min, double max) const;

  /// Equal bins as in Histogram; a value nearer to an edge than its error may be counted beside it.
  Histogram histogram(double min, double max) const;

  /// Without one in trimmed_one_in on each side.
  double trimmed_mean(double min, double max) const;

  std::string pack() const;
  static Sketch unpack(const std::string& bytes);
  bool operator==(const Sketch&) const = default;

 private:
  struct Tally {
    std::uint64_t key;  // as the number of the value among all that have so many digits
    std::int64_t count;
    bool operator==(const Tally&) const = default;
  };
  void count_in_table(std::span<const double> values, std::vector<Tally>& found) const;
  bool count_in_rows(std::span<const double> values, std::vector<Tally>& found) const;
  void merge(const std::vector<Tally>& more);
  void cut_to(int digits);
  double middle_of(std::uint64_t key) const;

  std::size_t room_;
  int digits_ = all_digits;
  std::int64_t count_ = 0;
  std::vector<Tally> places_;  // ascending
};

}  // namespace conesweep::statistics
