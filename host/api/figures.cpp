#include "api/scenario_parts.hpp"
#include "conesweep/studies.hpp"
#include "report/page.hpp"

namespace conesweep {
namespace {

std::vector<std::filesystem::path> to_paths(const std::vector<std::string>& folders) {
  if (folders.empty()) throw InputError("a report is made of at least one folder of a finished run");
  return {folders.begin(), folders.end()};
}

FigureAxis to_axis(const plot::Axis& axis) {
  return {axis.label, axis.range.least, axis.range.most, axis.logarithmic, axis.names};
}

const char* to_name(plot::Join join) {
  switch (join) {
    case plot::Join::dots: return "dots";
    case plot::Join::line: return "line";
    case plot::Join::area: return "area";
    case plot::Join::boxes: break;
  }
  return "boxes";
}

Figure to_figure(plot::Chart chart, double width) {
  chart.settle();
  Figure figure;
  figure.x = to_axis(chart.x), figure.y = to_axis(chart.y);
  if (!chart.colours().label.empty()) figure.colours = to_axis(chart.colours());
  figure.names = chart.names();
  for (const plot::Mark& mark : chart.marks())
    figure.marks.push_back({to_name(mark.join), mark.style, mark.width, mark.points.x, mark.points.y});
  const plot::Figure drawn = chart.finish();
  figure.title = drawn.title, figure.note = drawn.note, figure.height = drawn.height;
  figure.svg = to_svg_file(drawn, width), figure.csv = drawn.numbers.to_csv();
  return figure;
}

}  // namespace

std::string make_report(const std::vector<std::string>& folders) {
  return api::tell_plainly([&] { return report::make_page(report::read_runs(to_paths(folders))); });
}

std::vector<std::string> write_report(const std::vector<std::string>& folders, const std::string& file, bool force) {
  return api::tell_plainly([&] { return report::report_runs(to_paths(folders), file, force); });
}

std::string make_report_head(const std::string& folder) {
  return api::tell_plainly([&] { return report::make_head(report::read_runs({folder})); });
}

std::vector<std::pair<std::string, std::string>> panels() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& panel : report::panels()) all.emplace_back(panel.name, panel.what.text());
  return all;
}

std::vector<Figure> draw(const std::string& folder, const std::string& panel, const FigureOptions& options) {
  return api::tell_plainly([&] {
    std::vector<Figure> figures;
    for (auto& chart : report::chart_run(report::find_panel(panel), folder, {options.x, options.y, options.color}))
      figures.push_back(to_figure(std::move(chart), options.width));
    return figures;
  });
}

}  // namespace conesweep
