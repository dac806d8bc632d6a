#include "report/panels.hpp"

#include "report/page.hpp"
#include "report/warnings.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

#include "report/names.hpp"

namespace conesweep::report {

std::vector<Panel> panels() {
  std::vector<Panel> all;
  for (const auto& family : {distribution_panels(), dependence_panels(), motion_panels(), study_panels()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

Panel find_panel(const std::string& name) {
  std::vector<std::string> names;
  for (const Panel& panel : panels()) {
    if (panel.name == name) return panel;
    names.push_back(panel.name);
  }
  throw InputError("unknown panel '" + name + "'" + suggest(name, names) + "; there are " + join_words(names));
}

namespace {

std::vector<plot::Chart> make_charts(const Panel& panel, View runs, const Choice& wanted) {
  constexpr std::size_t most_beside = 4;  // figures that each of several runs has
  std::vector<plot::Chart> charts;
  const std::size_t together = panel.together ? runs.size() : 1;
  const bool beside = together < runs.size();
  for (std::size_t r = 0; r < runs.size(); r += together) {
    Choices choices = panel.choose(runs[r], wanted);
    if (beside && choices.size() > most_beside) choices.resize(most_beside);
    for (const Choice& choice : choices) {
      plot::Chart chart = panel.chart(runs.subspan(r, together), choice);
      chart.about.id = panel.name;
      for (const auto& name : {choice.colour, choice.y, choice.x})
        if (!name.empty()) chart.about.id += "-" + to_id(name);
      if (r > 0) chart.about.id += "-" + std::to_string(r + 1);
      if (beside) chart.about.title += " · " + runs[r].label;
      charts.push_back(std::move(chart));
    }
  }
  return charts;
}

std::vector<plot::Figure> finish(std::vector<plot::Chart> charts) {
  std::vector<plot::Figure> figures;
  for (plot::Chart& chart : charts) figures.push_back(chart.finish());
  return figures;
}

}  // namespace

std::vector<plot::Chart> chart_run(const Panel& panel, const std::string& folder, const Choice& wanted) {
  const Runs runs = read_runs({folder});
  auto charts = make_charts(panel, runs, wanted);
  if (!charts.empty()) return charts;
  const std::string nothing = "there is nothing to draw for '" + panel.name + "' in " + folder + ": it ";
  if (!runs.front().has_members())
    throw InputError(nothing + "keeps statistics alone, and nothing of single members; run again with " +
                     setting::keep("members") + " for that");
  const std::string why = warn_of_studies(runs.front());
  throw InputError(nothing + "needs " + panel.needs + (why.empty() ? "" : "; " + why));
}

std::vector<plot::Figure> draw_run(const Panel& panel, const std::string& folder, const Choice& wanted) {
  return finish(chart_run(panel, folder, wanted));
}

std::vector<plot::Figure> draw(const Panel& panel, View runs, const Choice& wanted) {
  return finish(make_charts(panel, runs, wanted));
}

Choices each(std::string Choice::*field, const Choice& wanted, const std::vector<std::string>& names) {
  if (!(wanted.*field).empty()) return {wanted};
  Choices choices(names.size(), wanted);
  for (std::size_t k = 0; k < names.size(); ++k) choices[k].*field = names[k];
  return choices;
}

}  // namespace conesweep::report
