#include "support/csv.hpp"

#include "support/text.hpp"

namespace conesweep {

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void Sheet::add(std::vector<std::string> words, const std::vector<double>& numbers) {
  for (const double number : numbers) words.push_back(format_short(number, 6));
  rows.push_back(std::move(words));
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

}  // namespace conesweep
