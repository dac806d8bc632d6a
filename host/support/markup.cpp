#include "support/markup.hpp"

namespace conesweep {

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
          out += c;
        else
          out += "�";  // no control character is allowed in XML
    }
  return out;
}

}  // namespace conesweep
