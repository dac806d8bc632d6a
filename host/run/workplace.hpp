#pragma once

#include <memory>
#include <string>

#include "run/listener.hpp"
#include "run/request.hpp"
#include "statistics/engine.hpp"

namespace conesweep::runs {

/// The model of a scenario, and who sums and sorts, as a request asks.
struct Workplace {
  Workplace(const scenario::Scenario& scenario, const Request& request, Listener& listener);

  std::string reason;  // why this executor
  std::unique_ptr<executor::Model> model;
  std::unique_ptr<statistics::Engine> engine;  // where the model is
};

}  // namespace conesweep::runs
