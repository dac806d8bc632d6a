#include "ensemble/run_ensemble.hpp"

#include "keep/identity.hpp"
#include "run/step_ranges.hpp"
#include "sampling/sampler.hpp"

namespace conesweep::ensemble {

io::Results run_ensemble(const scenario::Scenario& scenario, const executor::Model& model, std::int64_t chunk,
                         const executor::Watch& watch, double& solve_seconds) {
  io::Results results;
  results.scenario = scenario;
  results.scenario_text = keep::resolved_text(scenario);
  results.backend = model.name();
  results.device = model.device();
  solve_seconds = 0;
  runs::step_ranges({scenario, *sampling::make_points(scenario), model, chunk, watch},
                    {{{0, scenario.ensemble.members}}}, [&](const io::ChunkResults& part, double seconds) {
                      results.append(part);
                      solve_seconds += seconds;
                    });
  return results;
}

}  // namespace conesweep::ensemble
