#include "scenario/reading/section.hpp"

namespace conesweep::scenario {
namespace {

class StartSection : private Section {
 public:
  using Section::Section;

  void read_start(const toml::table& file) {
    const toml::table* table = find_table(file, "start");
    if (table == nullptr) {
      if (!file.contains("start")) report_missing("the section [start] is missing; it gives every coordinate its past, an expression of t <= 0");
      return;
    }
    if (!coordinates_known_) return;  // said already
    std::vector<std::string> known = scenario_.names.coordinates;
    for (const auto& name : scenario_.names.coordinates) known.push_back("v" + name);
    check_keys(*table, known, "in [start]");
    for (const auto& name : scenario_.names.coordinates) {
      Start start;
      if (const toml::node* past = table->get(name)) {
        if (auto read = formula(*past, {.place = "the past of " + name, .time = true})) start.past = std::move(*read);
      } else {
        report_missing("[start] needs the past of '" + name + "', for example " + name + " = \"0\"");
      }
      if (const toml::node* velocity = table->get("v" + name)) start.velocity = formula(*velocity, {.place = "the start velocity v" + name});
      scenario_.start.push_back(std::move(start));
    }
  }
};

}  // namespace

void read_start(const toml::table& file, Reading& reading) { StartSection(reading).read_start(file); }

}  // namespace conesweep::scenario
