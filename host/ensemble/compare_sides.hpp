#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ensemble/compare.hpp"

/// The study of two executors from begin to end: who they are, how many members, what may differ, who is judged, and
/// what all of it says.
namespace conesweep::ensemble {

/// One of the two that are compared: "cpu", "cpu:single".
struct Side {
  std::string name, backend;
  executor::Options options;

  bool is_reference() const { return backend == "reference"; }
  bool is_single() const { return options.precision == executor::Precision::single; }
};

struct CompareRequest {
  std::string backends = "cpu,reference";
  executor::Options execution = {};
  bool members_are_asked_for = false;  // else a thousand are enough where the reference takes part
  double tolerance = std::numeric_limits<double>::quiet_NaN();  // NaN: by precision
  double grazing = 1;                                           // largest share of members that rounding may part
  std::int64_t judge = 4096;                                    // at most so many members that differ; 0: nobody
  bool bits = false;
};

/// All that judging told, and of how many.
struct Judgement {
  std::vector<JudgedMember> members;
  std::int64_t differing = 0;
  std::int64_t stride = 1;
};

/// Both sides, and what was found.
struct Compared {
  std::vector<Side> sides;  // two
  CompareLimits limits;
  Comparison comparison;
  Judgement judgement;

  std::string both() const { return sides[0].name + " and " + sides[1].name; }
  /// Names of those whose steps the reference judges.
  std::string judged_names() const;
  double accepted_residual() const;  // of a step
};

/// Where a comparison tells how far it is.
struct CompareHooks {
  // so many members are about to be run on both
  std::function<void(const Side&, const executor::Model&, const Side&, const executor::Model&, std::int64_t members)>
      introduce = {};
  // so many runs of a member, or judgements of one, are about to begin; they ended
  std::function<void(std::int64_t runs)> begins = [](std::int64_t) {};
  std::function<void()> ends = [] {};
  executor::Watch watch = {};
};

/// The two sides as they are asked for, and what may differ. InputError where that makes no sense; before anything is
/// read or compiled.
Compared prepare_comparison(const CompareRequest& request);

/// Runs both and compares.
Compared compare_sides(const scenario::Scenario& scenario, const CompareRequest& request, const CompareHooks& hooks);

/// What it comes to, in words.
Sentence verdict(const Compared& compared);

std::string to_json(const scenario::Scenario& scenario, const Compared& compared);

}  // namespace conesweep::ensemble
