#include "io/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace conesweep::io {
namespace {

using nlohmann::ordered_json;

// nan and inf become null
std::string dump(const ordered_json& json) { return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace); }

void print(const ordered_json& json, const std::string& indent, std::string& text) {
  if (!json.is_structured()) {
    text += dump(json);
    return;
  }
  if (json.is_array() && std::all_of(json.begin(), json.end(), [](const auto& value) { return value.is_number(); })) {
    for (const char letter : dump(json)) {  // at once: a call a number takes longer than the number
      text += letter;
      if (letter == ',') text += ' ';
    }
    return;
  }
  const bool one_line = std::none_of(json.begin(), json.end(), [](const auto& value) { return value.is_structured(); });
  const std::string deeper = indent + "  ";
  const char* separator = "";
  text += json.is_object() ? "{" : "[";
  for (const auto& item : json.items()) {
    text += separator;
    text += one_line ? (*separator == 0 ? "" : " ") : "\n" + deeper;
    if (json.is_object()) text += dump(item.key()) + ": ";
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

void append_json(const ordered_json& json, std::size_t indent, std::string& text) {
  print(json, std::string(indent, ' '), text);
}

}  // namespace conesweep::io
