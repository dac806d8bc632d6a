#include "scenario/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "support/error.hpp"
#include "support/file.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = line.find(',', begin);
    cells.emplace_back(trim(std::string_view(line).substr(begin, comma == std::string::npos ? comma : comma - begin)));
    if (comma == std::string::npos) return cells;
    begin = comma + 1;
  }
}

}  // namespace

std::vector<double> read_table_column(const std::filesystem::path& file, const std::string& column) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw InputError("cannot read the table " + file.string() + ": it is a folder");
  constexpr std::size_t largest = std::size_t{1} << 30;
  auto text = read_at_most(file, largest, "the table ");
  if (!text) throw InputError("the table " + file.string() + " has more than 1 GB");
  std::istringstream in(std::move(*text));
  std::string line;
  if (!std::getline(in, line)) throw InputError("the table " + file.string() + " is empty");
  if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // a byte order mark
  const std::vector<std::string> header = split(line);
  const auto found = std::find(header.begin(), header.end(), column);
  if (found == header.end())
    throw InputError("the table " + file.string() + " has no column '" + column + "'" + suggest(column, header) + " (its columns: " + join_words(header) + ")");
  const auto index = static_cast<std::size_t>(found - header.begin());

  std::vector<double> values;
  for (int number = 2; std::getline(in, line); ++number) {
    if (trim(line).empty()) continue;
    const std::vector<std::string> cells = split(line);
    const std::string place = file.string() + ":" + std::to_string(number) + ": ";
    if (index >= cells.size())
      throw InputError(place + "the row has " + std::to_string(cells.size()) + (cells.size() == 1 ? " cell" : " cells") + ", column '" + column +
                       "' is missing");
    std::string_view cell = cells[index];
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (result.ec != std::errc() || result.ptr != cell.data() + cell.size() || !std::isfinite(value))
      throw InputError(place + "'" + cells[index] + "' in column '" + column + "' is not a finite number");
    values.push_back(value);
  }
  if (values.empty()) throw InputError("the table " + file.string() + " has no rows");
  return values;
}

}  // namespace conesweep::scenario
