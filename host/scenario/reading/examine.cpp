#include "scenario/reading/examine.hpp"

#include <utility>

#include "scenario/reading/check.hpp"

namespace conesweep::scenario {

Examined examine(Source source, const Overrides& overrides) {
  Examined examined{std::move(source), std::nullopt, {}};
  examined.scenario = read_scenario(examined.source, overrides, examined.problems);
  if (examined.scenario) try_members(*examined.scenario, examined.source, tried_members, examined.problems);
  return examined;
}

}  // namespace conesweep::scenario
