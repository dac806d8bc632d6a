#include "scenario/reading/section.hpp"

namespace conesweep::scenario {
namespace {

using expression::Definition;

class DefineSection : private Section {
 public:
  using Section::Section;

  // From top to bottom, so that each sees those above it. [model] has named them all.
  void read_definitions(const toml::table& model) {
    const toml::table* table = model["define"].as_table();
    if (table == nullptr) return;
    for (Definition& definition : scenario_.names.definitions) {
      definition.state = Definition::State::being_read;
      auto read = read_expression(*table->get(definition.name), rule_of(definition));
      definition.state = read ? Definition::State::ready : Definition::State::faulty;
      if (!read) continue;
      definition.tree = read->tree;
      definition.nodes = expression::count_nodes(read->tree);
      scenario_.definitions.push_back(std::move(*read));
    }
  }

 private:
  // All that some place allows; the place where it is used judges again.
  static expression::Allowed rule_of(const Definition& definition) {
    return {.place = "the definition of " + definition.name,
            .time = true,
            .coordinates = true,
            .velocities = true,
            .history = true,
            .laws = true,
            .definition = true};
  }
};

}  // namespace

void read_definitions(const toml::table& model, Reading& reading) { DefineSection(reading).read_definitions(model); }

}  // namespace conesweep::scenario
