#include "api/scenario_parts.hpp"
#include "conesweep/studies.hpp"
#include "report/page.hpp"

namespace conesweep {
namespace {

std::vector<std::filesystem::path> to_paths(const std::vector<std::string>& folders) {
  if (folders.empty()) throw InputError("a report is made of at least one folder of a finished run");
  return {folders.begin(), folders.end()};
}

}  // namespace

std::string make_report(const std::vector<std::string>& folders) {
  return api::tell_plainly([&] { return report::make_page(report::read_runs(to_paths(folders))); });
}

std::vector<std::string> write_report(const std::vector<std::string>& folders, const std::string& file, bool force) {
  return api::tell_plainly([&] { return report::report_runs(to_paths(folders), file, force); });
}

std::vector<std::pair<std::string, std::string>> panels() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& panel : report::panels()) all.emplace_back(panel.name, panel.what.text());
  return all;
}

std::vector<Figure> draw(const std::string& folder, const std::string& panel, const FigureOptions& options) {
  return api::tell_plainly([&] {
    std::vector<Figure> figures;
    for (const auto& figure :
         report::draw_run(report::find_panel(panel), folder, {options.x, options.y, options.color}))
      figures.push_back({figure.title, figure.note, to_svg_file(figure, options.width), figure.numbers.to_csv()});
    return figures;
  });
}

}  // namespace conesweep
