#include <algorithm>

#include "scenario/reading/anywhere.hpp"
#include "scenario/reading/dependence.hpp"
#include "scenario/reading/law_section.hpp"

namespace conesweep::scenario {
namespace {

using expression::Symbol;

class BilateralsSection : private LawSection {
 public:
  using LawSection::LawSection;

  void read_bilaterals(const toml::table& model) {
    for (const toml::table* table : tables_of(model, "bilateral")) {
      Bilateral bilateral;
      bilateral.name = scenario_.names.laws[static_cast<std::size_t>(scenario_.law_of_bilateral(scenario_.bilaterals.size()))];
      read_equation(*table, bilateral);
      scenario_.bilaterals.push_back(std::move(bilateral));
    }
    check_independence(model);
  }

 private:
  // Two rows that are parallel wherever one looks bind the same velocity twice. (Rows that become so at some place are found when a member gets there.)
  void check_independence(const toml::table& model) {
    if (scenario_.bilaterals.empty()) return;
    const auto tables = tables_of(model, "bilateral");
    const std::vector<Anywhere> places = random_places(scenario_);
    for (std::size_t b = 0; b < scenario_.bilaterals.size(); ++b) {
      const Bilateral& later = scenario_.bilaterals[b];
      const toml::node* node = tables[b]->get(later.holonomic ? "holds" : "velocity");
      if (!later.value) continue;  // not understood
      const std::vector<Row> rows = rows_of(later, places);
      if (std::all_of(rows.begin(), rows.end(), is_zero)) {
        report(*node, "'" + later.name + "' binds nothing: what it asks for does not depend on any " + (later.holonomic ? "coordinate" : "velocity"));
        continue;
      }
      for (std::size_t a = 0; a < b; ++a) {
        const Bilateral& earlier = scenario_.bilaterals[a];
        if (!earlier.value || !are_parallel(rows_of(earlier, places), rows)) continue;
        report(*node, "'" + later.name + "' binds the same velocity as '" + earlier.name + "': it says the same again, or contradicts it; leave one out");
        break;
      }
    }
  }

  // its gradient, or its coefficients, at every place
  std::vector<Row> rows_of(const Bilateral& bilateral, const std::vector<Anywhere>& places) const {
    return rows_at(places, bilateral.value, bilateral.holonomic ? Symbol::Kind::coordinate : Symbol::Kind::velocity, scenario_.dimension());
  }

  void read_equation(const toml::table& table, Bilateral& bilateral) {
    check_keys(table, {"name", "holds", "velocity"}, "in [[model.bilateral]]");
    const toml::node* holds = table.get("holds");
    const toml::node* velocity = table.get("velocity");
    if (holds == nullptr && velocity == nullptr)
      return report(table, "bilateral constraint '" + bilateral.name +
                               "' needs holds, for example holds = \"y = 0\", or velocity, for example velocity = \"vx - R*vphi = 0\"");
    if (holds != nullptr && velocity != nullptr)
      return report(*velocity, "bilateral constraint '" + bilateral.name + "' has holds and velocity; give one of them");
    bilateral.holonomic = holds != nullptr;
    const toml::node& node = bilateral.holonomic ? *holds : *velocity;
    const std::string place = bilateral.holonomic ? "holds" : "velocity";
    auto equation = formula(node, {.place = place, .time = true, .coordinates = true, .velocities = !bilateral.holonomic, .equation = true});
    if (!equation) return;
    if (bilateral.holonomic && !names_a(Symbol::Kind::coordinate, equation->tree)) return report(node, "holds depends on no coordinate, so it holds nothing");
    if (!bilateral.holonomic && !check_affine(*equation, node, place)) return;
    bilateral.value = equation->tree;
    bilateral.equation = std::move(*equation);
  }
};

}  // namespace

void read_bilaterals(const toml::table& model, Reading& reading) { BilateralsSection(reading).read_bilaterals(model); }

}  // namespace conesweep::scenario
