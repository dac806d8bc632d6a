#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/results_reader.hpp"
#include "scenario/scenario.hpp"
#include "tell/summary.hpp"

namespace conesweep::report {

/// A finished run in its folder, as far as a report looks at it. Statistics are those of its summary; what is drawn
/// member by member is read when it is asked for.
class RunView {
 public:
  /// InputError where there is no finished run, or the files are of different runs.
  explicit RunView(const std::filesystem::path& folder);
  RunView(RunView&&) = default;

  std::string label;  // what a legend calls it
  std::filesystem::path folder;
  tell::Summary summary;
  scenario::Scenario scenario;

  /// Members that are drawn: those that are independent of each other, and of more than a million every so many.
  static constexpr std::int64_t most_drawn = 1'000'000;
  std::int64_t stride() const { return stride_; }
  std::size_t drawn() const { return status_.size(); }
  const std::vector<executor::Status>& status() const { return status_; }  // [drawn member]

  std::vector<std::string> parameters() const { return results_->parameters(); }  // varied, then swept
  /// A column of parameters or observables; NaN for members that stopped. InputError for a name that is neither.
  const std::vector<double>& column(const std::string& name) const;
  bool is_parameter(const std::string& name) const;
  /// Codes of the drawn members, and all names; empty where the scenario has no classes.
  io::ResultsReader::Classes classes() const;
  bool has_members() const { return results_->has_members(); }

  /// Are members drawn at random, so that they tell of a distribution; or do they stand where a design of sensitivities
  /// wants them? Saltelli's do both.
  bool is_sample() const;
  bool is_design() const { return !summary.design.method.empty(); }

  const io::ResultsReader::Recorded& recorded() const { return recorded_; }
  /// Of these as many as a drawing can show, spread over all of them, the first and the last with them: of a grid
  /// members are sorted.
  std::vector<std::size_t> members_drawn(std::size_t most) const;
  std::vector<std::size_t> times_drawn() const;
  /// A recorded quantity, [member * times + time]. InputError for a name that was not recorded.
  const std::vector<double>& recorded(const std::string& name) const;

  /// The statistics of an observable; none for other names.
  const statistics::Summary* statistics_of(const std::string& observable) const;
  /// What halving the step did to it; none where that was not looked at.
  const tell::StepError* step_error_of(const std::string& observable) const;

  /// A sentence where not all members are drawn, else empty.
  std::string stride_note() const;

 private:
  void demand_scenario() const;
  bool is_independent(std::size_t member) const;

  std::unique_ptr<io::ResultsReader> results_;
  std::int64_t stride_ = 1;
  std::vector<executor::Status> status_;
  io::ResultsReader::Recorded recorded_;
  mutable std::map<std::string, std::vector<double>> columns_;
};

/// Recorded members that a report looks at.
inline constexpr std::size_t most_recorded = 64;

}  // namespace conesweep::report
