#pragma once

#include <span>
#include <string>
#include <vector>

#include "executor/executor.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::sensitivity {

/// An estimate with its 95 % confidence interval. NaN: it is undefined, and a warning says why. Nothing is clipped: an
/// index that comes out negative is reported as it is.
struct Index {
  double value = nan;
  double lower = nan;
  double upper = nan;

  /// Cannot be told from 0. An interval of a point at 0 counts: the data show no effect.
  bool spans_zero() const { return lower <= 0 && upper >= 0; }
  bool operator==(const Index&) const = default;
};

/// One sentence about the indices of a kind whose interval contains 0, if there are any; `help` says what narrows it.
void warn_near_zero(const std::string& kind, std::span<const Index> indices, std::span<const std::string> labels,
                    const std::string& help, std::vector<std::string>& warnings);

/// Values of consecutive members come in pieces of any size; what uses them wants rows of so many members. Keeps the
/// rest for the next piece, so nothing depends on how members were cut into pieces. A member that stopped counts as
/// NaN.
class Rows {
 public:
  explicit Rows(std::size_t length) : length_(length) {}

  /// Calls use(row) for every row that is complete, in order.
  template <class Use>
  void add(std::span<const double> values, std::span<const executor::Status> status, Use&& use) {
    CS_ASSERT(values.size() == status.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      row_.push_back(status[i] == executor::Status::ok ? values[i] : nan);
      if (row_.size() < length_) continue;
      use(std::span<const double>(row_));
      row_.clear();
    }
  }

 private:
  std::size_t length_;
  std::vector<double> row_;  // of the row that is not complete yet
};

}  // namespace conesweep::sensitivity
