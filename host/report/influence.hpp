#pragma once

#include <string>
#include <vector>

#include "report/charts.hpp"
#include "report/run_view.hpp"

/// Which parameters an observable depends on.
namespace conesweep::report {

/// Are members drawn at random, so that they tell of a distribution; or do they stand where a design of sensitivities wants them?
bool is_sample(const RunView& run);
bool is_design(const RunView& run);

struct Influence {
  std::string kind;                     // what the numbers are
  std::vector<std::string> parameters;  // the one it depends on most first
  std::vector<Bars> series;             // [parameter]
};
inline constexpr const char* rank_correlation = "rank correlation";
inline constexpr std::size_t most_ranked = 20'000;  // members whose ranks are correlated

/// Indices of a design; of a sample rank correlations over some of the members drawn.
Influence influence_of(const RunView& run, const std::string& observable);

/// At most so many parameters, the one that an observable depends on most first.
std::vector<std::string> by_influence(const RunView& run, const std::string& observable, std::size_t most);

}  // namespace conesweep::report
