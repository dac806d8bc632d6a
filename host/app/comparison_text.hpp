#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "ensemble/compare.hpp"

namespace conesweep::app {

/// One of the two that are compared: "cpu", "cpu:single".
struct Side {
  std::string name, backend;
  executor::Options options;

  bool is_reference() const { return backend == "reference"; }
  bool is_single() const { return options.precision == executor::Precision::single; }
};

/// All that judging told, and of how many.
struct Judgements {
  std::vector<ensemble::JudgedMember> members;
  std::int64_t differing = 0;
  std::int64_t stride = 1;
};

/// Two executors that were compared: what is told of it, as text and as JSON.
struct ComparisonText {
  const scenario::Scenario& scenario;
  const ensemble::Comparison& comparison;
  const ensemble::CompareLimits& limits;
  const std::vector<Side>& sides;
  const Judgements& judgements;

  void print() const;  // tables, members that went another way, and the verdict
  nlohmann::ordered_json to_json() const;

 private:
  void print_differences() const;
  void print_judged() const;
  void print_grazing() const;
  void print_means() const;
  void print_classes() const;
  std::string verdict() const;
  std::string verdict_of_bits() const;
  std::string agreement() const;
  std::string disagreement() const;
  nlohmann::ordered_json differences_as_json() const;

  std::string judged_names() const;  // of those whose steps the reference judges
  std::string both() const { return sides[0].name + " and " + sides[1].name; }
  double accepted_residual() const;
};

}  // namespace conesweep::app
