#include <algorithm>
#include <cmath>
#include <numeric>

#include "expression/calculus.hpp"
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
      const std::vector<Vector> rows = rows_at(later, places);
      if (std::all_of(rows.begin(), rows.end(), [](const Vector& row) { return dot(row, row) == 0; })) {
        report(*node, "'" + later.name + "' binds nothing: what it asks for does not depend on any " + (later.holonomic ? "coordinate" : "velocity"));
        continue;
      }
      for (std::size_t a = 0; a < b; ++a) {
        const Bilateral& earlier = scenario_.bilaterals[a];
        if (!earlier.value || !are_parallel(rows_at(earlier, places), rows)) continue;
        report(*node, "'" + later.name + "' binds the same velocity as '" + earlier.name + "': it says the same again, or contradicts it; leave one out");
        break;
      }
    }
  }

  using Vector = std::vector<double>;

  static double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

  static bool are_parallel(const std::vector<Vector>& a, const std::vector<Vector>& b) {
    constexpr double rounding = 1e-12;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double sizes = std::sqrt(dot(a[k], a[k])) * std::sqrt(dot(b[k], b[k]));
      if (std::isfinite(sizes) && sizes - std::fabs(dot(a[k], b[k])) > rounding * sizes) return false;
    }
    return true;
  }

  // its gradient, or its coefficients, at every place
  std::vector<Vector> rows_at(const Bilateral& bilateral, const std::vector<Anywhere>& places) const {
    std::vector<Vector> rows(places.size());
    for (int i = 0; i < scenario_.dimension(); ++i) {
      const auto part = expression::differentiate(bilateral.value, {bilateral.holonomic ? Symbol::Kind::coordinate : Symbol::Kind::velocity, i});
      for (std::size_t k = 0; k < places.size(); ++k) rows[k].push_back(places[k].value(part));
    }
    return rows;
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
