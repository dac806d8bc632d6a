#include <algorithm>
#include <cmath>

#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// (S10) name = { from, to, count } or { values = [...] }: the ensemble is run at each point of the product of the axes.
class SweepSection : private Section {
 public:
  using Section::Section;

  void read_sweep(const toml::table& file) {
    const toml::table* table = find_table(file, "sweep");
    if (table == nullptr) return;
    double rows = static_cast<double>(scenario_.ensemble.members);
    for (const Entry& entry : entries_of(*table)) {
      const auto& names = scenario_.names.parameters;
      const auto found = std::find(names.begin(), names.end(), entry.key);
      if (scenario_.names.find_definition(entry.key) != nullptr) {
        report(entry, "'" + entry.key + "' is a definition; only parameters can be swept");
        continue;
      }
      if (found == names.end()) {
        const std::string near = hint(entry.key, names);
        report(entry, "[sweep] names an unknown parameter '" + entry.key + "'" +
                          (near.empty() ? "; give it a default in [model.parameters] first" : near));
        continue;
      }
      const auto by_flag = [&](const auto& flag) { return flag.first == entry.key; };
      const bool drawn = std::any_of(overrides_.vary.begin(), overrides_.vary.end(), by_flag);
      if (find_variation(entry.key) != scenario_.vary.end() && !drawn) {
        report(entry, "'" + entry.key + "' varies already; a parameter is either drawn, in [vary], or swept");
        continue;
      }
      SweepAxis axis = {static_cast<int>(found - names.begin()), {}, false, entry.place};
      const bool good = read_axis(entry, axis);
      if (drawn || fixed_.contains(entry.key)) continue;  // --vary draws it; --set takes one of its values, or another
      if (!good) {
        scenario_.defaults[static_cast<std::size_t>(axis.parameter)] = unknown;
        continue;
      }
      rows *= static_cast<double>(axis.values.size());
      scenario_.sweep.push_back(std::move(axis));
    }
    if (rows > static_cast<double>(most_members)) {
      report(*table, "the sweep has " + format_short(rows) + " rows, members times points; at most " +
                         format_count(static_cast<unsigned long long>(most_members)) + " are possible");
      scenario_.sweep.clear();
    }
    scenario_.ensemble.members *= sweep_points(scenario_);
  }

 private:
  bool read_axis(const Entry& entry, SweepAxis& axis) {
    const toml::table* table = entry.node->as_table();
    const bool listed = table != nullptr && table->contains("values");
    const std::size_t wanted = listed ? 1 : 3;
    if (table == nullptr || table->size() != wanted ||
        (!listed && !(table->contains("from") && table->contains("to") && table->contains("count")))) {
      report(*entry.node,
             "the axis '" + entry.key + "' must be { from = 0, to = 1, count = 11 } or { values = [0.1, 0.2, 0.5] }");
      return false;
    }
    return listed ? read_values(entry, *table->get("values"), axis) : read_even(*table, axis);
  }

  bool read_values(const Entry& entry, const toml::node& node, SweepAxis& axis) {
    const toml::array* array = node.as_array();
    if (array == nullptr || array->empty() || static_cast<std::int64_t>(array->size()) > most_sweep_values) {
      report(node, "values must be a list of 1 to " + format_count(static_cast<unsigned long long>(most_sweep_values)) +
                       " numbers");
      return false;
    }
    for (const toml::node& item : *array) {
      const auto value = number(item, "a value of '" + entry.key + "'");
      if (!value) return false;
      if (std::find(axis.values.begin(), axis.values.end(), *value) != axis.values.end()) {
        report(item, "the value " + format_number(*value) + " stands there twice");
        return false;
      }
      axis.values.push_back(*value);
    }
    return true;
  }

  // value k of n is ((n - 1 - k) from + k to) / (n - 1): 0.3 is 0.3, and the ends are as written
  bool read_even(const toml::table& table, SweepAxis& axis) {
    const auto from = number(*table.get("from"), "from"), to = number(*table.get("to"), "to");
    const auto count = whole_number(*table.get("count"), "count", 2, most_sweep_values);
    if (!from || !to || !count) return false;
    if (*from == *to) {
      report(*table.get("to"), "to must differ from from; for one value write values = [" + format_number(*to) + "]");
      return false;
    }
    axis.even = true;
    const auto last = static_cast<double>(*count - 1);
    for (std::int64_t k = 0; k < *count; ++k) {
      const auto at = static_cast<double>(k);
      axis.values.push_back(k == 0 ? *from : at == last ? *to : ((last - at) * *from + at * *to) / last);
      if (!std::isfinite(axis.values.back())) {
        report(*table.get("to"), "the values between from and to are too large");
        return false;
      }
    }
    return true;
  }
};

}  // namespace

void read_sweep(const toml::table& file, Reading& reading) { SweepSection(reading).read_sweep(file); }

}  // namespace conesweep::scenario
