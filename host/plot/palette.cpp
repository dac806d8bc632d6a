#include "plot/palette.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace conesweep::plot {
namespace {

constexpr const char* viridis[field_steps] = {"#440154", "#481a6c", "#472f7d", "#414487", "#39568c", "#31688e", "#2a788e", "#23888e",
                                              "#1f988b", "#22a884", "#35b779", "#54c568", "#7ad151", "#a5db36", "#d2e21b", "#fde725"};

// variables: paper, ink, faint ink, grid, categories k0 … k7
using Colours = std::vector<std::pair<std::string, std::string>>;

Colours light() {
  return {{"paper", "#ffffff"}, {"ink", "#1b1f24"}, {"soft", "#57606a"}, {"grid", "#e4e7eb"}, {"shade", "#d5d9de"}, {"k0", "#0072b2"}, {"k1", "#d55e00"},
          {"k2", "#009e73"},    {"k3", "#cc79a7"},  {"k4", "#e69f00"},   {"k5", "#56b4e9"},   {"k6", "#8a7f00"},    {"k7", "#4d4d4d"}};
}

// the same hues, lighter: 3 to 1 against the paper at least
Colours dark() {
  return {{"paper", "#14171b"}, {"ink", "#e8eaed"}, {"soft", "#a3abb5"}, {"grid", "#2b3037"}, {"shade", "#3a414a"}, {"k0", "#4aa8e0"}, {"k1", "#f0803c"},
          {"k2", "#2fc299"},    {"k3", "#e29cc4"},  {"k4", "#f0b83a"},   {"k5", "#8fd0f5"},   {"k6", "#d8cd45"},    {"k7", "#b8b8b8"}};
}

std::string declare(const Colours& colours) {
  std::string text;
  for (const auto& [name, value] : colours) text += "--" + name + ":" + value + ";";
  return text;
}

}  // namespace

int field_step(double value, const Range& range) {
  const double share = range.length() > 0 ? (value - range.least) / range.length() : 0.5;
  return std::clamp(static_cast<int>(std::floor(share * field_steps)), 0, field_steps - 1);
}

std::string drawing_style() {
  std::string text =
      "svg text{font-family:\"Helvetica Neue\",Arial,\"Liberation Sans\",sans-serif;font-size:11px;fill:var(--ink)}"
      "svg .tick{fill:var(--soft)}svg .name{font-size:12px}svg .mid{text-anchor:middle}svg .end{text-anchor:end}"
      "svg .grid{stroke:var(--grid);fill:none}svg .axis{stroke:var(--soft);fill:none}svg .back{fill:var(--paper)}"
      "svg .line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}svg .thin{fill:none;stroke-width:.8;stroke-linejoin:round}"
      "svg .dot{fill:none;stroke-linecap:round}svg .shade{fill:var(--shade);shape-rendering:crispEdges}svg .bars{stroke:var(--paper);stroke-width:.6}"
      "svg .ink{stroke:var(--ink);fill:none}svg .pale{stroke:var(--shade);fill:none}svg .hole{stroke:var(--paper);fill:none}"
      "svg .o2{opacity:.18}svg .o3{opacity:.3}svg .o5{opacity:.5}svg .o7{opacity:.75}";
  for (int k = 0; k < category_count; ++k) {
    const std::string number = std::to_string(k);
    text += "svg .k" + number + "{fill:var(--k" + number + ")}svg .s" + number + "{stroke:var(--k" + number + ");fill:none}";
  }
  for (int k = 0; k < field_steps; ++k)
    text += "svg .f" + std::to_string(k) + "{fill:" + viridis[k] + ";shape-rendering:crispEdges}svg .g" + std::to_string(k) + "{stroke:" + viridis[k] +
            ";fill:none}";
  return text;
}

std::string light_colours() { return declare(light()); }
std::string dark_colours() { return declare(dark()); }

std::string figure_style() {
  std::string text = drawing_style();
  for (const auto& [name, value] : light()) {
    const std::string use = "var(--" + name + ")";
    for (std::size_t at; (at = text.find(use)) != text.npos;) text.replace(at, use.size(), value);
  }
  for (std::size_t at; (at = text.find("svg .")) != text.npos;) text.erase(at, 4);
  return text;
}

}  // namespace conesweep::plot
