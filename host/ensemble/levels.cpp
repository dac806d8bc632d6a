#include "ensemble/levels.hpp"

#include <algorithm>
#include <numbers>

#include <conesweep/math/elementary.hpp>

#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::ensemble {

std::size_t find_observable(const scenario::Scenario& scenario, const std::string& name) {
  const auto names = observable_names(scenario);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string near = suggest(name, names);
  throw InputError(about(setting::observable) + "unknown observable '" + name + "'" +
                   (near.empty() ? "; known: " + join_words(names) : near));
}

void refuse_sweep(const scenario::Scenario& scenario, const std::string& command) {
  if (scenario.sweep.empty()) return;
  throw InputError(
      "[sweep]: " + command + " is about one ensemble; take one point with " +
      setting::set(scenario.names.parameters[static_cast<std::size_t>(scenario.sweep.front().parameter)] + "=…"));
}

double log2_of(double x) { return math::log(x) * std::numbers::log2e; }
double exp2_of(double x) { return math::pow(2.0, x); }

}  // namespace conesweep::ensemble
