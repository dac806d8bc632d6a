#pragma once

#include <string>
#include <vector>

#include "report/run_view.hpp"

namespace conesweep::report {

/// A name as people write it: alpha is α, theta0 is θ₀, mu_s stays μ_s.
std::string pretty(const std::string& name);

/// A Greek letter by its English name; empty where it is none.
std::string greek(const std::string& name);

/// With its unit where [units] gives one: "reach (m)".
std::string label_of(const RunView& run, const std::string& name);

/// Observables in the order in which a reader wants them: those of the scenario, then standard ones, then final
/// positions and velocities; of these only those that vary and do not repeat another, and at most so many.
std::vector<std::string> worth_showing(const RunView& run, std::size_t most);

/// Does an observable differ between members by more than rounding?
bool varies(const statistics::Summary& statistics);

/// Varied parameters whose distribution is one of the logarithm.
bool wants_logarithm(const RunView& run, const std::string& parameter);

/// A name as part of an id in a page: letters, digits, hyphens.
std::string to_id(const std::string& name);

}  // namespace conesweep::report
