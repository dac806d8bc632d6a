#include "ensemble/scales.hpp"

#include <algorithm>
#include <cmath>

namespace conesweep::ensemble {
namespace {

constexpr double least_share_of_state = 1e-3;
constexpr double still = 1e-12;  // of what contacts carry in a step: what moves less is rounding of that

double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double x : values)
    if (std::isfinite(x)) size = std::max(size, std::fabs(x));
  return size;
}

}  // namespace

double state_size(const scenario::Scenario& scenario, const executor::Outcome& outcome) {
  double size = 0;
  const std::size_t finals = count_states(scenario);
  for (std::size_t k = outcome.observables.size() - finals; k < outcome.observables.size(); ++k)
    size = std::max(size, largest(outcome.observables[k]));
  double carried = 0;
  for (std::size_t k = 0; k < scenario.standard.size(); ++k) {
    const std::vector<double>& column = outcome.observables[scenario.observables.size() + k];
    if (scenario.standard[k] == scenario::Standard::variation) size = std::max(size, largest(column));
    if (scenario.standard[k] == scenario::Standard::impulse)
      carried = largest(column) / static_cast<double>(scenario.steps);
  }
  return size > still * carried ? size : carried;
}

double least_scale(const scenario::Scenario& scenario, const executor::Outcome& outcome) {
  return least_share_of_state * state_size(scenario, outcome);
}

std::vector<double> observable_scales(const scenario::Scenario& scenario, const executor::Outcome& outcome) {
  const double least = least_scale(scenario, outcome);
  std::vector<double> scales;
  for (const auto& column : outcome.observables) scales.push_back(std::max(least, largest(column)));
  return scales;
}

std::vector<Discrete> find_discrete(const scenario::Scenario& scenario) {
  using scenario::Measure;
  std::vector<Discrete> all;
  std::size_t k = 0;
  const auto add = [&](const std::string& name, Measure measure) {
    const double unit = measure == Measure::count   ? 1
                        : measure == Measure::share ? 1 / static_cast<double>(scenario.steps)
                                                    : scenario.h();
    if (measure != Measure::amount) all.push_back({k, name, unit});
    ++k;
  };
  for (const auto& observable : scenario.observables)
    add(observable.name, scenario::reducers[observable.reducer].measure);
  for (const scenario::Standard standard : scenario.standard)
    add(std::string(to_name(standard)), scenario::standard_quantities[standard].measure);
  k += scenario.of_laws.size();
  if (scenario.stop) add("end_time", Measure::time);
  return all;
}

}  // namespace conesweep::ensemble
