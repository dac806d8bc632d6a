#include <iostream>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "model/generator.hpp"
#include "model/unit.hpp"
#include "support/error.hpp"

namespace conesweep::app {
namespace {

struct ModelOptions {
  ScenarioFlags scenario;
  std::string unit;
  ExecutionFlags execution;
  TalkFlags talk;
};

int print_model(const ModelOptions& options) {
  const auto [source, scenario] = load(options.scenario, options.talk);
  const std::vector<int> columns = varying_parameters(scenario);
  const bool single = options.execution.is_single();
  if (options.unit.empty()) {
    std::cout << model::generate_model(scenario, columns);
  } else {
    std::cout << (options.unit == "cuda" ? model::make_cuda_unit(scenario, columns, single).text
                                         : model::make_cpu_unit(scenario, columns, single));
  }
  std::cout.flush();
  if (!std::cout) throw SystemError("cannot write to standard output");
  return fine;
}

void declare(Flags& flags, ModelOptions& options) {
  add_scenario(flags, options.scenario);
  flags.add("--unit", options.unit, "the whole unit with all our headers, not the struct alone: cpu, cuda", "NAME")
      .takes_only({"cpu", "cuda"});
  add_precision(flags, options.execution, "of the unit: double, single");
  add_quiet(flags, options.talk, "no warnings");
}

}  // namespace

Command model_command() {
  return make_command<ModelOptions>(
      {"model", "print the C++ that the fast executors compile",
       "  conesweep model slider.toml\n  conesweep model slider.toml --unit cuda > slider.cu\n"
       "The struct is what a model written by hand looks like: docs/user_model.md."},
      declare, print_model);
}

}  // namespace conesweep::app
