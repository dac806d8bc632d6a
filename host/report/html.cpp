#include "report/html.hpp"

#include <cmath>

#include "support/text.hpp"

namespace conesweep::report {
namespace {

constexpr std::size_t most_rows = 40;  // of a folded table; the others are in the CSV

// As a URL has it.
std::string percent(const std::string& text) {
  static const char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       (c != 0 && std::string("-_.~,()*!/:;=@+").find(c) != std::string::npos);
    if (plain)
      out += c;
    else
      out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

std::string cells(const std::vector<std::string>& row, const char* tag) {
  std::string out = "<tr>";
  for (std::size_t k = 0; k < row.size(); ++k) {
    const bool head = k == 0 || tag[1] == 'h';
    out += head ? (tag[1] == 'h' ? "<th scope=\"col\">" : "<th scope=\"row\">") + row[k] + "</th>"
                : "<td>" + row[k] + "</td>";
  }
  return out + "</tr>";
}

std::string numbers_of(const plot::Figure& figure) {
  const Sheet& sheet = figure.numbers;
  if (sheet.rows.empty()) return {};
  std::vector<std::string> head;
  for (const auto& cell : sheet.head) head.push_back(escape(cell));
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : sheet.rows) {
    if (rows.size() == most_rows) break;
    auto& out = rows.emplace_back();
    for (const auto& cell : row) out.push_back(escape(cell == "nan" ? "–" : cell));
  }
  std::string more;
  if (sheet.rows.size() > most_rows)
    more = "<p class=\"note\">The first " + std::to_string(most_rows) + " of " +
           counted(static_cast<std::int64_t>(sheet.rows.size())) + " rows; the CSV has all.</p>";
  return "<details><summary>Numbers</summary>" + csv_link(sheet.to_csv(), figure.id + ".csv") +
         html_table(head, rows, "small") + more + "</details>";
}

}  // namespace

std::string html_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                       const std::string& style) {
  std::string out = "<div class=\"scroll\"><table" + (style.empty() ? "" : " class=\"" + style + "\"") + ">";
  if (!head.empty()) out += "<thead>" + cells(head, "th") + "</thead>";
  out += "<tbody>";
  for (const auto& row : rows) out += cells(row, "td") + "\n";
  return out + "</tbody></table></div>";
}

std::string csv_link(const std::string& csv, const std::string& file) {
  return "<a class=\"csv\" download=\"" + escape(file) + "\" href=\"data:text/csv;charset=utf-8," + percent(csv) +
         "\">CSV</a>";
}

std::string html_figure(const plot::Figure& figure, bool with_numbers) {
  std::string note = escape(figure.note);
  for (std::size_t at; (at = note.find('\n')) != note.npos;) note.replace(at, 1, "<br>");
  return "<figure id=\"" + figure.id + "\"><figcaption>" + escape(figure.title) + "</figcaption>" + to_svg(figure) +
         (note.empty() ? "" : "<p class=\"note\">" + note + "</p>") + (with_numbers ? numbers_of(figure) : "") +
         "</figure>\n";
}

std::string cell_of(double number, int digits) {
  if (std::isnan(number)) return "–";
  return written(number, digits);
}

}  // namespace conesweep::report
