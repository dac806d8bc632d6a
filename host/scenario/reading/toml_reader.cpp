#include "scenario/reading/toml_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// Characters from the beginning of a region to its end, if both stand on one line.
int length_of(const toml::source_region& region) {
  const bool one_line = region.begin.line == region.end.line && region.end.column > region.begin.column;
  return one_line ? static_cast<int>(region.end.column - region.begin.column) : 1;
}

}  // namespace

FilePlace to_place(const toml::source_position& position) {
  return {static_cast<int>(position.line), static_cast<int>(position.column)};
}

// Dots between two of = , { } [ ] and line ends, outside of strings and comments: a key's parts, or a number's point.
Unreadable find_unreadable(std::string_view text) {
  FilePlace place = {1, 1};
  int dots = 0;
  std::string_view quote;  // that the string ends with; empty outside of one
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t length = 1;
    if (!quote.empty()) {
      if (c == '\\' && quote[0] == '"')
        length = 2;
      else if (text.substr(at, quote.size()) == quote)
        length = quote.size(), quote = {};
      else if (c == '\n' && quote.size() == 1)
        quote = {};  // not valid TOML, and not ours to tell
    } else if (c == '"' || c == '\'') {
      const bool three = text.size() - at >= 3 && text[at + 1] == c && text[at + 2] == c;
      length = three ? 3 : 1;
      quote = text.substr(at, length);
    } else if (c == '#') {
      length = std::min(text.find('\n', at), text.size()) - at;
    } else if (c == '.') {
      if (++dots >= most_key_parts)
        return {place,
                "this key has more than " + std::to_string(most_key_parts) + " parts; a scenario's have at most three"};
    } else if (std::string_view("=,{}[]\n").find(c) != std::string_view::npos) {
      dots = 0;
    } else if (const auto byte = static_cast<unsigned char>(c);
               byte >= 0x7F || (byte < 0x20 && c != '\t' && c != '\r')) {
      return {place, "not valid TOML: this character can stand only in quotes and in comments"};
    }
    const std::string_view passed = text.substr(at, length);
    const std::size_t end = passed.rfind('\n');
    place.line += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    place.column = end == std::string_view::npos ? place.column + count_characters(passed)
                                                 : 1 + count_characters(passed.substr(end + 1));
    at += passed.size();
  }
  return {};
}

std::vector<Entry> entries_of(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table)
    entries.push_back({std::string(key.str()), to_place(key.source().begin), length_of(key.source()), &node});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  return entries;
}

std::optional<double> finite_number(const toml::node& node) {
  const auto whole = node.value_exact<std::int64_t>();
  const auto value = whole ? std::optional(static_cast<double>(*whole)) : node.value_exact<double>();
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string TomlReader::hint(std::string_view word, std::span<const std::string> known) const {
  return is_full() ? std::string() : suggest(word, known);
}

std::string TomlReader::hint_or_all(std::string_view word, std::span<const std::string> known,
                                    std::string_view all) const {
  const std::string closest = hint(word, known);
  return closest.empty() ? "; " + std::string(all) + ": " + join_words(known) : closest;
}

void TomlReader::report(FilePlace place, int length, std::string message) {
  if (is_full()) return report_more();
  problems_.push_back(
      {Severity::error, source_.name, place, length, std::string(source_.line(place.line)), std::move(message)});
}

void TomlReader::report(const Entry& entry, std::string message) {
  report(entry.place, entry.length, std::move(message));
}

void TomlReader::report(const toml::node& node, std::string message) {
  report(to_place(node.source().begin), length_of(node.source()), std::move(message));
}

void TomlReader::report_missing(const std::string& what) {
  if (is_full()) return report_more();
  problems_.push_back({Severity::error, source_.name, {}, 1, {}, what});
}

void TomlReader::report_setting(const Setting& setting, std::string message) {
  if (is_full()) return report_more();
  problems_.push_back({Severity::error, Mention{setting.name, {}, true}, {}, 1, {}, std::move(message)});
}

void TomlReader::check_keys(const toml::table& table, const std::vector<std::string>& known, const std::string& where) {
  for (const Entry& entry : entries_of(table))
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      report(entry, "unknown key '" + entry.key + "' " + where + hint_or_all(entry.key, known, "known here"));
}

const toml::table* TomlReader::find_table(const toml::table& parent, const std::string& name, const std::string& form) {
  const toml::node* node = parent.get(name);
  if (node == nullptr) return nullptr;
  if (!node->is_table())
    report(*node, "'" + name + "' must be a table: write " + (form.empty() ? "[" + name + "]" : form));
  return node->as_table();
}

std::optional<double> TomlReader::number(const toml::node& node, const std::string& what) {
  const auto value = finite_number(node);
  if (!value) report(node, what + " must be a finite number");
  return value;
}

std::optional<std::int64_t> TomlReader::whole_number(const toml::node& node, const std::string& what,
                                                     std::int64_t least, std::int64_t most) {
  // 1e4 is a float to TOML; below 2^53 all whole ones are exact
  const auto real = node.is_floating_point() ? node.value_exact<double>() : std::nullopt;
  const bool whole = real && *real == std::floor(*real) && std::fabs(*real) <= 0x1p53;
  const auto value = whole               ? std::optional(static_cast<std::int64_t>(*real))
                     : node.is_integer() ? node.value<std::int64_t>()
                                         : std::nullopt;
  if (value && *value >= least && *value <= most) return value;
  const std::string range = most == std::numeric_limits<std::int64_t>::max()
                                ? "of at least " + std::to_string(least)
                                : "between " + std::to_string(least) + " and " + std::to_string(most);
  report(node, what + " must be a whole number " + range + (value ? ", got " + std::to_string(*value) : ""));
  return std::nullopt;
}

}  // namespace conesweep::scenario
