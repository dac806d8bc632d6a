#include "support/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace conesweep {

std::string format_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, result.ptr};
}

std::string format_short(double value, int digits) {
  if (!std::isfinite(value)) return format_number(value);
  char buffer[40];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
  return {buffer, result.ptr};
}

std::string format_bits(double value) {
  if (!std::isfinite(value)) return format_number(value);
  char buffer[40];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::hex);
  return (std::signbit(value) ? "-0x" : "0x") + std::string(buffer, result.ptr);
}

std::string format_count(unsigned long long value) {
  std::string text = std::to_string(value);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string counted(std::int64_t n) { return format_count(static_cast<unsigned long long>(n)); }
std::string counted(std::int64_t n, std::string_view one) { return counted(n) + " " + plural(n, one); }
std::string plural(std::int64_t n, std::string_view one) { return std::string(one) + (n == 1 ? "" : "s"); }

std::size_t display_width(std::string_view text) {
  // every character has one byte that does not continue another
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string format_duration(double seconds) {
  char buffer[40];
  const auto whole = static_cast<long long>(std::min(seconds + 0.5, 9e15));
  if (seconds < 10) return format_short(seconds, 2) + " s";
  if (whole < 60)
    std::snprintf(buffer, sizeof buffer, "%lld s", whole);
  else if (whole < 3600)
    std::snprintf(buffer, sizeof buffer, "%lld min %02lld s", whole / 60, whole % 60);
  else if (whole < 48 * 3600)
    std::snprintf(buffer, sizeof buffer, "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
  else
    std::snprintf(buffer, sizeof buffer, "%lld days", whole / 86400);
  return buffer;
}

namespace {

// Optimal string alignment: edits, and swaps of neighbours that are not edited again.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string closest_name(std::string_view word, std::span<const std::string> known) {
  if (word.size() > 64) return {};
  // a third of the letters may be wrong; beyond that a suggestion is a guess
  const std::size_t reach = (word.size() + 2) / 3;
  std::string best;
  std::size_t best_distance = reach + 1;
  for (const auto& name : known) {
    const std::size_t apart = name.size() > word.size() ? name.size() - word.size() : word.size() - name.size();
    if (apart >= best_distance) continue;
    const std::size_t distance = edit_distance(word, name);
    // replacing every letter is no likeness
    if (distance < best_distance && distance < std::max(word.size(), name.size())) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string suggest(std::string_view word, std::span<const std::string> known) {
  const std::string name = closest_name(word, known);
  return name.empty() ? std::string() : "; did you mean '" + name + "'?";
}

std::string join_words(std::span<const std::string> words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    text += words[i];
  }
  return text;
}

std::string cut(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  std::string out;
  for (std::size_t at = 0, seen = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && ++seen == most) break;
    out += text[at];
  }
  return out + "…";
}

std::string written(double value, int digits) {
  std::string text = format_short(value, digits);
  if (text.starts_with("-")) text.replace(0, 1, "−");  // as wide as a plus sign
  if (const std::size_t e = text.find('e'); e != text.npos)
    text = (e == 1 && text[0] == '1' ? "" : text.substr(0, e) + "·") + power_of_ten(std::stoi(text.substr(e + 1)));
  return text;
}

std::string power_of_ten(int power) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = power < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(power))) text += raised[digit - '0'];
  return text;
}

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c) || c == '_'; });
}

}  // namespace conesweep
