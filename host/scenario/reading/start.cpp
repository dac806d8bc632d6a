#include <algorithm>

#include "expression/states.hpp"
#include "scenario/reading/section.hpp"

namespace conesweep::scenario {
namespace {

class StartSection : private Section {
 public:
  using Section::Section;

  void read_start(const toml::table& file) {
    const toml::table* table = find_table(file, "start");
    if (table == nullptr) {
      if (!file.contains("start"))
        report_missing("the section [start] is missing; it gives every coordinate its past, an expression of t <= 0");
      return;
    }
    if (!coordinates_known_) return;  // said already
    std::vector<std::string> known = state_names(scenario_);
    // a coordinate of that name has its past there
    const bool is_name = std::find(known.begin(), known.end(), "settle") != known.end();
    if (!is_name) known.push_back("settle");
    check_keys(*table, known, "in [start]");
    if (!is_name) read_settle(*table);
    for (const auto& name : scenario_.names.coordinates) {
      Start start;
      if (const toml::node* past = table->get(name)) {
        if (auto read = formula(*past, {.place = "the past of " + name, .time = true})) start.past = std::move(*read);
      } else {
        report_missing("[start] needs the past of '" + name + "', for example " + name + " = \"0\"");
      }
      const std::string rate = expression::velocity_of(name);
      if (const toml::node* velocity = table->get(rate))
        start.velocity = formula(*velocity, {.place = "the start velocity " + rate});
      scenario_.start.push_back(std::move(start));
    }
  }

 private:
  void read_settle(const toml::table& table) {
    const toml::node* node = table.get("settle");
    if (node == nullptr) return;
    const auto settle = node->value_exact<bool>();
    if (!settle)
      return report(*node,
                    "settle must be true or false: are starts that miss walls and constraints by little put on them?");
    const auto& laws = scenario_.names.about_laws;
    const bool some = std::any_of(laws.begin(), laws.end(),
                                  [](const auto& law) { return law.kind != expression::NamedLaw::Kind::resistance; });
    if (*settle && !some)
      return report(*node,
                    "settle = true needs something to put starts on: add a [[model.contact]] or a [[model.bilateral]], "
                    "or leave settle out");
    scenario_.settle = *settle;
  }
};

}  // namespace

void read_start(const toml::table& file, Reading& reading) { StartSection(reading).read_start(file); }

}  // namespace conesweep::scenario
