#include "support/visible.hpp"

#include <cstdio>

namespace conesweep {
namespace {

// The code point of the two- or three-byte character at the beginning, as far as it can be one that is replaced; 0: none of these.
unsigned read_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  if (text.size() >= 2 && byte(0) == 0xC2) return 0x80 | (byte(1) & 0x3F);
  if (text.size() >= 3 && byte(0) == 0xE2) return 0x2000 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return 0;
}

bool is_control(unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; }

// C1 controls, and marks, embeddings, overrides and isolates of the direction of writing
bool is_command(unsigned code) {
  return (code >= 0x80 && code < 0xA0) || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char code[16];
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    const unsigned wide = read_character(text.substr(at));
    if (is_control(c)) {
      std::snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned>(c));
      out += code, ++at;
    } else if (is_command(wide)) {
      std::snprintf(code, sizeof code, "\\u%04x", wide);
      out += code, at += wide < 0x100 ? 2 : 3;
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace conesweep
