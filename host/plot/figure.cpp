#include "plot/figure.hpp"

#include <cmath>

#include "support/markup.hpp"
#include "support/text.hpp"

namespace conesweep::plot {
namespace {

constexpr const char* viridis[field_steps] = {"#440154", "#481a6c", "#472f7d", "#414487", "#39568c", "#31688e",
                                              "#2a788e", "#23888e", "#1f988b", "#22a884", "#35b779", "#54c568",
                                              "#7ad151", "#a5db36", "#d2e21b", "#fde725"};

// variables of a page: paper, ink, faint ink, grid, categories; in the dark the same hues, lighter: 3 to 1 against the
// paper at least
constexpr struct {
  const char *name, *light, *dark;
} colours[] = {{"paper", "#ffffff", "#14171b"}, {"ink", "#1b1f24", "#e8eaed"},   {"soft", "#57606a", "#a3abb5"},
               {"grid", "#e4e7eb", "#2b3037"},  {"shade", "#d5d9de", "#3a414a"}, {"k0", "#0072b2", "#4aa8e0"},
               {"k1", "#d55e00", "#f0803c"},    {"k2", "#009e73", "#2fc299"},    {"k3", "#cc79a7", "#e29cc4"},
               {"k4", "#e69f00", "#f0b83a"},    {"k5", "#56b4e9", "#8fd0f5"},    {"k6", "#8a7f00", "#d8cd45"},
               {"k7", "#4d4d4d", "#b8b8b8"}};

std::string opening(const Figure& figure, const std::string& more) {
  return "<svg" + more + " viewBox=\"0 0 " + px(figure.width) + " " + px(figure.height) +
         "\" role=\"img\" aria-label=\"" + escape(figure.title) + "\"><title>" + escape(figure.title) +
         "</title><desc>" + escape(figure.title + ". " + figure.note) + "</desc>";
}

}  // namespace

std::string px(double place) {
  const double tenths = std::round(std::fmax(-1e6, std::fmin(1e6, place)) * 10);
  return format_number(tenths == 0 ? 0.0 : tenths / 10);
}

std::string drawing_style() {
  std::string text =
      "svg text{font-family:\"Helvetica Neue\",Arial,\"Liberation Sans\",sans-serif;font-size:11px;fill:var(--ink)}"
      "svg .tick{fill:var(--soft)}svg .name{font-size:12px}svg .mid{text-anchor:middle}svg .end{text-anchor:end}"
      "svg .grid{stroke:var(--grid);fill:none}svg .axis{stroke:var(--soft);fill:none}svg .back{fill:var(--paper)}"
      "svg .line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}svg "
      ".thin{fill:none;stroke-width:.8;stroke-linejoin:round}"
      "svg .dot{fill:none;stroke-linecap:round}svg .shade{fill:var(--shade);shape-rendering:crispEdges}svg "
      ".bars{stroke:var(--paper);stroke-width:.6}"
      "svg .ink{stroke:var(--ink);fill:none}svg .pale{stroke:var(--shade);fill:none}svg "
      ".hole{stroke:var(--paper);fill:none}"
      "svg .o2{opacity:.18}svg .o3{opacity:.3}svg .o5{opacity:.5}svg .o7{opacity:.75}";
  for (int k = 0; k < category_count; ++k) {
    const std::string number = std::to_string(k);
    text += "svg .k" + number + "{fill:var(--k" + number + ")}svg .s" + number + "{stroke:var(--k" + number +
            ");fill:none}";
  }
  for (int k = 0; k < field_steps; ++k)
    text += "svg .f" + std::to_string(k) + "{fill:" + viridis[k] + ";stroke:" + viridis[k] +
            ";stroke-width:.4;shape-rendering:crispEdges}svg .g" + std::to_string(k) + "{stroke:" + viridis[k] +
            ";fill:none}";
  return text;
}

std::string colour_variables(bool dark) {
  std::string text;
  for (const auto& one : colours) text += std::string("--") + one.name + ":" + (dark ? one.dark : one.light) + ";";
  return text;
}

std::string figure_style() {
  std::string text = drawing_style();
  const auto replace_all = [&](const std::string& old, const std::string& by) {
    for (std::size_t at; (at = text.find(old)) != text.npos;) text.replace(at, old.size(), by);
  };
  for (const auto& one : colours) replace_all(std::string("var(--") + one.name + ")", one.light);
  replace_all("svg .", ".");
  return text;
}

std::string to_svg(const Figure& figure) { return opening(figure, figure.ranges) + figure.drawing + "</svg>"; }

std::string to_svg_file(const Figure& figure, double millimetres) {
  const std::string size =
      " width=\"" + px(millimetres) + "mm\" height=\"" + px(millimetres * figure.height / figure.width) + "mm\"";
  return opening(figure, " xmlns=\"http://www.w3.org/2000/svg\"" + size) + "<style>" + figure_style() +
         "</style><rect class=\"back\" width=\"" + px(figure.width) + "\" height=\"" + px(figure.height) + "\"/>" +
         figure.drawing + "</svg>\n";
}

}  // namespace conesweep::plot
