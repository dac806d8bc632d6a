#include <algorithm>
#include <map>

#include "expression/still_world.hpp"
#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Definition;

/// Parameters with an expression of other parameters, each after those that it names.
class ComputedSection : private Section {
 public:
  using Section::Section;

  void read_computed(const toml::table& model) {
    const toml::table* table = model["parameters"].as_table();
    // too many have been told, and names are searched one by one
    if (table == nullptr || static_cast<std::int64_t>(table->size()) > most_parameters) return;
    for (const Entry& entry : entries_of(*table))
      if (entry.node->is_string() && !fixed_.contains(entry.key) && is_known(entry.key))
        waiting_.emplace(entry.key, entry);
    // in file order for what is told and written
    for (const Entry& entry : entries_of(*table)) {
      read_one(entry.key);
      if (const auto read = read_.find(entry.key); read != read_.end())
        scenario_.computed.push_back({entry.key, read->second});
    }
  }

 private:
  bool is_known(const std::string& name) const {
    const auto& parameters = scenario_.names.parameters;
    return find(name) != nullptr || std::find(parameters.begin(), parameters.end(), name) != parameters.end();
  }

  Definition* find(const std::string& name) const {
    auto& list = scenario_.names.computed;
    const auto found = std::find_if(list.begin(), list.end(), [&](const Definition& one) { return one.name == name; });
    return found == list.end() ? nullptr : &*found;
  }

  void read_one(const std::string& name) {
    const auto found = waiting_.find(name);
    if (found == waiting_.end()) return;
    const Entry entry = found->second;
    if (const auto begun = std::find(path_.begin(), path_.end(), name); begun != path_.end())
      return report_cycle(begun, entry);
    path_.push_back(name);
    for (const std::string& other : names_in(*entry.node->value_exact<std::string>())) read_one(other);
    path_.pop_back();
    if (waiting_.erase(name) == 0) return;  // part of a cycle, which has been told

    Definition* definition = find(name);
    auto formula = read_expression(*entry.node, {.place = "parameter '" + name + "'"});
    if (definition != nullptr) definition->state = formula ? Definition::State::ready : Definition::State::faulty;
    if (!formula) return;
    if (definition != nullptr) {
      definition->tree = formula->tree;
      definition->nodes = expression::count_nodes(formula->tree);
    } else {
      const auto& parameters = scenario_.names.parameters;
      const auto at =
          static_cast<std::size_t>(std::find(parameters.begin(), parameters.end(), name) - parameters.begin());
      scenario_.defaults[at] =
          expression::evaluate<double>(formula->tree, expression::StillWorld<double>{scenario_.defaults});
    }
    read_.emplace(name, std::move(*formula));
  }

  // "a needs b, b needs a"
  void report_cycle(std::vector<std::string>::const_iterator begun, const Entry& entry) {
    std::string way;
    const std::vector<std::string> cycle(begun, path_.cend());
    for (std::size_t i = 0; i < cycle.size(); ++i)
      way += (i > 0 ? ", " : "") + ("'" + cycle[i] + "' needs '") + cycle[(i + 1) % cycle.size()] + "'";
    report(*entry.node, "parameters cannot need each other in a circle: " + way);
    for (const std::string& name : cycle) {
      if (Definition* definition = find(name)) definition->state = Definition::State::faulty;
      waiting_.erase(name);
    }
  }

  // every word of the text that could be a name
  static std::vector<std::string> names_in(const std::string& text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::vector<std::string> names;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      if (is_letter(text[at]) || is_digit(text[at]))
        while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
      if (is_letter(text[at])) names.push_back(text.substr(at, end - at));
      at = end;
    }
    return names;
  }

  std::map<std::string, Entry> waiting_;  // not read yet
  std::vector<std::string> path_;         // those being read, each needed by the one before
  std::map<std::string, Formula> read_;
};

}  // namespace

void read_computed(const toml::table& model, Reading& reading) { ComputedSection(reading).read_computed(model); }

}  // namespace conesweep::scenario
