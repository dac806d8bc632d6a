#pragma once

#include <utility>
#include <vector>

#include "conesweep/conesweep.hpp"
#include "scenario/reading/examine.hpp"
#include "support/error.hpp"

/// What is behind the types of the public headers.
namespace conesweep::api {

/// A scenario that was read, and is valid: its problems are warnings.
struct ScenarioParts : scenario::Examined {
  std::vector<Problem> warnings;
};

struct Access {
  static const ScenarioParts& parts(const Scenario& scenario) { return *scenario.parts_; }

  /// ScenarioError with all problems.
  static Scenario examine(scenario::Source source, const scenario::Overrides& overrides = {});
};

/// Does something for a user of the library: what is thrown has the types of the public headers.
template <class Work>
auto tell_plainly(const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw ScenarioError(error.what());
  } catch (const Interrupted& stop) {
    throw Cancelled(stop.what());
  }
}

}  // namespace conesweep::api
