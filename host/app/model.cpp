#include <iostream>

#include "app/options.hpp"
#include "model/generator.hpp"
#include "model/unit.hpp"
#include "support/error.hpp"

namespace conesweep::app {

int model(const Options& options) {
  const auto [source, scenario] = load(options);
  const bool single = options.precision == "single";
  if (options.unit.empty()) {
    std::cout << model::generate_model(scenario);
  } else {
    std::cout << (options.unit == "cuda" ? model::make_cuda_unit(scenario, single).text : model::make_cpu_unit(scenario, single));
  }
  std::cout.flush();
  if (!std::cout) throw SystemError("cannot write to standard output");
  return fine;
}

}  // namespace conesweep::app
