#include "scenario/reading/edit.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "scenario/reading/toml_reader.hpp"
#include "support/error.hpp"

namespace conesweep::scenario {
namespace {

using Key = std::vector<std::string>;

/// Bytes of a text, from begin to end.
struct Stretch {
  std::size_t begin = 0, end = 0;
};

std::optional<std::size_t> to_number(const std::string& part) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  return error == std::errc() && end == part.data() + part.size() ? std::optional(number) : std::nullopt;
}

std::string join(const Key& key, std::size_t from = 0) {
  std::string text;
  for (std::size_t k = from; k < key.size(); ++k) text += (k > from ? "." : "") + write_key(key[k]);
  return text;
}

// without the numbers of elements, as headers have it
std::string header_of(const Key& key) {
  Key names;
  std::copy_if(key.begin(), key.end(), std::back_inserter(names), [](const auto& part) { return !to_number(part); });
  return join(names);
}

// the rest of a new key around its value: { b = { c = value } }, [value]
std::string wrap(const Key& key, std::size_t from, const std::string& value) {
  std::string text = value;
  for (std::size_t k = key.size(); k-- > from;)
    text = to_number(key[k]) ? "[" + text + "]" : "{ " + write_key(key[k]) + " = " + text + " }";
  return text;
}

/// A text and what toml++ finds in it.
class Text {
 public:
  explicit Text(const std::string& text) : text_(text) {
    for (std::size_t at = 0; at <= text.size(); ++at) {
      lines_.push_back(at);
      at = std::min(text.find('\n', at), text.size());
    }
    if (find_unreadable(text).place.line > 0) return;
    try {
      root_ = toml::parse(text);
      is_good_ = true;
    } catch (const toml::parse_error&) {  // its reader says why
    }
  }

  bool is_good() const { return is_good_; }
  const toml::table& root() const { return root_; }

  static const toml::node* child(const toml::node& node, const std::string& part) {
    if (const toml::table* table = node.as_table()) return table->get(part);
    const auto number = to_number(part);
    return node.is_array() && number ? node.as_array()->get(*number) : nullptr;
  }

  const toml::node* find(const Key& key) const {
    const toml::node* node = &root_;
    for (const auto& part : key)
      if (node != nullptr) node = child(*node, part);
    return node;
  }

  std::size_t offset(const toml::source_position& position) const {
    const std::size_t line = std::min<std::size_t>(position.line, lines_.size());
    std::size_t at = line == 0 ? 0 : lines_[line - 1];
    for (auto column = position.column; column > 1 && at < text_.size(); --column)
      for (++at; at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80;) ++at;
    return at;
  }

  Stretch place(const toml::node& node) const { return {offset(node.source().begin), offset(node.source().end)}; }

  /// Does it lie in lines of its own, below a header or as dotted keys? A list of sections does.
  bool is_section(const toml::node& node) const {
    if (const toml::array* list = node.as_array())
      return !list->empty() && list->get(0)->is_table() && is_section(*list->get(0));
    const toml::table* table = node.as_table();
    return table != nullptr && (table == &root_ || !table->is_inline());
  }

  bool has_brackets(const toml::node& node) const {
    const std::size_t at = place(node).begin;
    return at < text_.size() && text_[at] == '[';
  }

  /// Has it a header of its own? Not where only a part of it has one, [model.parameters], or where its keys are dotted.
  bool has_header(const toml::node& node, const Key& key) const {
    if (&node == &root_) return true;
    if (!has_brackets(node)) return false;
    const Stretch header = place(node);
    std::string inside = text_.substr(header.begin, header.end - header.begin);
    std::erase_if(inside, [](char c) { return std::isspace(static_cast<unsigned char>(c)) || c == '[' || c == ']'; });
    return inside == header_of(key) || split_key(inside) == split_key(header_of(key));
  }

  /// Where the last line of its own values ends; `none` where it has none.
  std::size_t end_of_values(const toml::table& table, std::size_t none) const {
    std::size_t end = none;
    for (const auto& [name, node] : table) {
      const bool dotted = node.is_table() && is_section(node) && !has_brackets(node);
      if (dotted)
        end = std::max(end, end_of_values(*node.as_table(), none));
      else if (!is_section(node))
        end = std::max(end, end_of_line(place(node).end));
    }
    return end;
  }

  std::size_t begin_of_line(std::size_t at) const {
    const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
  }
  std::size_t end_of_line(std::size_t at) const { return std::min(text_.find('\n', at), text_.size() - 1) + 1; }

