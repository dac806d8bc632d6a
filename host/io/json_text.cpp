#include "io/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace conesweep::io {
namespace {

using nlohmann::ordered_json;

void print(const ordered_json& json, const std::string& indent, std::string& text) {
  const auto is_short = [](const ordered_json& part) {
    return std::none_of(part.begin(), part.end(), [](const auto& value) { return value.is_structured(); });
  };
  if (!json.is_structured()) {
    text += json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);  // nan and inf become null
    return;
  }
  const bool one_line = is_short(json);
  const std::string deeper = indent + "  ";
  const char* separator = "";
  text += json.is_object() ? "{" : "[";
  for (const auto& item : json.items()) {
    text += separator;
    text += one_line ? (*separator == 0 ? "" : " ") : "\n" + deeper;
    if (json.is_object()) text += ordered_json(item.key()).dump(-1, ' ', false, ordered_json::error_handler_t::replace) + ": ";
    print(item.value(), deeper, text);
    separator = ",";
  }
  if (!one_line) text += "\n" + indent;
  text += json.is_object() ? "}" : "]";
}

}  // namespace

std::string format_json(const ordered_json& json) {
  std::string text;
  print(json, "", text);
  return text + "\n";
}

}  // namespace conesweep::io
