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
      if (wanted.contains(row.value) || (!chosen && row.observed == Observed::unless_refused))
        scenario_.standard.push_back(row.value);
  }

  std::set<Standard> read_quantities(const Entry& entry) {
    const toml::array* array = entry.node->as_array();
    if (array == nullptr) {
      report(*entry.node, "standard must be a list of standard quantities: " + join_words(standard_quantities.names()) +
                              "; [] for none");
      return {};
    }
    std::set<Standard> named;
    for (const toml::node& item : *array) {
      const std::string name = item.value_exact<std::string>().value_or("");
      const std::size_t dot = name.find('.');
      const std::string kind = name.substr(0, dot);
      if (dot != std::string::npos && (kind == "impulse" || kind == "lost"))
        read_of_contact(kind, name.substr(dot + 1), item);
      else if (const auto found = choose(standard_quantities, name, "standard quantity", item))
        check_persistence(*found, item), named.insert(*found);
    }
    return named;
  }

  // (T) what needs persistent contacts, and nothing beside them
  void check_persistence(Standard quantity, const toml::node& item) {
    if (quantity != Standard::lost && quantity != Standard::certificate && quantity != Standard::certificate_paper)
      return;
    const std::string name(to_name(quantity));
    if (count_persistent(scenario_) == 0)
      return report(item,
                    name + " is about persistent contacts, and there is none; write persistent = true in a contact");
    if (quantity == Standard::lost) return;
    const std::string alone = name + " is defined where persistent contacts are the only laws";
    if (!scenario_.bilaterals.empty()) return report(item, alone + ", and there are bilateral constraints");
    if (!scenario_.resistances.empty()) return report(item, alone + ", and there are resistances");
    bool rubs = false;
    for (const Contact& contact : scenario_.contacts) {
      if (!contact.persistent) return report(item, alone + ", and contact '" + contact.name + "' is not persistent");
      if (contact.wall_moves())
        return report(item, name + " is defined for walls that stand still, and t is in inside of contact '" +
                                contact.name + "'");
      const bool in_space = kind_of(scenario_, contact) == ContactKind::particle
                                ? scenario_.dimension() > 2
                                : contact.point.size() > 2 || contact.slip.size() > 1;
      const bool has_friction = contact.friction_law != FrictionLaw::none;
      if (has_friction && in_space)
        return report(item, name + " is exact in the plane, where friction has two directions; contact '" +
                                contact.name + "' slides in more");
      rubs = rubs || has_friction;
    }
    if (!rubs) report(item, name + " is about friction, and no persistent contact has any");
  }

  // impulse.<contact>, lost.<contact>
  void read_of_contact(const std::string& kind, const std::string& name, const toml::node& item) {
    const auto& laws = scenario_.names.laws;
    std::vector<std::string> contacts;
    for (std::size_t i = 0; i < laws.size(); ++i)
      if (scenario_.names.about_laws[i].kind == expression::NamedLaw::Kind::contact) contacts.push_back(laws[i]);
    const auto found = std::find(contacts.begin(), contacts.end(), name);
    if (found == contacts.end() && std::find(laws.begin(), laws.end(), name) != laws.end())
      return report(item, "'" + name + "' is no contact; " +
                              (kind == "lost" ? "lost.<name> is the loss" : "impulse.<name> is the normal impulse") +
                              " of a contact");
    if (found == contacts.end())
      return report(item, kind + " of an unknown contact '" + name + "'" +
                              (contacts.empty() ? "; the scenario has none" : hint_or_all(name, contacts)));
    if (!is_identifier(name))
      return report(
          item, "the " + std::string(kind == "lost" ? "loss" : kind) + " of '" + name +
                    "' cannot be observed under this name; give the contact one of letters, digits and underscores");
    const int law = static_cast<int>(found - contacts.begin());
    const LawQuantity wanted = {kind == "lost" ? LawQuantity::Kind::loss : LawQuantity::Kind::impulse, law};
    if (wanted.kind == LawQuantity::Kind::loss && !scenario_.contacts[static_cast<std::size_t>(law)].persistent)
      return report(item,
                    "contact '" + name + "' is not persistent, so it cannot be lost; write persistent = true in it");
    // impulses first
    auto& list = scenario_.of_laws;
    if (std::any_of(list.begin(), list.end(),
                    [&](const LawQuantity& some) { return some.law == wanted.law && some.kind == wanted.kind; }))
      return;
    const auto is_loss = [](const LawQuantity& some) { return some.kind == LawQuantity::Kind::loss; };
    list.insert(wanted.kind == LawQuantity::Kind::loss ? list.end() : std::find_if(list.begin(), list.end(), is_loss),
                wanted);
  }

  // A quantity that is there only on request leaves its name to others where nobody asks for it.
  bool is_taken(const std::string& name) const {
    const auto quantity = standard_quantities.find(name);
    if (!quantity) return false;
    const auto& asked = scenario_.standard;
    return standard_quantities[*quantity].observed == Observed::unless_refused ||
           std::find(asked.begin(), asked.end(), *quantity) != asked.end();
  }

  void read_observable(const Entry& entry) {
    if (!is_identifier(entry.key))
      return report(entry,
                    "'" + entry.key + "' cannot name an observable: a letter, then letters, digits and underscores");
    if (expression::is_word(entry.key))
      return report(
          entry,
          "observable '" + entry.key +
              "' clashes with a word of the expression language, which it would be in a class; choose another name, " +
              "for example '" + entry.key + "_observed'");
    if (is_taken(entry.key)) return report(entry, "'" + entry.key + "' is a standard quantity; choose another name");
    if (entry.key == "end_time" && scenario_.stop)
      return report(entry, "'end_time' is observed where [time] has stop; choose another name");
    const toml::table* table = entry.node->as_table();
    const auto is_time = [](const Entry& one) { return one.key == "after" || one.key == "before"; };
    std::vector<Entry> reducing = table != nullptr ? entries_of(*table) : std::vector<Entry>();
    const auto times =
        std::stable_partition(reducing.begin(), reducing.end(), [&](const Entry& one) { return !is_time(one); });
    if (times - reducing.begin() != 1)
      return report(*entry.node, "the observable '" + entry.key +
                                     "' must be one reducer with an expression, for example { max = \"x\" }" +
                                     (times == reducing.end() ? "" : "; after and before may stand beside it"));
    const Entry reducer = reducing.front();
    const auto found = choose(reducers, reducer.key, "reducer", reducer);
    if (!found) return;
    Observable observable;
    observable.name = entry.key;
    observable.reducer = *found;
    const Allowed allowed = {.place = reducer.key,
                             .time = true,
                             .coordinates = true,
                             .velocities = true,
                             .history = true,
                             .condition = takes_condition(observable.reducer),
                             .laws = true};
    auto read = formula(*reducer.node, allowed);
    bool good = read.has_value();
    for (auto time = times; time != reducing.end(); ++time) {
      auto& place = time->key == "after" ? observable.after : observable.before;
      place = formula(*time->node, {.place = time->key, .end = true});
      good = good && place;
    }
    if (!good) return;
    observable.formula = std::move(*read);
    scenario_.observables.push_back(std::move(observable));
  }
};

}  // namespace

void read_observe(const toml::table& file, Reading& reading) { ObserveSection(reading).read_observe(file); }

}  // namespace conesweep::scenario
