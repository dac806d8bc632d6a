#pragma once

#include <cmath>
#include <cstdint>

namespace conesweep::statistics {

/// The rule of three: what none of n members shows happens to at most 3/n of all, at 95 % ((1 - p)^n = 0.05).
inline constexpr double rule_of_three = 3;

/// Of n paired differences few are jumps: where their mean lies, at 95 %.
///
///   (L8)  |E D| <= |d| + 2 e + 3 j/n      d the mean that was seen, e its standard error, j the size of a jump
///
/// The last term is for jumps that none of the n pairs shows; without one it is all there is.
inline double bound_of_jumps(double difference, double error, double jump, double pairs) {
  return std::fabs(difference) + (pairs > 1 ? 2 * error : 0) + rule_of_three * jump / pairs;
}

/// Fewer jumps than this tell a mean to a third of itself or worse, and one that jumps both ways not even its sign:
/// then the bound is what is stated.
inline constexpr double few_jumps = 10;

/// Shares of a variance that rest on fewer members than this are not stated: the relative error of a count of 30 is 18
/// %, and an index has at least that.
inline constexpr std::int64_t least_hits = 30;

/// Counts the members that have another value than most, as they come: of two values the rarer, else those beside a
/// value that more than half have, if it is one of the first two seen. Of numbers that are nearly all different there
/// is no such value.
class RareValue {
 public:
  /// `counts`: else it is only looked at, to know whether there are more than two values.
  void see(double x, bool counts) {
    for (Value& one : first_) {
      if (one.members >= 0 && one.value != x) continue;
      if (one.members < 0) one = {x, 0};
      one.members += counts ? 1 : 0;
      all_ += counts ? 1 : 0;
      return;
    }
    more_ = true;
    all_ += counts ? 1 : 0;
  }

  std::int64_t all() const { return all_; }  // that were counted
  // of these, with another value than `usual`
  std::int64_t rare() const { return all_ - common().members; }
  double usual() const { return common().value; }                                 // most have it
  bool is_one() const { return first_[1].members < 0; }                           // no other value was seen at all
  bool is_event() const { return !more_ || 2 * common().members > all_; }         // is there a value that most have?
  bool are_few() const { return is_event() && all_ > 0 && rare() < least_hits; }  // too few to divide a variance by

 private:
  struct Value {
    double value = 0;
    std::int64_t members = -1;  // -1: not seen yet
  };
  const Value& common() const { return first_[1].members > first_[0].members ? first_[1] : first_[0]; }

  Value first_[2];
  bool more_ = false;
  std::int64_t all_ = 0;
};

}  // namespace conesweep::statistics
