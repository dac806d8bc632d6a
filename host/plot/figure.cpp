#include "plot/figure.hpp"

#include <cmath>
#include <cstdio>

#include "plot/palette.hpp"
#include "support/csv.hpp"
#include "support/text.hpp"

namespace conesweep::plot {
namespace {

std::string view_box(const Figure& figure) { return "viewBox=\"0 0 " + px(figure.width) + " " + px(figure.height) + "\""; }

// for screen readers
std::string described(const Figure& figure) {
  return "<title>" + escape(figure.title) + "</title><desc>" + escape(figure.title + ". " + figure.note) + "</desc>";
}

std::string labelled(const Figure& figure) { return " role=\"img\" aria-label=\"" + escape(figure.title) + "\""; }

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
          out += c;
        else
          out += "�";  // no control character is allowed in XML
    }
  return out;
}

std::string px(double place) {
  const double tenths = std::round(std::fmax(-1e6, std::fmin(1e6, place)) * 10);
  return format_number(tenths == 0 ? 0.0 : tenths / 10);
}

void Sheet::add(std::vector<std::string> names, const std::vector<double>& numbers) {
  for (const double number : numbers) names.push_back(format_short(number, 6));
  rows.push_back(std::move(names));
}

std::string Sheet::to_csv() const {
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) text += (k > 0 ? "," : "") + csv_cell(cells[k]);
    text += "\n";
  };
  add_line(head);
  for (const auto& row : rows) add_line(row);
  return text;
}

std::string to_svg(const Figure& figure) {
  return "<svg " + view_box(figure) + labelled(figure) + figure.ranges + ">" + described(figure) + figure.drawing + "</svg>";
}

std::string to_svg_file(const Figure& figure, double millimetres) {
  const std::string size = " width=\"" + px(millimetres) + "mm\" height=\"" + px(millimetres * figure.height / figure.width) + "mm\" ";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + size + view_box(figure) + labelled(figure) + ">" + described(figure) + "<style>" + figure_style() +
         "</style><rect class=\"back\" width=\"" + px(figure.width) + "\" height=\"" + px(figure.height) + "\"/>" + figure.drawing + "</svg>\n";
}

}  // namespace conesweep::plot
