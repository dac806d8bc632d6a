#pragma once

#include <span>
#include <string>
#include <vector>

#include "plot/chart.hpp"
#include "report/run_view.hpp"
#include "support/sentence.hpp"

namespace conesweep::report {

/// Runs that are drawn together, one or several.
using View = std::span<const RunView>;

/// What a figure shows: observables or parameters by their names; empty: not chosen, or not asked for.
struct Choice {
  std::string x = {}, y = {}, colour = {};
};
using Choices = std::vector<Choice>;

/// A kind of drawing; by its name `conesweep plot` makes one.
struct Panel {
  std::string name;     // histogram, band, scatter, …
  std::string section;  // of the page
  Sentence what;        // in one line
  std::string needs;    // what a run must have, for messages
  bool together;        // all runs in one figure, else each in its own

  /// The figures of a run, what is left open of a wish filled in; none where it has not what is needed.
  Choices (*choose)(const RunView& run, const Choice& wanted);
  /// One of them; `draw` adds its id, and of several runs the label.
  plot::Chart (*chart)(View runs, const Choice& choice);
};

/// All there are, in the order of the page: the families are in distributions.cpp, dependence.cpp, motions.cpp and
/// studies.cpp.
std::vector<Panel> panels();
std::vector<Panel> distribution_panels();
std::vector<Panel> dependence_panels();
std::vector<Panel> motion_panels();
std::vector<Panel> study_panels();

/// The one of that name; InputError suggests the closest.
Panel find_panel(const std::string& name);

/// The figures of a panel for the run in a folder, as charts. InputError, which says what it needs, where there are
/// none.
std::vector<plot::Chart> chart_run(const Panel& panel, const std::string& folder, const Choice& wanted = {});

/// The same, drawn.
std::vector<plot::Figure> draw_run(const Panel& panel, const std::string& folder, const Choice& wanted = {});

/// The figures of a panel for all runs.
std::vector<plot::Figure> draw(const Panel& panel, View runs, const Choice& wanted = {});

/// A choice for each name, or for what is wanted alone.
Choices each(std::string Choice::*field, const Choice& wanted, const std::vector<std::string>& names);

}  // namespace conesweep::report
