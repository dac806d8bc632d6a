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
    const toml::table* table = find_table(file, "observe");
    static const toml::table empty;
    if (table == nullptr) table = &empty;
    const std::vector<Entry> entries = entries_of(*table);
    const auto is_choice = [](const Entry& entry) { return choice_of(entry) != Choice::none; };
    const auto choices = static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), is_choice));

    read_standard(entries);
    if (!limit_count(*table, entries.size() - choices, most_observables, "observables")) return;
    for (const Entry& entry : entries)
      if (!is_choice(entry)) read_observable(entry);
  }

 private:
  // An entry that chooses among the standard quantities. `also` is one only as a list: it may name an observable, too.
  enum class Choice { none, standard, also };
  static Choice choice_of(const Entry& entry) {
    if (entry.key == "standard") return Choice::standard;
    return entry.key == "also" && entry.node->is_array() ? Choice::also : Choice::none;
  }

  // those of `standard`, or else those that need no word; and those of `also`
  void read_standard(const std::vector<Entry>& entries) {
    std::set<Standard> wanted;
    bool chosen = false;
    for (const Entry& entry : entries) {
      const Choice choice = choice_of(entry);
      if (choice != Choice::none) wanted.merge(read_quantities(entry));
      chosen = chosen || choice == Choice::standard;
    }
    for (const StandardRow& row : standard_quantities)
      if (wanted.contains(row.value) || (!chosen && row.observed == Observed::unless_refused)) scenario_.standard.push_back(row.value);
  }

  std::set<Standard> read_quantities(const Entry& entry) {
    const toml::array* array = entry.node->as_array();
    if (array == nullptr) {
      report(*entry.node, "standard must be a list of standard quantities: " + join_words(standard_quantities.names()) + "; [] for none");
      return {};
    }
    std::set<Standard> named;
    for (const toml::node& item : *array)
      if (const auto found = choose(standard_quantities, item.value_exact<std::string>().value_or(""), "standard quantity", item)) named.insert(*found);
    return named;
  }

  void read_observable(const Entry& entry) {
    if (!is_identifier(entry.key)) return report(entry, "'" + entry.key + "' cannot name an observable: a letter, then letters, digits and underscores");
    if (standard_quantities.find(entry.key)) return report(entry, "'" + entry.key + "' is a standard quantity; choose another name");
    const toml::table* table = entry.node->as_table();
    if (table == nullptr || table->size() != 1)
      return report(*entry.node, "the observable '" + entry.key + "' must be one reducer with an expression, for example { max = \"x\" }");
    const Entry reducer = entries_of(*table).front();
    const auto found = choose(reducers, reducer.key, "reducer", reducer);
    if (!found) return;
    Observable observable;
    observable.name = entry.key;
    observable.reducer = *found;
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
