#pragma once

#include <string>
#include <string_view>

#include "expression/tree.hpp"

namespace conesweep::expression {

enum class TokenKind { number, name, sign, end, unknown };

/// A number, a name or a sign of an expression's text.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  Span span;
  double value = 0;        // of a number
  std::string_view fault;  // what is wrong with a number; empty: nothing
};

/// The tokens of a text, one after the other; at its end `end`, again and again.
class Tokens {
 public:
  /// With `dots` a name may have them, each before a letter, as those of observables do: final.x
  Tokens(std::string_view text, bool dots) : text_(text), dots_(dots) {}

  Token next();

 private:
  bool goes_on(std::size_t at) const;
  std::size_t number_length() const;

  std::string_view text_;
  bool dots_;
  std::size_t at_ = 0;
};

/// A piece of the user's text for a message: short, and valid text whatever the bytes are.
std::string quote(std::string_view text);

/// What to write instead of a sign that other languages have; empty: nothing is known.
std::string_view hint_for_sign(std::string_view sign);

}  // namespace conesweep::expression
