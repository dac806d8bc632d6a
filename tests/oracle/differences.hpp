#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>

namespace conesweep::oracle {

/// Gathers a comparison of many numbers and tells, once, how many differ, the worst, and both of its values.
class Differences {
 public:
  explicit Differences(std::string what) : what_(std::move(what)) {}

  /// |got - wanted| <= allowed; NaN agrees with NaN.
  void compare(double got, double wanted, double allowed, const std::string& where) {
    ++count_;
    const bool both_nan = std::isnan(got) && std::isnan(wanted);
    const double off = both_nan || got == wanted ? 0 : std::fabs(got - wanted);
    const double share = off == 0 ? 0 : allowed > 0 ? off / allowed : std::numeric_limits<double>::infinity();
    if (!(share <= worst_share_)) note_worst(share, got, wanted, allowed, where);  // NaN counts as worst
    if (!(share <= 1)) ++different_;
  }

  /// The same bits.
  void compare_bits(double got, double wanted, const std::string& where) {
    if (std::memcmp(&got, &wanted, sizeof got) == 0) {
      ++count_;
      return;
    }
    ++count_, ++different_;
    note_worst(std::numeric_limits<double>::infinity(), got, wanted, 0, where);
  }

  /// got <= bound, up to `allowed`
  void at_most(double got, double bound, double allowed, const std::string& where) {
    compare(got <= bound ? bound : got, bound, allowed, where);
  }
  void at_least(double got, double bound, double allowed, const std::string& where) {
    compare(got >= bound ? bound : got, bound, allowed, where);
  }

  void require(bool holds, const std::string& where) { compare(holds ? 1 : 0, 1, 0.5, where); }

  /// The verdict. Also fails if nothing was compared: a test that looks at nothing proves nothing.
  testing::AssertionResult none() const {
    if (count_ == 0) return testing::AssertionFailure() << what_ << ": nothing was compared";
    std::ostringstream text;
    text.precision(17);
    if (different_ > 0)
      text << what_ << ": " << different_ << " of " << count_ << " differ; worst: " << where_ << ": got " << got_
           << ", expected " << wanted_ << ", allowed " << allowed_;
    return different_ == 0 ? testing::AssertionSuccess() : testing::AssertionFailure() << text.str();
  }

  long count() const { return count_; }
  double worst_share() const { return worst_share_; }  // of what is allowed

 private:
  void note_worst(double share, double got, double wanted, double allowed, const std::string& where) {
    worst_share_ = share, got_ = got, wanted_ = wanted, allowed_ = allowed, where_ = where;
  }

  std::string what_, where_;
  long count_ = 0, different_ = 0;
  double worst_share_ = 0, got_ = 0, wanted_ = 0, allowed_ = 0;
};

}  // namespace conesweep::oracle
