#include <algorithm>
#include <cmath>

#include "expression/calculus.hpp"
#include "scenario/reading/anywhere.hpp"
#include "scenario/reading/section.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;

class MassSection : private Section {
 public:
  using Section::Section;

  void read_mass(const toml::table& model) {
    const toml::node* node = model.get("mass");
    if (node == nullptr || !coordinates_known_) return;
    const toml::array* rows = node->as_array();
    const std::size_t d = scenario_.names.coordinates.size();
    const bool matrix = rows != nullptr && !rows->empty() && rows->get(0)->is_array();
    const auto is_row = [&](const toml::node& row) { return row.is_array() && row.as_array()->size() == d; };
    if (rows == nullptr || rows->size() != d || (matrix && !std::all_of(rows->begin(), rows->end(), is_row)))
      return report(*node, "mass must be a list of " + std::to_string(d) + (d == 1 ? " expression" : " expressions") +
                               ", one a coordinate, or a matrix with a list a row: " + example(d));
    const expression::Allowed rule = {.place = "mass", .coordinates = true};
    std::vector<Formula> mass;
    for (const toml::node& row : *rows) {
      if (matrix)
        for (Formula& entry : formulas(row, {d, d, "a row of the matrix"}, rule)) mass.push_back(std::move(entry));
      else if (auto entry = formula(row, rule))
        mass.push_back(std::move(*entry));
    }
    if (mass.size() != (matrix ? d * d : d)) return;
    scenario_.mass = std::move(mass);
    if (matrix) check_symmetry(*rows);
  }

 private:
  static std::string example(std::size_t d) {
    if (d == 1) return "[\"m\"] or [[\"m\"]]";
    return d == 2 ? "[\"m\", \"J\"] or [[\"m\", \"c\"], [\"c\", \"J\"]]" : "[\"m\", …] or [[\"m\", …], …]";
  }

  const Expr& entry(std::size_t i, std::size_t j) const {
    return scenario_.mass[i * scenario_.names.coordinates.size() + j].tree;
  }

  void check_symmetry(const toml::array& rows) {
    const std::size_t d = scenario_.names.coordinates.size();
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!are_equal(entry(i, j), entry(j, i)))
          report(*rows.get(i)->as_array()->get(j),
                 "mass must be symmetric: row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1) + " is " +
                     scenario_.mass[i * d + j].text + ", but row " + std::to_string(j + 1) + ", column " +
                     std::to_string(i + 1) + " is " + scenario_.mass[j * d + i].text);
  }

  // By their form, or else by their values at random places: two ways to write one function are equal there but for
  // rounding, two functions are not.
  bool are_equal(const Expr& a, const Expr& b) const {
    if (same_tree(expression::simplify(a), expression::simplify(b))) return true;
    constexpr double rounding = 1e-9;
    for (const Anywhere& place : random_places(scenario_)) {
      double size = 0;  // of the matrix: what is small beside it is rounding
      for (const Formula& formula : scenario_.mass) size = std::max(size, std::fabs(place.value(formula.tree)));
      const double difference = std::fabs(place.value(a) - place.value(b));
      // not finite: outside of their domain
      if (std::isfinite(difference) && difference > rounding * size) return false;
    }
    return true;
  }
};

}  // namespace

void read_mass(const toml::table& model, Reading& reading) { MassSection(reading).read_mass(model); }

}  // namespace conesweep::scenario
