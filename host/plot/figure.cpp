#include "plot/figure.hpp"

#include <cmath>

#include "plot/palette.hpp"
#include "support/markup.hpp"
#include "support/text.hpp"

namespace conesweep::plot {
namespace {

std::string opening(const Figure& figure, const std::string& more) {
  return "<svg" + more + " viewBox=\"0 0 " + px(figure.width) + " " + px(figure.height) + "\" role=\"img\" aria-label=\"" + escape(figure.title) +
         "\"><title>" + escape(figure.title) + "</title><desc>" + escape(figure.title + ". " + figure.note) + "</desc>";
}

}  // namespace

std::string px(double place) {
  const double tenths = std::round(std::fmax(-1e6, std::fmin(1e6, place)) * 10);
  return format_number(tenths == 0 ? 0.0 : tenths / 10);
}

std::string to_svg(const Figure& figure) { return opening(figure, figure.ranges) + figure.drawing + "</svg>"; }

std::string to_svg_file(const Figure& figure, double millimetres) {
  const std::string size = " width=\"" + px(millimetres) + "mm\" height=\"" + px(millimetres * figure.height / figure.width) + "mm\"";
  return opening(figure, " xmlns=\"http://www.w3.org/2000/svg\"" + size) + "<style>" + figure_style() + "</style><rect class=\"back\" width=\"" +
         px(figure.width) + "\" height=\"" + px(figure.height) + "\"/>" + figure.drawing + "</svg>\n";
}

}  // namespace conesweep::plot
