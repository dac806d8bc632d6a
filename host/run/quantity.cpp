#include "run/quantity.hpp"

#include <algorithm>

#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::runs {

Quantity find_quantity(const Setting& asked_by, const std::string& name, const scenario::Scenario& scenario) {
  auto names = observable_names(scenario);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return {name, static_cast<std::size_t>(found - names.begin())};
  for (std::size_t k = 0; k < scenario.classes.size(); ++k) {
    const std::string row = scenario::class_row(scenario.classes[k].name);
    if (name == row || name == scenario.classes[k].name) return {row, k, true};
    names.push_back(name.starts_with(scenario::class_row("")) ? row : scenario.classes[k].name);
  }
  throw InputError(about(asked_by) + "nothing observed" + std::string(scenario.classes.empty() ? "" : " and no class") +
                   " is called '" + name + "'" + suggest(name, names));
}

}  // namespace conesweep::runs