  /// All lines of a node and its key.
  void collect_lines(const toml::key* key, const toml::node& node, std::vector<Stretch>& lines) const {
    if (!is_section(node)) {
      const std::size_t begin = key == nullptr ? place(node).begin : offset(key->source().begin);
      lines.push_back({begin_of_line(begin), end_of_line(place(node).end)});
    } else if (const toml::array* list = node.as_array()) {
      for (const toml::node& one : *list) collect_lines(nullptr, one, lines);
    } else {
      if (has_brackets(node)) lines.push_back({begin_of_line(place(node).begin), end_of_line(place(node).end)});
      for (const auto& [name, one] : *node.as_table()) collect_lines(&name, one, lines);
    }
  }

  std::string with(Stretch place, const std::string& words) const {
    return text_.substr(0, place.begin) + words + text_.substr(place.end);
  }

  /// The text with more lines behind this place, which begins a line.
  std::string with_lines(std::size_t at, const std::string& lines) const {
    const bool open = at > 0 && text_[at - 1] != '\n';
    return with({at, at}, (open ? "\n" : "") + lines);
  }
  std::string with_section(const std::string& lines) const {
    return with_lines(text_.size(), (text_.empty() ? "" : "\n") + lines);
  }

  const std::string& text() const { return text_; }

 private:
  const std::string& text_;
  std::vector<std::size_t> lines_;  // where each begins
  toml::table root_;
  bool is_good_ = false;
};

/// The deepest thing that is there on the way of a key, and how many parts lead to it.
struct Reached {
  const toml::node* node;
  std::size_t depth = 0;
};
Reached reach(const Text& text, const Key& key) {
  Reached reached{&text.root()};
  while (reached.depth < key.size()) {
    const toml::node* next = Text::child(*reached.node, key[reached.depth]);
    if (next == nullptr) break;
    reached = {next, reached.depth + 1};
  }
  return reached;
}

[[noreturn]] void refuse(const Key& key, const std::string& why) { throw InputError("key " + join(key) + ": " + why); }

// an entry more between the brackets of a list or of a table in one line
std::string insert_inside(const Text& text, const toml::node& node, const std::string& entry) {
  const std::size_t close = text.place(node).end - 1;
  std::size_t last = close;  // behind what stands there
  while (last > 0 && std::isspace(static_cast<unsigned char>(text.text()[last - 1]))) --last;
  const bool empty = node.is_array() ? node.as_array()->empty() : node.as_table()->empty();
  const bool comma = text.text()[last - 1] == ',';
  const std::string space = node.is_table() ? " " : "";
  return text.with({last, close}, (empty ? space : comma ? " " : ", ") + entry + space);
}

// [model.contact] of model.contact.0.friction
Key first_parts(const Key& key, std::size_t count) {
  return {key.begin(), key.begin() + static_cast<std::ptrdiff_t>(count)};
}

// [[model.contact]] with one line, of model.contact.0.friction: where in the key its number stands
std::string section_of(const Key& key, std::size_t number, const std::string& value) {
  if (number + 1 == key.size()) refuse(key, "an element of a list of sections is written as a table");
  return "[[" + header_of(first_parts(key, number)) + "]]\n" + write_key(key[number + 1]) + " = " +
         wrap(key, number + 2, value) + "\n";
}

std::string add_to_list(const Text& text, const toml::node& list, const Key& key, std::size_t depth,
                        const std::string& value) {
  const std::size_t there = list.as_array()->size();
  if (const auto number = to_number(key[depth]); !number || *number != there)
    refuse(key, "'" + key[depth] + "' is none of the " + std::to_string(there) + " that are there, numbered from 0");
  return text.is_section(list) ? text.with_section(section_of(key, depth, value))
                               : insert_inside(text, list, wrap(key, depth + 1, value));
}

// dotted keys go on as dotted keys, named from the last header before them
std::string add_dotted(const Text& text, const toml::table& table, const Key& key, const std::string& value) {
  std::size_t from = 0;
  for (std::size_t depth = 1; depth < key.size(); ++depth)
    if (const toml::node* node = text.find(first_parts(key, depth)); node != nullptr && text.has_brackets(*node))
      from = depth;
  return text.with_lines(text.end_of_values(table, 0), join(key, from) + " = " + value + "\n");
}

std::string add_to_section(const Text& text, const toml::table& table, const Key& key, std::size_t depth,
                           const std::string& value) {
  if (&table != &text.root() && !text.has_brackets(table)) return add_dotted(text, table, key, value);
  const auto number = std::find_if(key.begin() + static_cast<std::ptrdiff_t>(depth), key.end(),
                                   [](const std::string& part) { return to_number(part).has_value(); });
  if (number != key.end()) {
    if (*number != "0") refuse(key, "the first element of a list has the number 0");
    return text.with_section(section_of(key, static_cast<std::size_t>(number - key.begin()), value));
  }
  const Key parents = first_parts(key, key.size() - 1);
  const std::string line = write_key(key.back()) + " = " + value + "\n";
  if (depth + 1 < key.size() || !text.has_header(table, parents))
    return text.with_section("[" + header_of(parents) + "]\n" + line);
  const std::size_t header = &table == &text.root() ? 0 : text.end_of_line(text.place(table).end);
  return text.with_lines(text.end_of_values(table, header), line);
}

// an entry between the brackets of a list or of a table in one line, and one of its commas
Stretch inside_entry(const Text& text, std::size_t begin, std::size_t end) {
  const std::string& all = text.text();
  const auto is_space = [&](std::size_t at) { return std::isspace(static_cast<unsigned char>(all[at])) != 0; };
  std::size_t after = end, before = begin;
  while (after < all.size() && is_space(after)) ++after;
  while (before > 0 && is_space(before - 1)) --before;
  if (after < all.size() && all[after] == ',') {
    for (++after; after < all.size() && is_space(after);) ++after;
    return {begin, after};
  }
  return {before > 0 && all[before - 1] == ',' ? before - 1 : begin, end};
}

}  // namespace

