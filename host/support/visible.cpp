#include "support/visible.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace conesweep {
namespace {

struct Character {
  std::size_t bytes;  // 0: what stands there is no UTF-8
  std::uint32_t code;
};

// The first one.
Character read_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (bytes == 0 || lead > 0xF4 || text.size() < bytes) return {0, 0};
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if ((next & 0xC0) != 0x80) return {0, 0};
    code = code << 6 | (next & 0x3Fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  return code < least[bytes] || code > 0x10FFFF || is_surrogate ? Character{0, 0} : Character{bytes, code};
}

// C0 but line ends and tabs, C1, and marks, embeddings, overrides and isolates of the direction of writing
bool is_command(std::uint32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) || code == 0x200E ||
         code == 0x200F || code == 0x61C || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  char code[16];
  for (std::size_t at = 0; at < text.size();) {
    const Character here = read_character(text.substr(at));
    if (here.bytes > 0 && !is_command(here.code)) {
      out += text.substr(at, here.bytes);
    } else {
      std::snprintf(code, sizeof code, here.bytes > 1 ? "\\u%04x" : "\\x%02x",
                    here.bytes > 0 ? here.code : static_cast<unsigned char>(text[at]));
      out += code;
    }
    at += std::max<std::size_t>(1, here.bytes);
  }
  return out;
}

std::size_t whole_characters(std::string_view text) {
  // a lead byte among the last three may wait for others
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    return wanted > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace conesweep
