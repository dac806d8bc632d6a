#include <algorithm>

#include "scenario/quantities.hpp"
#include "scenario/reading/section.hpp"

namespace conesweep::scenario {
namespace {

// name = "unit": a text that stands behind the name in labels, and nowhere else.
class UnitsSection : private Section {
 public:
  using Section::Section;

  void read_units(const toml::table& file) {
    const toml::table* table = find_table(file, "units");
    if (table == nullptr) return;
    const std::vector<std::string> known = names_with_units(file);
    for (const Entry& entry : entries_of(*table)) {
      const auto unit = entry.node->value_exact<std::string>();
      if (std::find(known.begin(), known.end(), entry.key) == known.end())
        report(entry, "unknown name '" + entry.key + "' in [units]" + hint_or_all(entry.key, known, "known here"));
      else if (!unit || unit->empty() || unit->size() > longest)
        report(*entry.node, "the unit of '" + entry.key + "' must be a text of 1 to " + std::to_string(longest) +
                                " bytes in quotes");
      else
        scenario_.units.emplace_back(entry.key, *unit);
    }
  }

 private:
  static constexpr std::size_t longest = 40;

  // an observable that was not understood is a name nevertheless
  std::vector<std::string> names_with_units(const toml::table& file) const {
    std::vector<std::string> known = quantity_names(scenario_);
    if (const toml::table* observe = file["observe"].as_table())
      for (const auto& [key, node] : *observe)
        if (node.is_table()) known.emplace_back(key.str());
    return known;
  }
};

}  // namespace

void read_units(const toml::table& file, Reading& reading) { UnitsSection(reading).read_units(file); }

}  // namespace conesweep::scenario
