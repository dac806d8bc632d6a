#include "scenario/reading/law_section.hpp"

#include <algorithm>

#include "scenario/reading/anywhere.hpp"
#include "scenario/reading/dependence.hpp"

namespace conesweep::scenario {

using expression::Expr;
using expression::Symbol;

std::vector<const toml::table*> LawSection::tables_of(const toml::table& model, const std::string& key) {
  const toml::array* array = model[key].as_array();
  if (array == nullptr) return {};
  std::vector<const toml::table*> tables;
  for (const toml::node& item : *array) tables.push_back(item.as_table());
  if (std::find(tables.begin(), tables.end(), nullptr) != tables.end()) return {};
  return tables;
}

std::vector<Formula> LawSection::read_slip(const toml::node& node, std::size_t most) {
  std::vector<Formula> rows = formulas(node, {1, most, "sliding velocities such as \"vx - R*vphi\""},
                                       {.place = "slip", .coordinates = true, .velocities = true});
  if (!node.is_array() || rows.size() != node.as_array()->size()) return {};
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!check_affine(rows[k], *node.as_array()->get(k), "slip")) return {};
  check_independence(rows, node);
  return rows;
}

void LawSection::check_independence(const std::vector<Formula>& slip, const toml::node& node) {
  const std::vector<Anywhere> places = random_places(scenario_);
  std::vector<std::vector<Row>> rows;
  for (const Formula& row : slip)
    rows.push_back(rows_at(places, row.tree, Symbol::Kind::velocity, scenario_.dimension()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!counts_none(places, slip[k].tree, Symbol::Kind::velocity, scenario_.dimension())) continue;
    report(*node.as_array()->get(k),
           "this row of slip has a factor of 0 with every velocity, so nothing slides along it");
    return;
  }
  for (std::size_t later = 1; later < rows.size(); ++later) {
    const auto same = std::find_if(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(later),
                                   [&](const auto& row) { return are_parallel(row, rows[later]); });
    if (same == rows.begin() + static_cast<std::ptrdiff_t>(later)) continue;
    report(*node.as_array()->get(later),
           "this row of slip is the same velocity as row " + std::to_string(same - rows.begin() + 1) +
               ", or a multiple of it; rows are directions of one sliding velocity: leave one out");
  }
}

bool LawSection::check_affine(const Formula& formula, const toml::node& node, const std::string& place) {
  if (!names_a(Symbol::Kind::velocity, formula.tree)) {
    report(node, place + " has no velocity in it; velocities are called v + coordinate, v" +
                     scenario_.names.coordinates.front() + " for example");
    return false;
  }
  const Expr nonlinear = find_nonlinear(formula.tree);
  if (!nonlinear) return true;
  std::string culprit;
  expression::for_each_node(nonlinear, [&](const Expr& part) {
    const bool velocity = part->op == expression::Op::symbol && part->symbol.kind == Symbol::Kind::velocity;
    if (velocity && culprit.empty()) culprit = scenario_.names.name_of(part->symbol);
  });
  report_fault(formula, node,
               {nonlinear->span, place + " must be affine in the velocities, a sum of terms factor * velocity; here " +
                                     culprit + " enters in another way"});
  return false;
}

}  // namespace conesweep::scenario
