#include "scenario/reading/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

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

// The cells of a row: commas part them, but not inside quotes.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') quoted = !quoted;
    if (line[at] != ',' || quoted) continue;
    cells.emplace_back(trim(line.substr(begin, at - begin)));
    begin = at + 1;
  }
  cells.emplace_back(trim(line.substr(begin)));
  return cells;
}

/// The lines of a text, one after another.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string count_cells(std::size_t cells) { return std::to_string(cells) + (cells == 1 ? " cell" : " cells"); }

std::size_t find_column(const std::vector<std::string>& header, const std::string& column, const std::string& file) {
  for (auto name = header.begin(); name != header.end(); ++name)
    if (!name->empty() && std::find(name + 1, header.end(), *name) != header.end())
      throw InputError("the table " + file + " has two columns '" + *name + "'; rename one of them");
  const auto found = std::find(header.begin(), header.end(), column);
  if (found == header.end())
    throw InputError("the table " + file + " has no column '" + column + "'" + suggest(column, header) +
                     " (its columns: " + join_words(header) + ")");
  return static_cast<std::size_t>(found - header.begin());
}

constexpr std::size_t largest_table = std::size_t{1} << 30;  // bytes

}  // namespace

Table load_table(const std::filesystem::path& file) {
  std::error_code error;
  auto bytes = std::make_shared<const std::string>(read_file(file, error, largest_table));
  if (error == std::errc::file_too_large) throw InputError("the table " + file.string() + " has more than 1 GB");
  if (error == std::errc::is_a_directory)
    throw InputError("cannot read the table " + file.string() + ": it is a folder");
  if (error) throw InputError("cannot read the table " + file.string() + ": " + error.message());
  return {file, std::move(bytes)};
}

std::vector<double> read_column(const Table& table, const std::string& column) {
  const std::string file = table.file.string();
  Lines lines(*table.bytes);
  std::string_view line;
  if (!lines.next(line)) throw InputError("the table " + file + " is empty");
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // a byte order mark
  const std::vector<std::string> header = split(line);
  const std::size_t index = find_column(header, column, file);

  std::vector<double> values;
  for (int number = 2; lines.next(line); ++number) {
    if (trim(line).empty()) continue;
    const std::vector<std::string> cells = split(line);
    const std::string place = file + ":" + std::to_string(number) + ": ";
    if (cells.size() != header.size())
      throw InputError(
          place + "the row has " + count_cells(cells.size()) + ", the header " + std::to_string(header.size()) +
          (cells.size() > header.size() ? "; a comma parts cells, so decimals are written with a point: 1.5" : ""));
    std::string_view cell = cells[index];
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (result.ec != std::errc() || result.ptr != cell.data() + cell.size() || !std::isfinite(value))
      throw InputError(place + "'" + cells[index] + "' in column '" + column + "' is not a finite number");
    values.push_back(value);
  }
  if (values.empty()) throw InputError("the table " + file + " has no rows");
  return values;
}

}  // namespace conesweep::scenario
