#include "app/table.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace conesweep::app {

std::string align_columns(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  std::string lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - display_width(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (c < left ? row[c] + space : space + row[c]);
    }
    lines += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return lines;
}

std::string cell(double x, int digits) { return x != x ? "–" : format_short(x, digits); }

}  // namespace conesweep::app
