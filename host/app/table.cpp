#include "app/table.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace conesweep::app {

namespace {

constexpr std::size_t between = 2;  // blanks

std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  return widths;
}

}  // namespace

std::size_t width_of(const std::vector<std::vector<std::string>>& rows) {
  std::size_t width = 0;
  for (const std::size_t one : column_widths(rows)) width += (width > 0 ? between : 0) + one;
  return width;
}

std::string align_columns(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  const std::vector<std::size_t> widths = column_widths(rows);
  const auto put = [&](std::string& line, const std::vector<std::string>& row, std::size_t c) {
    if (c >= row.size()) return;
    const std::size_t space = widths[c] - display_width(row[c]);
    if (!line.empty()) line.append(between, ' ');
    if (c >= left) line.append(space, ' ');
    line += row[c];
    if (c < left) line.append(space, ' ');
  };
  const std::size_t heads = std::min(left, widths.size());
  std::size_t head_width = 0;
  for (std::size_t c = 0; c < heads; ++c) head_width += widths[c] + between;
  std::string lines;
  std::size_t last = heads;
  do {
    // as many of the other columns as fit, one at least
    const std::size_t first = last;
    std::size_t width = head_width;
    for (; last < widths.size() && (last == first || width + widths[last] <= table_width); ++last)
      width += widths[last] + between;
    if (!lines.empty()) lines += "\n";
    for (const auto& row : rows) {
      std::string line;
      for (std::size_t c = 0; c < heads; ++c) put(line, row, c);
      for (std::size_t c = first; c < last; ++c) put(line, row, c);
      line.resize(line.find_last_not_of(' ') + 1);
      lines += line + "\n";
    }
  } while (last < widths.size());
  return lines;
}

std::string cell(double x, int digits) { return x != x ? "–" : format_short(x, digits); }

}  // namespace conesweep::app
