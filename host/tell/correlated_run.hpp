#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/results_reader.hpp"
#include "sensitivity/correlation.hpp"
#include "tell/summary.hpp"

namespace conesweep::tell {

/// A finished run in its folder, whose observables are correlated with its parameters. Of a design only the independent
/// members count.
class CorrelatedRun {
 public:
  /// InputError if there is no finished run, if results.h5 is of another one, if nothing varies, or if its members are
  /// no sample.
  explicit CorrelatedRun(const std::filesystem::path& folder);

  const std::vector<std::string>& parameters() const { return results_.parameters(); }
  /// The observables; class.<name> of each class; `stopped` where some member did.
  const std::vector<std::string>& rows() const { return rows_; }

  std::int64_t members() const { return static_cast<std::int64_t>(status_.size()); }
  std::int64_t stopped() const;

  /// Where in parameter space members stopped.
  std::vector<StoppedReach> stopped_where() const;

  struct Correlated {
    sensitivity::Correlations correlations;
    bool has_values = false;  // of some member
    bool varies = false;      // not all of them are the same
  };
  Correlated correlate(std::size_t row) const;

 private:
  template <class T>
  std::vector<T> select(std::vector<T> column) const;

  Summary summary_;
  io::ResultsReader results_;
  std::vector<executor::Status> status_;
  io::ResultsReader::Classes classes_;
  std::vector<std::string> rows_;
  std::vector<std::vector<double>> columns_;  // [parameter][member]
};

/// What was found of some rows, as JSON.
std::string to_json(const std::vector<std::pair<std::string, sensitivity::Correlations>>& found,
                    const std::vector<std::string>& parameters);

}  // namespace conesweep::tell
