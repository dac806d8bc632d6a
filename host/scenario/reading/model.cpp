#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "expression/parser.hpp"
#include "expression/states.hpp"
#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

class ModelSection : private Section {
 public:
  using Section::Section;

  void read_model(const toml::table& file) {
    const toml::table* model = find_table(file, "model");
    if (model == nullptr) {
      if (!file.contains("model")) report_missing("the section [model] is missing; it holds coordinates and force");
      return;
    }
    check_keys(*model,
               {"coordinates", "force", "mass", "restitution_law", "parameters", "define", "contact", "bilateral",
                "resistance"},
               "in [model]");
    read_coordinates(*model);
    read_parameters(file, *model);
    name_definitions(*model);
    apply_set();
    read_computed(*model, reading_);
    name_laws(*model, reading_);
    read_definitions(*model, reading_);
    read_force(*model);
    read_mass(*model, reading_);
    read_laws(*model, reading_);
  }

 private:
  void read_coordinates(const toml::table& model) {
    coordinates_known_ = false;
    const toml::node* node = model.get("coordinates");
    if (node == nullptr) return report_missing("[model] needs coordinates, for example coordinates = [\"x\", \"y\"]");
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty() || array->size() > most_coordinates)
      return report(*node, "coordinates must be a list of 1 to " + std::to_string(most_coordinates) +
                               " names, for example [\"x\", \"y\"]");
    for (const toml::node& item : *array) {
      const auto name = item.value_exact<std::string>();
      if (!name)
        report(item, "a coordinate's name must be a text in quotes");
      else if (claim_states(*name, &expression::Names::coordinates, item))
        scenario_.names.coordinates.push_back(*name);
    }
    coordinates_known_ = scenario_.names.coordinates.size() == array->size();
  }

  // A parameter with an expression stands for it, unless it is given by --set or --vary, or by a section that gives
  // each member its own.
  void read_parameters(const toml::table& file, const toml::table& model) {
    const toml::table* table = find_table(model, "parameters", "[model.parameters]");
    if (table == nullptr) return;
    limit_count(*table, table->size(), most_parameters, "parameters");
    const auto is_given = [&](const std::string& name) {
      const auto by = [&](const char* section) {
        return file[section].as_table() != nullptr && file[section].as_table()->contains(name);
      };
      const auto by_flag = [&](const auto& flags) {
        return std::any_of(flags.begin(), flags.end(), [&](const auto& flag) { return flag.first == name; });
      };
      return by("vary") || by("sweep") || by_flag(overrides_.set) || by_flag(overrides_.vary);
    };
    for (const Entry& entry : entries_of(*table)) {
      const bool computed = entry.node->is_string();
      const auto value = computed ? std::optional(unknown) : number(*entry.node, "parameter '" + entry.key + "'");
      if (!claim_name(entry.key, "parameter", entry)) continue;
      if (computed && !is_given(entry.key)) {
        scenario_.names.computed.push_back({.name = entry.key});
        continue;
      }
      scenario_.names.parameters.push_back(entry.key);
      scenario_.defaults.push_back(value.value_or(unknown));
    }
  }

  // all of them, before the first is read: each can tell those further down from unknown names
  void name_definitions(const toml::table& model) {
    const toml::table* table = find_table(model, "define", "[model.define]");
    if (table == nullptr || !limit_count(*table, table->size(), most_definitions, "definitions")) return;
    for (const Entry& entry : entries_of(*table))
      if (claim_name(entry.key, "definition", entry)) scenario_.names.definitions.push_back({.name = entry.key});
  }

  // --set name=value
  void apply_set() {
    for (const auto& [name, value] : overrides_.set) {
      const auto& names = scenario_.names.parameters;
      const auto found = std::find(names.begin(), names.end(), name);
      if (scenario_.names.find_definition(name) != nullptr)
        report_setting(setting::set, "'" + name + "' is a definition of the scenario; only parameters can be set");
      else if (found == names.end())
        report_setting(setting::set, "unknown parameter '" + name + "'" + hint(name, names));
      else if (!std::isfinite(value))
        report_setting(setting::set, "parameter '" + name + "' must be a finite number");
      else
        scenario_.defaults[static_cast<std::size_t>(found - names.begin())] = value;
      fixed_.insert(name);
    }
  }

  // What of the state has its name from this one: a coordinate and its velocity.
  template <class Where>
  bool claim_states(const std::string& name, std::vector<std::string> expression::Names::*of, const Where& where) {
    return std::all_of(std::begin(expression::state_kinds), std::end(expression::state_kinds), [&](const auto& kind) {
      return kind.of != of || claim_name(std::string(kind.prefix) + name, std::string(kind.word), where);
    });
  }

  // Every name has one meaning.
  template <class Where>
  bool claim_name(const std::string& name, const std::string& role, const Where& where) {
    if (!is_identifier(name)) {
      report(where, "'" + name + "' cannot be a name: a letter, then letters, digits and underscores");
      return false;
    }
    if (expression::is_reserved(name)) {
      report(where, role + " '" + name + "' clashes with a word of the expression language; choose another name");
      return false;
    }
    // names of what stands beside the trajectories in results.h5 and summary.json
    const bool is_state = std::any_of(std::begin(expression::state_kinds), std::end(expression::state_kinds),
                                      [&](const auto& kind) { return kind.word == role; });
    if (is_state &&
        (name == "time" || name == "member" || name == "recorded" || name == "mode" || name == "quantile_members")) {
      report(where, role + " '" + name + "' clashes with " +
                        (name == "quantile_members" ? "a key of the trajectories in summary.json"
                                                    : "a column of the trajectories in results.h5") +
                        "; choose another name");
      return false;
    }
    const auto [found, fresh] = roles_.emplace(name, role);
    if (!fresh)
      report(where, role + " '" + name + "' clashes with the " + found->second +
                        " of the same name (velocities are called v + coordinate)");
    return fresh;
  }

  void read_force(const toml::table& model) {
    const toml::node* node = model.get("force");
    if (node == nullptr)
      return report_missing("[model] needs force, one expression a coordinate, for example force = [\"0\", \"-g\"]");
    const std::size_t wanted = scenario_.names.coordinates.size();
    if (!coordinates_known_) return;  // said already
    scenario_.force =
        formulas(*node, {wanted, wanted, "one a coordinate"},
                 {.place = "force", .time = true, .coordinates = true, .velocities = true, .history = true});
  }

  std::map<std::string, std::string> roles_;  // every name taken, and what it is
};

}  // namespace

void read_model(const toml::table& file, Reading& reading) { ModelSection(reading).read_model(file); }

}  // namespace conesweep::scenario