Key split_key(const std::string& key) {
  Key parts = {""};
  for (std::size_t at = 0; at < key.size(); ++at) {
    if (key[at] == '.') {
      parts.emplace_back();
    } else if (key[at] == '"') {
      const std::size_t end = std::min(key.find('"', at + 1), key.size());
      parts.back() += key.substr(at + 1, end - at - 1);
      at = end;
    } else {
      parts.back() += key[at];
    }
  }
  for (const auto& part : parts)
    if (part.empty() || parts.size() >= static_cast<std::size_t>(most_key_parts))
      throw InputError("'" + key + "' is no key of a scenario; write it as model.parameters.k");
  return parts;
}

std::string write_key(const std::string& part) {
  const bool bare = !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
  });
  return bare ? part : write_string(part);
}

std::string write_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      quoted += std::string("\\u00") + "0123456789ABCDEF"[byte / 16] + "0123456789ABCDEF"[byte % 16];
    else
      quoted += c;
  }
  return quoted + "\"";
}

bool is_section(const std::string& text, const Key& key) {
  const Text read(text);
  const toml::node* node = read.is_good() ? read.find(key) : nullptr;
  return node != nullptr && read.is_section(*node);
}

bool has_value(const std::string& text, const Key& key) {
  const Text read(text);
  return read.is_good() && read.find(key) != nullptr;
}

std::string write_value(const std::string& text, const Key& key, const std::string& value) {
  const Text read(text);
  if (!read.is_good()) return text;
  const auto [node, depth] = reach(read, key);
  if (depth == key.size())
    return read.is_section(*node) ? write_value(erase_value(text, key), key, value)
                                  : read.with(read.place(*node), value);
  if (node->is_array()) return add_to_list(read, *node, key, depth, value);
  const toml::table* table = node->as_table();
  if (table == nullptr) refuse(key, "'" + join(first_parts(key, depth)) + "' is a value, and has no keys");
  if (table->is_inline())
    return insert_inside(read, *table, write_key(key[depth]) + " = " + wrap(key, depth + 1, value));
  return add_to_section(read, *table, key, depth, value);
}

std::string erase_value(const std::string& text, const Key& key) {
  const Text read(text);
  const toml::node* node = read.is_good() ? read.find(key) : nullptr;
  if (node == nullptr) return text;
  const toml::node& parent = *read.find(first_parts(key, key.size() - 1));
  const toml::table* table = parent.as_table();
  const toml::key* name = table == nullptr ? nullptr : &table->find(key.back())->first;
  const bool inside = table != nullptr ? table->is_inline() : !read.is_section(parent);
  std::vector<Stretch> places;
  if (inside) {
    const Stretch value = read.place(*node);
    places.push_back(inside_entry(read, name == nullptr ? value.begin : read.offset(name->source().begin), value.end));
  } else {
    read.collect_lines(name, *node, places);
  }
  std::sort(places.begin(), places.end(), [](const Stretch& a, const Stretch& b) { return a.begin > b.begin; });
  std::string rest = text;
  for (const Stretch& place : places) rest.erase(place.begin, place.end - place.begin);
  return rest;
}

}  // namespace conesweep::scenario
