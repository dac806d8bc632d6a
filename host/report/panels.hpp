#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plot/figure.hpp"
#include "report/facts.hpp"

namespace conesweep::report {

/// What a panel shows, where it can be chosen: observables or parameters by their names; empty: the panel's own choice.
struct Choice {
  std::string x = {}, y = {}, colour = {};
};

/// A kind of drawing: by its name `conesweep plot` makes one. `runs` has one run or several, which are drawn together; what cannot be shown gives none.
struct Panel {
  std::string name;     // histogram, band, scatter, …
  std::string section;  // of the page
  std::string what;     // in one line, for --help and messages
  std::function<std::vector<plot::Figure>(const Runs& runs, const Choice& choice)> draw;
};

/// All there are, in the order of the page.
const std::vector<Panel>& panels();

// ---- the panels, by the file they are in -----------------------------------------------------------------------------

using Figures = std::vector<plot::Figure>;

// distributions.cpp
Figures draw_histograms(const Runs& runs, const Choice& choice);
Figures draw_classes(const Runs& runs, const Choice& choice);

// motions.cpp
Figures draw_bands(const Runs& runs, const Choice& choice);
Figures draw_phases(const Runs& runs, const Choice& choice);
Figures draw_paths(const Runs& runs, const Choice& choice);
Figures draw_modes(const Runs& runs, const Choice& choice);

// dependence.cpp
Figures draw_sensitivities(const Runs& runs, const Choice& choice);
Figures draw_scatter(const Runs& runs, const Choice& choice);
Figures draw_maps(const Runs& runs, const Choice& choice);
Figures draw_stopped(const Runs& runs, const Choice& choice);

// sweeps.cpp
Figures draw_sweeps(const Runs& runs, const Choice& choice);
Figures draw_convergence(const Runs& runs, const Choice& choice);
Figures draw_levels(const Runs& runs, const Choice& choice);

/// Parameters of a run, the one that an observable depends on most first; by total Sobol indices where there are some, else by rank correlation.
std::vector<std::string> by_influence(const RunView& run, const std::string& observable);

/// "histogram-reach", of the second of several runs "histogram-reach-2".
std::string figure_id(const std::string& panel, const std::string& of, std::size_t run = 0);

/// Beside a title, where there are several runs: " · label".
std::string of_run(const Runs& runs, const RunView& run);

}  // namespace conesweep::report
