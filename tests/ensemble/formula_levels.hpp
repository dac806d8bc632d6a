#pragma once

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "ensemble/drag.hpp"
#include "ensemble/mlmc.hpp"

namespace conesweep::test {

using ensemble::MlmcRequest;
using ensemble::MlmcResult;
using executor::Outcome;
using executor::Status;

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline bool run_all() { return std::getenv("CONESWEEP_ALL") != nullptr; }

inline std::vector<std::string> texts_of(const std::vector<Sentence>& notes) {
  std::vector<std::string> texts;
  for (const Sentence& note : notes) texts.push_back(note.text());
  return texts;
}

/// An observable that is a formula of the member's v0 = u in [0.5, 1.5] and of the step, in place of a motion.
using Formula = std::function<double(double u, double h)>;

class FormulaExecutor final : public executor::Model {
 public:
  FormulaExecutor(const scenario::Problem& problem, Formula formula) : shape_(problem), formula_(std::move(formula)) {}
  std::string name() const override { return "formula"; }
  std::string device() const override { return "formula"; }
  Outcome run(const scenario::Setup& setup, const executor::Chunk& chunk, const executor::Watch& watch) const override {
    Outcome outcome = executor::make_outcome(shape_, setup, chunk);
    for (std::size_t m = 0; m < outcome.status.size(); ++m) {
      const double value = formula_(chunk.varied.empty() ? 1 : chunk.varied[1][m], setup.h());
      if (value == stop)
        outcome.status[m] = Status::non_finite;
      else
        outcome.observables[0][m] = value;
    }
    watch.finished(chunk.count());
    return outcome;
  }
  static constexpr double stop = 1e99;

 private:
  executor::OutcomeShape shape_;
  Formula formula_;
};

/// Does the speed of drag, v0 (1 - c h)^N, end above a threshold?
class IndicatorExecutor final : public executor::Model {
 public:
  IndicatorExecutor(const scenario::Problem& problem, double threshold) : shape_(problem), threshold_(threshold) {}
  std::string name() const override { return "indicator"; }
  std::string device() const override { return "indicator"; }
  Outcome run(const scenario::Setup& setup, const executor::Chunk& chunk, const executor::Watch& watch) const override {
    Outcome outcome = executor::make_outcome(shape_, setup, chunk);
    for (std::size_t m = 0; m < outcome.status.size(); ++m)
      outcome.observables[0][m] =
          chunk.varied[1][m] * std::pow(1 - chunk.varied[0][m] * setup.h(), static_cast<double>(setup.steps)) >
                  threshold_
              ? 1
              : 0;
    watch.finished(chunk.count());
    return outcome;
  }

 private:
  executor::OutcomeShape shape_;
  double threshold_;
};

inline ensemble::MakeModel by(const Formula& formula) {
  return [formula](const scenario::Scenario& scenario) { return std::make_unique<FormulaExecutor>(scenario, formula); };
}

inline MlmcResult run(const ensemble::MakeModel& make, double rmse, std::uint64_t seed = 1, MlmcRequest request = {}) {
  request.observable = "speed";
  request.rmse = rmse;
  const auto scenario = drag(8, 1000, seed);
  return ensemble::run_mlmc(scenario, request, make, {});
}

// P_h = u² + h (1 + u): E P_0 = 13/12, E P_h - E P_0 = 2 h, V (P_h - P_{h/2}) = (h/2)² / 12
inline double smooth(double u, double h) { return u * u + h * (1 + u); }
inline constexpr double smooth_mean = 13.0 / 12;

// P_h = u², and one more for a share h of the members: V Y_l ~ h, as where a count or a mode depends on the step
inline double jumping(double u, double h) { return u * u + (u - 0.5 < h ? 1 : 0); }

}  // namespace conesweep::test
