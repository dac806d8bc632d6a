#include "report/panels.hpp"

#include "report/names.hpp"

namespace conesweep::report {

const std::vector<Panel>& panels() {
  static const std::vector<Panel> all = {
      {"histogram", "Observables", "distribution of an observable (--x)", draw_histograms},
      {"classes", "Classes", "shares of the classes", draw_classes},
      {"stopped", "Members that stopped", "where in parameter space members stopped (--x --y)", draw_stopped},
      {"band", "Motion", "a coordinate over time: quantiles and some members (--y)", draw_bands},
      {"phase", "Motion", "velocity over position (--x)", draw_phases},
      {"path", "Motion", "paths in the plane of two coordinates (--x --y)", draw_paths},
      {"modes", "Motion", "stick, slip and flight of members over time (--y: sorted by)", draw_modes},
      {"sensitivity", "Dependence", "which parameter drives an observable (--y)", draw_sensitivities},
      {"scatter", "Dependence", "an observable over a parameter (--x --y --color)", draw_scatter},
      {"map", "Dependence", "an observable (--color) over two parameters (--x --y)", draw_maps},
      {"sweep", "Sweep", "an observable (--y) over what was swept", draw_sweeps},
      {"convergence", "Step", "change with the step, from converge.json", draw_convergence},
      {"levels", "Step", "multilevel Monte Carlo, from mlmc.json", draw_levels},
  };
  return all;
}

std::string figure_id(const std::string& panel, const std::string& of, std::size_t run) {
  return panel + (of.empty() ? "" : "-" + to_id(of)) + (run == 0 ? "" : "-" + std::to_string(run + 1));
}

std::string of_run(const Runs& runs, const RunView& run) { return runs.size() == 1 ? std::string() : " · " + run.label; }

}  // namespace conesweep::report
