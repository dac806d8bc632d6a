#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/parser.hpp"
#include "expression/token.hpp"

namespace conesweep::expression {

/// A binary operator, and how strongly it binds; strength 0: the token is none.
struct Binary {
  Op op = Op::add;
  int strength = 0;
};
inline constexpr int comparison_strength = 4, sign_strength = 7, power_strength = 8;

inline Binary binary_operator(const Token& token) {
  if (token.kind == TokenKind::name) {
    if (token.text == "or") return {Op::logical_or, 1};
    if (token.text == "and") return {Op::logical_and, 2};
    return {};
  }
  if (token.kind != TokenKind::sign) return {};
  if (token.text == "<") return {Op::less, comparison_strength};
  if (token.text == "<=") return {Op::less_equal, comparison_strength};
  if (token.text == ">") return {Op::greater, comparison_strength};
  if (token.text == ">=") return {Op::greater_equal, comparison_strength};
  if (token.text == "==") return {Op::equal, comparison_strength};
  if (token.text == "!=") return {Op::not_equal, comparison_strength};
  if (token.text == "+") return {Op::add, 5};
  if (token.text == "-") return {Op::subtract, 5};
  if (token.text == "*") return {Op::multiply, 6};
  if (token.text == "/") return {Op::divide, 6};
  if (token.text == "^") return {Op::power, power_strength};
  return {};
}

/// Thrown inside the parser only, at a fault that leaves nothing sensible to go on with.
struct GiveUp {};

/// The token that is read next, and the faults of what stands there instead of something else.
class TokenReader {
 protected:
  TokenReader(std::string_view text, bool dots, std::vector<Fault>& faults) : tokens_(text, dots), faults_(faults) {}

  void advance() {
    token_ = tokens_.next();
    if (!token_.fault.empty()) fail(token_.span, std::string(token_.fault));
  }

  bool is_sign(std::string_view text) const { return token_.kind == TokenKind::sign && token_.text == text; }

  // the span of the closing parenthesis
  Span expect_closing(Span opening) {
    if (token_.kind == TokenKind::end) fail(opening, "this parenthesis is not closed");
    if (!is_sign(")")) fail_after_operand();
    const Span closing = token_.span;
    advance();
    return closing;
  }

  [[noreturn]] void fail(Span span, std::string message) {
    faults_.push_back({span, std::move(message)});
    throw GiveUp{};
  }

  [[noreturn]] void fail_at_chain(Span sign) { fail(sign, "comparisons do not chain; write a < b and b < c"); }

  // where a number, a name or a parenthesis should begin
  [[noreturn]] void fail_at_operand() {
    if (token_.kind == TokenKind::end) fail(token_.span, "the expression ends too early");
    if (token_.kind == TokenKind::unknown) fail_at_unexpected();
    fail(token_.span, "a value is missing before " + quote(token_.text));
  }

  // where an operator, a closing parenthesis or the end should stand
  [[noreturn]] void fail_after_operand() {
    if (token_.kind == TokenKind::number || token_.kind == TokenKind::name || is_sign("("))
      fail(token_.span, "an operator is missing before " + quote(token_.text));
    fail_at_unexpected();
  }

  [[noreturn]] void fail_at_unexpected() {
    const std::string_view hint = hint_for_sign(token_.text);
    fail(token_.span, "unexpected " + quote(token_.text) + (hint.empty() ? "" : "; " + std::string(hint)));
  }

  static Span cover(Span first, Span last) { return {first.offset, last.offset + last.length - first.offset}; }

  Tokens tokens_;
  std::vector<Fault>& faults_;
  Token token_;
};

}  // namespace conesweep::expression
