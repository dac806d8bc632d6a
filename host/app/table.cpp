#include "app/table.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace conesweep::app {

std::string align_columns(const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  const auto width_of = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  };
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  std::string lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - width_of(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (c < left ? row[c] + space : space + row[c]);
    }
    lines += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return lines;
}

std::string counted(std::int64_t n) { return format_count(static_cast<unsigned long long>(n)); }
std::string counted_members(std::int64_t n) { return counted(n) + (n == 1 ? " member" : " members"); }
std::string cell(double x, int digits) { return x != x ? "–" : format_short(x, digits); }

}  // namespace conesweep::app
