#include <algorithm>

#include "scenario/islands.hpp"
#include "scenario/reading/law_section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::NamedLaw;

struct LawKind {
  NamedLaw::Kind kind;
  std::string key;   // [[model.<key>]]
  std::string word;  // for people
  std::string words;
};
const LawKind kinds[] = {
    {NamedLaw::Kind::contact, "contact", "contact", "contacts"},
    {NamedLaw::Kind::bilateral, "bilateral", "bilateral constraint", "bilateral constraints"},
    {NamedLaw::Kind::resistance, "resistance", "resistance", "resistances"},
};

class LawsSection : private LawSection {
 public:
  using LawSection::LawSection;

  // contacts first, then bilateral constraints, then resistances: this is how laws are numbered
  void name_laws(const toml::table& model) {
    for (const LawKind& kind : kinds) {
      const auto tables = tables_of(model, kind.key);
      if (tables.empty() && model.contains(kind.key) && !is_empty_list(*model.get(kind.key)))
        report(*model.get(kind.key), kind.words + " are written as [[model." + kind.key + "]], one for each");
      for (std::size_t k = 0; k < tables.size(); ++k) name_law(*tables[k], kind, k);
    }
  }

  void read_laws(const toml::table& model) {
    read_restitution_law(model);
    read_contacts(model, reading_);
    find_gaps();
    read_bilaterals(model, reading_);
    read_resistances(model, reading_);
  }

  // What a step has room for: laws that never meet any number, those that are solved together few.
  void check_sizes(const toml::table& file) {
    const toml::table* model = file.get_as<toml::table>("model");
    if (model != nullptr) check_sizes_of(*model);
  }

 private:
  static bool is_empty_list(const toml::node& node) { return node.is_array() && node.as_array()->empty(); }

  void name_law(const toml::table& table, const LawKind& kind, std::size_t k) {
    std::string name = kind.key + std::to_string(k + 1);
    if (const toml::node* node = table.get("name")) {
      if (const auto text = node->value_exact<std::string>(); text && !text->empty())
        name = *text;
      else
        report(*node, "a " + kind.word + "'s name must be a text in quotes, and not empty");
    }
    auto& names = scenario_.names;
    const auto same = std::find(names.laws.begin(), names.laws.end(), name);
    if (same != names.laws.end()) {
      const bool of_a_kind = names.about_laws[static_cast<std::size_t>(same - names.laws.begin())].kind == kind.kind;
      report(table, "two " + (of_a_kind ? kind.words : "laws") + " are called '" + name + "'" +
                        (of_a_kind ? "" : "; contacts, bilateral constraints and resistances share their names"));
    }
    names.laws.push_back(name);
    names.about_laws.push_back(
        {kind.kind, {.name = name}, kind.kind != NamedLaw::Kind::bilateral || table.contains("friction")});
  }

  void read_restitution_law(const toml::table& model) {
    const toml::node* node = model.get("restitution_law");
    if (node == nullptr) return;
    const auto name = node->value_exact<std::string>();
    if (!name)
      return report(*node, "restitution_law must be a text in quotes: " + join_words(restitution_laws.names(), "or"));
    if (const auto found = choose(restitution_laws, *name, "restitution_law", *node))
      scenario_.restitution_law = *found;
  }

  // -g of each contact, for gap(name) in all that is read from here on
  void find_gaps() {
    using State = expression::Definition::State;
    for (std::size_t c = 0; c < scenario_.contacts.size(); ++c) {
      const expression::Expr& g = scenario_.contacts[c].g;
      expression::Definition& gap = scenario_.names.about_laws[c].gap;
      gap.state = g ? State::ready : State::faulty;
      if (!g) continue;
      gap.tree = expression::make_node(expression::Op::subtract, {g->args[1], g->args[0]}, g->span);
      gap.nodes = expression::count_nodes(gap.tree);
    }
  }

  bool is_understood() const {
    const auto has_tree = [](const Formula& formula) { return formula.tree != nullptr; };
    return std::all_of(scenario_.contacts.begin(), scenario_.contacts.end(),
                       [](const Contact& contact) { return contact.g != nullptr; }) &&
           std::all_of(scenario_.bilaterals.begin(), scenario_.bilaterals.end(),
                       [](const Bilateral& bilateral) { return bilateral.value != nullptr; }) &&
           std::all_of(scenario_.mass.begin(), scenario_.mass.end(), has_tree);
  }

  // what a step has room for where laws are solved together
  void check_size(const toml::table& model, const Island& island) {
    if (has_closed_form(scenario_, island)) return;
    const std::string laws = join_words(law_names(scenario_, island));
    const auto limit = [&](const char* key, std::size_t count, std::int64_t most, const std::string& what) {
      if (static_cast<std::int64_t>(count) > most)
        report(*model.get(key), std::to_string(count) + " " + what + " meet in " + laws + "; at most " +
                                    std::to_string(most) + " are possible where laws act on the same coordinates");
    };
    limit("coordinates", island.coordinates.size(), most_island_coordinates, "coordinates");
    limit("bilateral", island.bilaterals.size(), most_island_firm_rows, "bilateral constraints");
    limit("resistance", island.resistances.size(), most_island_resistances, "resistances");
  }

  void check_sizes_of(const toml::table& model) {
    const auto limit = [&](const char* key, std::size_t count, std::int64_t most, const std::string& what) {
      if (static_cast<std::int64_t>(count) > most)
        report(*model.get(key), "at most " + std::to_string(most) + " " + what + ", got " + std::to_string(count));
    };
    limit("resistance", scenario_.resistances.size(), most_resistances, "resistances are possible");
    if (!is_understood() || !is_coupled(scenario_)) return;
    for (const Island& island : find_islands(scenario_)) check_size(model, island);
    limit("contact", count_persistent(scenario_), most_persistent, "contacts can be persistent: they all touch");
    const auto tables = tables_of(model, "contact");
    for (std::size_t c = 0; c < scenario_.contacts.size(); ++c) {
      const Contact& contact = scenario_.contacts[c];
      if (kind_of(scenario_, contact) == ContactKind::particle && contact.friction &&
          scenario_.dimension() > most_particle_coordinates)
        report(*tables[c], "contact '" + contact.name + "' has friction in " + std::to_string(scenario_.dimension()) +
                               " coordinates, in a model whose laws are solved together; say what slides there: slip = "
                               "[\"…\"], sliding velocities, or point = "
                               "[\"…\", \"…\"], the place of contact");
    }
  }

  static constexpr int most_particle_coordinates = 3;
};

}  // namespace

void name_laws(const toml::table& model, Reading& reading) { LawsSection(reading).name_laws(model); }
void read_laws(const toml::table& model, Reading& reading) { LawsSection(reading).read_laws(model); }
void check_law_sizes(const toml::table& file, Reading& reading) { LawsSection(reading).check_sizes(file); }

}  // namespace conesweep::scenario
