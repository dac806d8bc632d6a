#include "expression/token.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace conesweep::expression {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Bytes of the UTF-8 character that `text` begins with; 0 where it is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // overlong forms, surrogates and what lies beyond Unicode
  const unsigned second = byte(1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) || (lead == 0xF0 && second < 0x90) ||
      (lead == 0xF4 && second >= 0x90))
    return 0;
  return length;
}

void read_value(Token& token) {
  const char* first = token.text.data();
  const auto result = std::from_chars(first, first + token.text.size(), token.value);
  // from_chars calls an underflow out of range too
  if (result.ec == std::errc::result_out_of_range || !std::isfinite(token.value))
    token.fault = "number out of range; the largest is 1.8e308, the smallest 4.9e-324";
  else if (result.ptr != first + token.text.size())
    token.fault = "this is not a number";
}

}  // namespace

Token Tokens::next() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
    ++at_;
  Token token;
  token.span = {at_, 1};
  if (at_ == text_.size()) return token;
  const char c = text_[at_];
  std::size_t length = 1;
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
    token.kind = TokenKind::number;
    length = number_length();
  } else if (is_letter(c)) {
    token.kind = TokenKind::name;
    while (at_ + length < text_.size() && goes_on(at_ + length)) ++length;
  } else {
    token.kind =
        std::string_view("+-*/^()<>,").find(c) != std::string_view::npos ? TokenKind::sign : TokenKind::unknown;
    length = std::max<std::size_t>(character_length(text_.substr(at_)), 1);
    const std::string_view two = text_.substr(at_, 2);
    for (const std::string_view pair : {"<=", ">=", "==", "!="})
      if (two == pair) token.kind = TokenKind::sign, length = 2;
    for (const std::string_view pair : {"**", "&&", "||", "<>", "=<", "=>"})
      if (two == pair) token.kind = TokenKind::unknown, length = 2;
  }
  token.text = text_.substr(at_, length);
  token.span.length = length;
  at_ += length;
  if (token.kind == TokenKind::number) read_value(token);
  return token;
}

bool Tokens::goes_on(std::size_t at) const {
  const char c = text_[at];
  return is_letter(c) || is_digit(c) || (dots_ && c == '.' && at + 1 < text_.size() && is_letter(text_[at + 1]));
}

std::size_t Tokens::number_length() const {
  std::size_t end = at_;
  const auto digits = [&] {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  };
  digits();
  if (end < text_.size() && text_[end] == '.') ++end, digits();
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
    if (exponent < text_.size() && is_digit(text_[exponent])) end = exponent, digits();
  }
  return end - at_;
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest_quote = 64;
  if (text.size() > longest_quote) return "'" + std::string(text.substr(0, longest_quote)) + "…'";
  const auto first = text.empty() ? 0U : static_cast<unsigned char>(text.front());
  if (first < 0x20 || first == 0x7F || character_length(text) == 0) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("byte 0x") + digits[first / 16] + digits[first % 16];
  }
  return "'" + std::string(text) + "'";
}

std::string_view hint_for_sign(std::string_view sign) {
  constexpr std::pair<std::string_view, std::string_view> hints[] = {
      {"=", "to compare write =="},
      {"=<", "write <="},
      {"=>", "write >="},
      {"<>", "write !="},
      {"&", "write and"},
      {"&&", "write and"},
      {"|", "write or"},
      {"||", "write or"},
      {"!", "write not"},
      {"**", "for powers write ^"},
      {"≤", "write <="},
      {"≥", "write >="},
      {"≠", "write !="},
      {"−", "write -"},
      {"%", "for a remainder write mod(a, b)"},
      {"·", "write *"},
      {"×", "write *"},
      {"²", "write ^2"},
      {"π", "write pi"},
  };
  for (const auto& [wrong, right] : hints)
    if (sign == wrong) return right;
  return character_length(sign) > 1 ? "names consist of letters a to z, digits and _" : "";
}

}  // namespace conesweep::expression
