#include <algorithm>
#include <set>

#include "expression/parser.hpp"
#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Allowed;

class ObserveSection : private Section {
 public:
  using Section::Section;

  void read_observe(const toml::table& file) {
    std::vector<std::string> standard_names;
    for (int i = 0; i < standard_count; ++i) standard_names.emplace_back(to_name(static_cast<Standard>(i)));
    const toml::table* table = find_table(file, "observe");
    if (table == nullptr || !table->contains("standard"))
      for (int i = 0; i < standard_count; ++i) scenario_.standard.push_back(static_cast<Standard>(i));
    if (table == nullptr) return;
    if (!limit_count(*table, table->size() - (table->contains("standard") ? 1 : 0), most_observables, "observables")) return;
    for (const Entry& entry : entries_of(*table)) {
      if (entry.key == "standard")
        read_standard(*entry.node, standard_names);
      else
        read_observable(entry, standard_names);
    }
  }

 private:
  void read_standard(const toml::node& node, const std::vector<std::string>& names) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return report(node, "standard must be a list of standard quantities: " + join_words(names) + "; [] for none");
    std::set<Standard> wanted;
    for (const toml::node& item : *array) {
      const std::string name = item.value_exact<std::string>().value_or("");
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end()) {
        report(item, "unknown standard quantity '" + name + "'" + (hint(name, names).empty() ? "; known: " + join_words(names) : hint(name, names)));
        continue;
      }
      wanted.insert(static_cast<Standard>(found - names.begin()));
    }
    scenario_.standard.assign(wanted.begin(), wanted.end());
  }

  void read_observable(const Entry& entry, const std::vector<std::string>& standard_names) {
    static const std::vector<std::string> reducers = {"final", "min", "max", "mean", "integral", "first_time", "last_time", "count"};
    if (!is_identifier(entry.key)) return report(entry, "'" + entry.key + "' cannot name an observable: a letter, then letters, digits and underscores");
    if (std::find(standard_names.begin(), standard_names.end(), entry.key) != standard_names.end())
      return report(entry, "'" + entry.key + "' is a standard quantity; choose another name");
    const toml::table* table = entry.node->as_table();
    if (table == nullptr || table->size() != 1)
      return report(*entry.node, "the observable '" + entry.key + "' must be one reducer with an expression, for example { max = \"x\" }");
    const Entry reducer = entries_of(*table).front();
    const auto found = std::find(reducers.begin(), reducers.end(), reducer.key);
    if (found == reducers.end())
      return report(reducer, "unknown reducer '" + reducer.key + "'" +
                                 (hint(reducer.key, reducers).empty() ? "; known: " + join_words(reducers) : hint(reducer.key, reducers)));
    Observable observable;
    observable.name = entry.key;
    observable.reducer = static_cast<Reducer>(found - reducers.begin());
    const Allowed allowed = {
        .place = reducer.key, .time = true, .coordinates = true, .velocities = true, .history = true, .condition = takes_condition(observable.reducer)};
    if (auto read = formula(*reducer.node, allowed)) {
      observable.formula = std::move(*read);
      scenario_.observables.push_back(std::move(observable));
    }
  }
};

}  // namespace

void read_observe(const toml::table& file, Reading& reading) { ObserveSection(reading).read_observe(file); }

}  // namespace conesweep::scenario
