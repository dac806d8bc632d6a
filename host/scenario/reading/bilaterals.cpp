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
      bilateral.name =
          scenario_.names.laws[static_cast<std::size_t>(scenario_.law_of_bilateral(scenario_.bilaterals.size()))];
      check_keys(*table, {"name", "holds", "velocity", "friction", "slip"}, "in [[model.bilateral]]");
      read_equation(*table, bilateral);
      read_friction(*table, bilateral);
      scenario_.bilaterals.push_back(std::move(bilateral));
    }
    check_independence(model);
  }

 private:
  // Two rows that are parallel wherever one looks bind the same velocity twice. (Rows that become so at some place are
  // found when a member gets there.)
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
        report(*node, "'" + later.name + "' binds nothing: what it asks for does not depend on any " +
                          (later.holonomic ? "coordinate" : "velocity"));
        continue;
      }
      for (std::size_t a = 0; a < b; ++a) {
        const Bilateral& earlier = scenario_.bilaterals[a];
        if (!earlier.value || !are_parallel(rows_of(earlier, places), rows)) continue;
        report(*node, "'" + later.name + "' binds the same velocity as '" + earlier.name +
                          "': it says the same again, or contradicts it; leave one out");
        break;
      }
    }
  }

  // its gradient, or its coefficients, at every place
  std::vector<Row> rows_of(const Bilateral& bilateral, const std::vector<Anywhere>& places) const {
    return rows_at(places, bilateral.value, bilateral.holonomic ? Symbol::Kind::coordinate : Symbol::Kind::velocity,
                   scenario_.dimension());
  }

  void read_equation(const toml::table& table, Bilateral& bilateral) {
    const toml::node* holds = table.get("holds");
    const toml::node* velocity = table.get("velocity");
    if (holds == nullptr && velocity == nullptr)
      return report(
          table,
          "bilateral constraint '" + bilateral.name +
              "' needs holds, for example holds = \"y = 0\", or velocity, for example velocity = \"vx - R*vphi = 0\"");
    if (holds != nullptr && velocity != nullptr)
      return report(*velocity,
                    "bilateral constraint '" + bilateral.name + "' has holds and velocity; give one of them");
    bilateral.holonomic = holds != nullptr;
    const toml::node& node = bilateral.holonomic ? *holds : *velocity;
    const std::string place = bilateral.holonomic ? "holds" : "velocity";
    auto equation = formula(
        node,
        {.place = place, .time = true, .coordinates = true, .velocities = !bilateral.holonomic, .equation = true});
    if (!equation) return;
    if (bilateral.holonomic && !names_a(Symbol::Kind::coordinate, equation->tree))
      return report(node, "holds depends on no coordinate, so it holds nothing");
    if (!bilateral.holonomic && !check_affine(*equation, node, place)) return;
    bilateral.value = equation->tree;
    bilateral.equation = std::move(*equation);
  }

  // (G) Coulomb's law with the force that holds it
  void read_friction(const toml::table& table, Bilateral& bilateral) {
    const toml::node* friction = table.get("friction");
    const toml::node* slip = table.get("slip");
    if (friction == nullptr && slip == nullptr) return;
    const std::string whose = "bilateral constraint '" + bilateral.name + "'";
    if (friction == nullptr)
      return report(
          *slip,
          whose + " has slip, but no friction: nothing would resist it; add friction = \"mu\", or leave slip out");
    if (table.contains("velocity"))
      return report(*friction, whose +
                                   " binds a velocity: friction is for what is held at a place, holds = \"… = …\"; "
                                   "what resists a velocity is a [[model.resistance]]");
    if (slip == nullptr)
      return report(*friction, whose + " has friction, which must know what slides: write slip = [\"v" +
                                   (coordinates_known_ ? scenario_.names.coordinates.front() : std::string("x")) +
                                   "\"], the sliding velocities");
    bilateral.friction = formula(
        *friction, {.place = "friction", .time = true, .coordinates = true, .velocities = true, .history = true});
    bilateral.slip = read_slip(*slip, 2);
    if (bilateral.slip.empty()) return bilateral.friction.reset();  // said already
    if (!bilateral.value || !coordinates_known_) return;
    const std::vector<Anywhere> places = random_places(scenario_);
    const std::vector<Row> held = rows_of(bilateral, places);
    for (const Formula& row : bilateral.slip)
      if (are_parallel(held, rows_at(places, row.tree, Symbol::Kind::velocity, scenario_.dimension())))
        return report(*slip, "slip of " + whose +
                                 " is the velocity that it holds: nothing slides that way; give a velocity along it");
  }
};

}  // namespace

void read_bilaterals(const toml::table& model, Reading& reading) { BilateralsSection(reading).read_bilaterals(model); }

}  // namespace conesweep::scenario
