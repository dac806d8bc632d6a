#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ensemble/scales.hpp"
#include "executor/executor.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::ensemble {

/// The contact histories of members in two outcomes: how they differ.
class Histories {
 public:
  Histories(const scenario::Scenario& scenario, const executor::Outcome& a, const executor::Outcome& b);

  /// "impacts 3 and 4": the first thing in which the histories of a member differ.
  std::optional<std::string> difference(std::size_t m) const;

 private:
  std::optional<std::string> difference_of_modes(std::size_t m) const;

  const scenario::Scenario& scenario_;
  const executor::Outcome& a_;
  const executor::Outcome& b_;
  std::vector<std::string> names_;
  std::vector<Discrete> discrete_;
};

/// What parts a member that differs: its history, or the number that is furthest apart.
class Apart {
 public:
  Apart(const scenario::Scenario& scenario, const executor::Outcome& a, const executor::Outcome& b);

  std::string first(std::size_t m) const;
  bool is_unsolved_once(std::size_t m) const;  // by one of the two

 private:
  const executor::Outcome& a_;
  const executor::Outcome& b_;
  std::vector<std::string> names_;
  std::vector<double> scales_;
  Histories histories_;
};

}  // namespace conesweep::ensemble
