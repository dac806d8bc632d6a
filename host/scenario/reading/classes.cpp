#include <algorithm>

#include "expression/parser.hpp"
#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// (S9) name = "condition over observables", the first that holds; the last one, "else", has the others.
class ClassesSection : private Section {
 public:
  using Section::Section;

  void read_classes(const toml::table& file) {
    const toml::table* table = find_table(file, "classes");
    if (table == nullptr || table->empty()) return;
    const std::vector<Entry> entries = entries_of(*table);
    if (!limit_count(*table, entries.size(), most_classes, "classes")) return;
    const expression::Names names = outcome_names(file);
    for (const Entry& entry : entries) {
      if (!is_class_name(entry.key))
        report(entry,
               "'" + entry.key + "' cannot name a class: a letter, then letters, digits, underscores and hyphens");
      else if (statuses.find(entry.key))
        report(entry,
               "'" + entry.key + "' is a status, which is the class of members that stop with it; choose another name");
      else if (is_else(*entry.node) && entry.key != entries.back().key)
        report(*entry.node, "\"else\" is for the members that no other class has; it must be the last class");
      else
        read_class(entry, names);
    }
    if (!is_else(*entries.back().node)) add_others(*table);
  }

 private:
  static bool is_class_name(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return is_identifier(name);
  }

  static bool is_else(const toml::node& node) { return node.value_exact<std::string>() == else_text; }

  // Observables first: one that is called like a parameter hides it. An observable that was not understood is a name
  // nevertheless.
  expression::Names outcome_names(const toml::table& file) const {
    expression::Names names;
    names.parameters = observable_names(scenario_);
    names.parameters.insert(names.parameters.end(), scenario_.names.parameters.begin(),
                            scenario_.names.parameters.end());
    if (const toml::table* observe = file["observe"].as_table())
      for (const auto& [key, node] : *observe)
        if (std::find(names.parameters.begin(), names.parameters.end(), key.str()) == names.parameters.end() &&
            node.is_table())
          names.parameters.emplace_back(key.str());
    names.computed = scenario_.names.computed;
    for (expression::Definition& parameter : names.computed)
      if (parameter.tree)
        parameter.tree = shift_parameters(parameter.tree, static_cast<int>(observable_names(scenario_).size()));
    return names;
  }

  // Parameters are numbered after the observables here.
  static expression::Expr shift_parameters(const expression::Expr& expr, int by) {
    expression::Node node = *expr;
    if (node.op == expression::Op::symbol) node.symbol.index += by;
    for (expression::Expr& arg : node.args) arg = shift_parameters(arg, by);
    return std::make_shared<const expression::Node>(std::move(node));
  }

  void read_class(const Entry& entry, const expression::Names& names) {
    if (is_else(*entry.node)) return scenario_.classes.push_back({entry.key, {else_text, nullptr, {}}});
    const expression::Allowed allowed = {.place = "class '" + entry.key + "'", .condition = true, .outcomes = true};
    if (auto read = read_expression(*entry.node, allowed, names))
      scenario_.classes.push_back({entry.key, std::move(*read)});
  }

  void add_others(const toml::table& table) {
    const std::string name = "other";
    if (table.contains(name))
      return report(
          table, "no class has the members that no condition holds for; write a last one, for example rest = \"else\"");
    scenario_.classes.push_back({name, {else_text, nullptr, {}}});
  }

  static constexpr const char* else_text = "else";
};

}  // namespace

void read_classes(const toml::table& file, Reading& reading) { ClassesSection(reading).read_classes(file); }

}  // namespace conesweep::scenario
