#include "app/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "support/error.hpp"

namespace conesweep::app {
namespace {

// Digits without the marks that group them: 1_000_000, or 1,000,000 where the commas stand before every three digits.
// Nothing if a mark stands elsewhere: 1,5e3 is no number here, whatever it means where it was written.
std::optional<std::string> ungroup(const std::string& text) {
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const std::size_t digits = std::min(text.find_first_not_of("0123456789_,"), text.size());
  const bool commas = text.find(',') != std::string::npos;
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool mark = text[at] == '_' || text[at] == ',';
    if (mark && (at == 0 || at >= digits || !digit(at - 1) || !digit(at + 1))) return std::nullopt;
    if (mark && commas && (text[at] == '_' || digits != text.size() || (digits - at) % 4 != 0)) return std::nullopt;
    if (!mark) plain += text[at];
  }
  if (commas && (digits - text.find(',')) % 4 != 0) return std::nullopt;
  if (commas && (text.find(',') > 3 ||
                 static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) != (digits - text.find(',')) / 4))
    return std::nullopt;
  return plain;
}

}  // namespace

double to_number(const std::string& flag, const std::string& text) {
  double value = 0;
  const bool sign = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const char* first = text.data() + (sign ? 1 : 0);
  const auto result = std::from_chars(first, text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !std::isfinite(value))
    throw InputError(flag + ": '" + text + "' is not a finite number");
  return value;
}

std::int64_t to_count(const std::string& flag, const std::string& text, std::int64_t least, std::int64_t most) {
  const std::string range = std::to_string(least) + " to " + (most == most_count ? "9e15" : std::to_string(most));
  const auto fail = [&] { return InputError(flag + ": '" + text + "' is not a whole number from " + range); };
  const auto digits = ungroup(text);
  if (!digits || digits->empty()) throw fail();
  const char *first = digits->data(), *last = first + digits->size();
  std::int64_t exact = 0;
  const auto result = std::from_chars(first, last, exact);
  if (result.ec == std::errc() && result.ptr == last) {
    if (exact < least || exact > most) throw fail();
    return exact;
  }
  double value = -1;
  const auto number = std::from_chars(first, last, value);
  const bool whole = number.ec == std::errc() && number.ptr == last && value == std::floor(value);
  // a double has no whole numbers beyond 2^53 one by one
  if (!whole || value < static_cast<double>(least) ||
      value > std::min(static_cast<double>(most), static_cast<double>(most_count)))
    throw fail();
  return static_cast<std::int64_t>(value);
}

}  // namespace conesweep::app
