#pragma once

#include <memory>
#include <string>

#include "run/listener.hpp"
#include "run/request.hpp"
#include "statistics/engine.hpp"

namespace conesweep::runs {

/// Who steps the members of a scenario and who sums and sorts, as a request asks.
struct Workplace {
  Workplace(const scenario::Scenario& scenario, const Request& request, Listener& listener);

  std::string reason;  // why this executor
  std::unique_ptr<executor::Executor> executor;
  std::unique_ptr<statistics::Engine> engine;  // where the executor is
};

}  // namespace conesweep::runs
