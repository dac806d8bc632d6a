#include "scenario/source.hpp"

#include <algorithm>

#include "support/visible.hpp"

namespace conesweep::scenario {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Number of bytes of the character at `at`.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  std::size_t bytes = 1;
  while (at + bytes < text.size() && is_continuation(text[at + bytes])) ++bytes;
  return bytes;
}

// Bytes that a code point takes in UTF-8.
std::size_t utf8_bytes(unsigned long code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

// Walks through the raw text of a TOML string beside its value.
class StringWalk {
 public:
  StringWalk(std::string_view text, std::size_t at, FilePlace place) : text_(text), at_(at), place_(place) {
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') return;  // a number in place of a string
    escapes_ = quote == '"';
    const std::string_view three = text_.substr(at_, 3);
    if (three == "\"\"\"" || three == "'''") {
      step(), step(), step();
      if (peek() == '\r') step();
      if (peek() == '\n') step();
    } else {
      step();
    }
  }

  /// Passes the raw characters of one byte or more of the value; returns how many bytes.
  std::size_t pass() {
    if (text_.substr(at_, 2) == "\r\n") {  // one line end in the value
      step(), step();
      return 1;
    }
    if (!escapes_ || peek() != '\\') {
      const std::size_t bytes = character_bytes(text_, at_);
      step();
      return bytes;
    }
    step();
    const char kind = peek();
    if (kind == 'u' || kind == 'U') {
      step();
      unsigned long code = 0;
      for (int i = 0; i < (kind == 'u' ? 4 : 8) && at_ < text_.size(); ++i) {
        const char c = peek();
        code = code * 16 + static_cast<unsigned long>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        step();
      }
      return utf8_bytes(code);
    }
    // a line ended by a backslash goes on at the next word
    if (kind == '\n' || kind == '\r' || kind == ' ' || kind == '\t') {
      while (at_ < text_.size() && (peek() == '\n' || peek() == '\r' || peek() == ' ' || peek() == '\t')) step();
      return 0;
    }
    step();
    return 1;
  }

  /// A line ended by a backslash adds nothing to the value: the next byte stands behind it.
  void skip_empty() {
    while (escapes_ && peek() == '\\' && at_ + 1 < text_.size() &&
           std::string_view("\n\r \t").find(text_[at_ + 1]) != std::string_view::npos)
      pass();
  }

  bool at_end() const { return at_ >= text_.size(); }
  FilePlace place() const { return place_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void step() {
    if (at_ >= text_.size()) return;
    if (text_[at_] == '\n')
      ++place_.line, place_.column = 1;
    else
      ++place_.column;
    at_ += character_bytes(text_, at_);
  }

  std::string_view text_;
  std::size_t at_;
  FilePlace place_;
  bool escapes_ = false;
};

}  // namespace

int count_characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string_view Source::line(int number) const {
  std::size_t begin = 0;
  for (int i = 1; i < number; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  std::string_view rest = std::string_view(text).substr(begin);
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

FilePlace Source::inside_string(FilePlace quote, std::size_t offset) const {
  if (quote.line < 1) return quote;
  const std::string_view first_line = line(quote.line);
  std::size_t at = static_cast<std::size_t>(first_line.data() - text.data());
  for (int column = 1; column < quote.column && at < text.size(); ++column) at += character_bytes(text, at);
  StringWalk walk(text, at, quote);
  for (std::size_t passed = 0; passed < offset && !walk.at_end();) passed += walk.pass();
  walk.skip_empty();
  return walk.place();
}

std::string Fault::to_text(Spelling spelling) const {
  std::string out = visible(where.text(spelling));
  if (place.line > 0) out += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  if (!out.empty()) out += ": ";
  if (severity == Severity::warning) out += "warning: ";
  out += visible(message);
  if (excerpt.empty() || place.line < 1) return out;

  // the line without its indentation, tabs as one column, and long lines cut around the fault
  std::string shown = excerpt;
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  std::size_t indent = shown.find_first_not_of(' ');
  indent = indent == std::string::npos ? 0 : std::min(indent, static_cast<std::size_t>(place.column - 1));
  shown.erase(0, indent);
  int caret = place.column - 1 - static_cast<int>(indent);
  constexpr int widest = 110;
  if (caret > widest - 20) {
    std::size_t cut = 0;
    for (int skipped = caret - widest / 2; skipped > 0; --skipped) cut += character_bytes(shown, cut);
    caret = widest / 2 + 1;
    shown = "…" + shown.substr(std::min(cut, shown.size()));
  }
  if (count_characters(shown) > widest + 20) {
    std::size_t cut = 0;
    for (int i = 0; i < widest + 20; ++i) cut += character_bytes(shown, cut);
    shown = shown.substr(0, cut) + "…";
  }
  const int room = std::max(1, count_characters(shown) - caret);
  out += "\n    " + visible(shown) + "\n    " + std::string(static_cast<std::size_t>(std::max(0, caret)), ' ') +
         std::string(static_cast<std::size_t>(std::clamp(length, 1, room)), '^');
  return out;
}

bool has_errors(const Faults& problems) {
  return std::any_of(problems.begin(), problems.end(), [](const Fault& p) { return p.severity == Severity::error; });
}

}  // namespace conesweep::scenario
