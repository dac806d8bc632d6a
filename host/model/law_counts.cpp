#include "model/law_counts.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "expression/calculus.hpp"
#include "model/emitter.hpp"
#include "model/rewrite.hpp"
#include "model/text.hpp"
#include "scenario/formulas.hpp"
#include "scenario/islands.hpp"

namespace conesweep::model {
namespace {

using expression::Expr;
using expression::Op;
using expression::Symbol;
using scenario::Bilateral;
using scenario::Contact;
using scenario::ContactKind;
using scenario::Formula;
using scenario::Island;
using scenario::LawQuantity;
using scenario::Problem;
using scenario::Resistance;

constexpr std::string_view laws_block = R"(  struct Laws : state::NoLaws {
    enum Count : int {
      coupled = @coupled@,
      packs = @packs@,
      islands = @islands@,
      constant_mass = @constant_mass@,
      constant_firm = @constant_firm@,
      firm = @firm@,
      guides = @guides@,
      guide_rows = @guide_rows@,
      resistances = @resistances@,
      resistance_rows = @resistance_rows@,
      contact_rows = @contact_rows@,
      moreau = @moreau@,
      uses_laws = @uses_laws@,
      limits_use_normals = @limits_use_normals@,
      law_impulses = @law_impulses@,
      law_losses = @law_losses@,
      persistent = @persistent@,
      percussions = @percussions@,
    };
    static constexpr CS_HD state::MassKind mass() { return state::MassKind::@mass@; }
@tables@  };

)";

constexpr std::string_view table_block = R"(    static constexpr CS_HD @type@ @name@(int k) {
      constexpr @type@ table[] = @values@;
      return table[k];
    }
)";

std::string write_table(const std::string& type, const std::string& name, const std::vector<std::string>& values) {
  if (values.empty()) return {};
  return fill(table_block, {{"type", type}, {"name", name}, {"values", name_list(values)}});
}

// rows of a contact in a coupled step; 0: friction on a tangent space that is too large for one
int count_rows(const Problem& scenario, const Contact& contact) {
  switch (kind_of(scenario, contact)) {
    case ContactKind::point: return static_cast<int>(contact.point.size());
    case ContactKind::slip: return 1 + static_cast<int>(contact.slip.size());
    case ContactKind::row: return 1;
    case ContactKind::particle: break;
  }
  if (contact.friction_law == scenario::FrictionLaw::none) return 1;
  return scenario.dimension() <= 3 ? scenario.dimension() : 0;
}

// rows of a guide; 0: no friction
int count_rows(const Bilateral& bilateral) {
  return bilateral.is_guide() ? 1 + static_cast<int>(bilateral.slip.size()) : 0;
}

std::string name_of(ContactKind kind) {
  switch (kind) {
    case ContactKind::point: return "state::ContactKind::point";
    case ContactKind::slip: return "state::ContactKind::slip";
    case ContactKind::row: return "state::ContactKind::row";
    case ContactKind::particle: break;
  }
  return "state::ContactKind::particle";
}

bool asks(const Formula& formula, Symbol::Kind kind) {
  return expression::any_node(formula.tree,
                              [&](const expression::Node& n) { return n.op == Op::symbol && n.symbol.kind == kind; });
}

bool limits_use_normals(const Problem& scenario) {
  bool some = false;
  for (const Resistance& resistance : scenario.resistances)
    for (const Formula& limit : resistance.limit) some = some || asks(limit, Symbol::Kind::normal);
  return some;
}

std::ptrdiff_t count_quantities(const Problem& scenario, LawQuantity::Kind kind) {
  return std::count_if(scenario.of_laws.begin(), scenario.of_laws.end(),
                       [&](const LawQuantity& quantity) { return quantity.kind == kind; });
}

bool has_constant_mass(const Problem& scenario) {
  return std::all_of(scenario.mass.begin(), scenario.mass.end(),
                     [](const Formula& entry) { return is_of_parameters(entry.tree); });
}

// rows of bilateral constraints without friction, of which there are some, in a constant metric
bool has_constant_firm_rows(const Problem& scenario) {
  bool some = false, all = has_constant_mass(scenario);
  for (const Bilateral& bilateral : scenario.bilaterals) {
    if (bilateral.is_guide()) continue;
    some = true;
    for (int c = 0; c < scenario.dimension(); ++c)
      all = all && is_of_parameters(expression::simplify(expression::differentiate(
                       bilateral.value, {bilateral.holonomic ? Symbol::Kind::coordinate : Symbol::Kind::velocity, c})));
  }
  return some && all;
}

// slip rows with a part of their own, or a drive
bool is_driven(const Resistance& resistance) {
  if (!resistance.drive.empty()) return true;
  return std::any_of(resistance.slip.begin(), resistance.slip.end(), [](const Formula& slip) {
    const Expr rest = expression::simplify(rewrite(slip.tree, [](const Expr& e) -> Expr {
      return e->op == Op::symbol && e->symbol.kind == Symbol::Kind::velocity ? expression::make_constant(0) : nullptr;
    }));
    return rest->op != Op::constant || rest->value != 0;
  });
}

// slip rows of a contact that are numbers, so that none of them vanishes anywhere
bool always_slides(const Problem& scenario, const Contact& contact) {
  return std::all_of(contact.slip.begin(), contact.slip.end(), [&](const Formula& slip) {
    bool some = false;
    for (int c = 0; c < scenario.dimension(); ++c) {
      const Expr entry = expression::differentiate(slip.tree, {Symbol::Kind::velocity, c});
      some = some || (entry->op == Op::constant && entry->value != 0);
    }
    return some;
  });
}

std::string truth(bool value) { return value ? "true" : "false"; }

// Islands that are solved one by one; the walls of a particle are looked at together.
std::vector<Island> find_separate(const Problem& scenario) {
  return is_coupled(scenario) ? find_islands(scenario) : std::vector<Island>(1);
}

// (B11) which laws may meet, and how those that meet none are solved
std::string write_island_tables(const Problem& scenario, const std::vector<Island>& islands) {
  std::vector<std::string> coordinates, normals;
  for (const std::uint64_t set : scenario::find_coordinate_sets(scenario))
    coordinates.push_back(std::to_string(set) + "ULL");
  bool some_normals = false;
  for (const Resistance& resistance : scenario.resistances) {
    std::uint64_t set = 0;
    for (const int law : scenario::find_normals(resistance))
      set |= law < 64 ? std::uint64_t{1} << law : ~std::uint64_t{0};
    some_normals = some_normals || set != 0;
    normals.push_back(std::to_string(set) + "ULL");
  }
  if (!some_normals) normals.clear();
  const std::size_t laws = scenario.names.laws.size();
  std::vector<std::string> island(laws, "0"), closed(laws, "false"), lone(laws, "false"), boxed(laws, "false"),
      orthogonal(laws, "false");
  for (std::size_t i = 0; i < islands.size(); ++i) {
    for (const std::size_t law : law_numbers(scenario, islands[i])) {
      island[law] = std::to_string(i);
      closed[law] = truth(has_closed_form(scenario, islands[i]));
      boxed[law] = truth(is_boxed(scenario, islands[i]));
      orthogonal[law] = truth(has_orthogonal_rows(scenario, islands[i]));
    }
  }
  for (std::size_t r = 0; r < scenario.resistances.size(); ++r)
    lone[static_cast<std::size_t>(scenario.law_of_resistance(r))] = truth(is_lone(scenario, r));
  if (islands.size() < 2) island.clear();
  if (!is_coupled(scenario)) closed.clear(), lone.clear(), boxed.clear();
  if (!is_coupled(scenario) || scenario.bilaterals.empty()) orthogonal.clear();
  return write_table("unsigned long long", "coordinates", coordinates) +
         write_table("unsigned long long", "normals_of", normals) + write_table("int", "island_of", island) +
         write_table("bool", "is_closed", closed) + write_table("bool", "is_lone", lone) +
         write_table("bool", "is_boxed", boxed) + write_table("bool", "is_orthogonal", orthogonal);
}

std::string write_tables(const Problem& scenario, const std::vector<Island>& islands) {
  std::vector<std::string> kind, size, space, persistent, resistance_size, driven, symmetric, open_below, open_above,
      family, holonomic, guide_size, impulse, loss, slides;
  int families = 0;
  for (const Contact& contact : scenario.contacts) {
    kind.push_back(name_of(kind_of(scenario, contact)));
    persistent.push_back(truth(contact.persistent));
    slides.push_back(truth(!contact.slip.empty() && always_slides(scenario, contact)));
    size.push_back(std::to_string(count_rows(scenario, contact)));
    space.push_back(
        std::to_string(contact.point.empty() ? scenario.dimension() : static_cast<int>(contact.point.size())));
  }
  for (const Resistance& resistance : scenario.resistances) {
    resistance_size.push_back(std::to_string(resistance.slip.size()));
    open_below.push_back(truth(resistance.limit.size() == 2 && infinite_sign(resistance.limit.front()) < 0));
    driven.push_back(truth(is_driven(resistance)));
    symmetric.push_back(truth(resistance.limit.size() == 1));
    open_above.push_back(truth(resistance.limit.size() == 2 && infinite_sign(resistance.limit.back()) > 0));
    family.push_back(std::to_string(resistance.percussions ? families++ : -1));
  }
  for (const Bilateral& bilateral : scenario.bilaterals) {
    holonomic.push_back(truth(bilateral.holonomic));
    guide_size.push_back(std::to_string(count_rows(bilateral)));
  }
  for (const LawQuantity& quantity : scenario.of_laws)
    (quantity.kind == LawQuantity::Kind::impulse ? impulse : loss).push_back(std::to_string(quantity.law));
  if (count_persistent(scenario) == 0) persistent.clear();
  if (count_guides(scenario) == 0) guide_size.clear();
  return write_table("state::ContactKind", "contact_kind", kind) + write_table("int", "contact_size", size) +
         write_table("int", "space", space) + write_table("int", "resistance_size", resistance_size) +
         write_table("bool", "is_holonomic", holonomic) + write_table("int", "guide_size", guide_size) +
         write_table("bool", "is_driven", driven) + write_table("bool", "is_symmetric", symmetric) +
         write_table("bool", "is_open_below", open_below) + write_table("bool", "is_open_above", open_above) +
         write_table("bool", "always_slides", is_coupled(scenario) ? slides : std::vector<std::string>()) +
         write_island_tables(scenario, islands) + write_table("int", "family_of", family) +
         write_table("int", "law_of_impulse", impulse) + write_table("int", "law_of_loss", loss) +
         write_table("bool", "is_persistent", persistent);
}

}  // namespace

int count_guides(const Problem& scenario) {
  return static_cast<int>(std::count_if(scenario.bilaterals.begin(), scenario.bilaterals.end(),
                                        [](const Bilateral& b) { return b.is_guide(); }));
}

int count_families(const Problem& scenario) {
  return static_cast<int>(std::count_if(scenario.resistances.begin(), scenario.resistances.end(),
                                        [](const Resistance& r) { return r.percussions.has_value(); }));
}

int infinite_sign(const Formula& formula) {
  Expr tree = formula.tree;
  int sign = 1;
  for (; tree->op == Op::negate; tree = tree->args[0]) sign = -sign;
  if (tree->op != Op::constant || !std::isinf(tree->value)) return 0;
  return tree->value < 0 ? -sign : sign;
}

std::string write_law_kinds(const Problem& scenario) {
  std::set<std::string> kinds;  // as the unit names them
  int largest = 1;
  const auto add = [&](std::string_view kind, int rows) {
    kinds.insert("bit_of(Kind::" + std::string(kind) + ")");
    largest = std::max(largest, rows);
  };
  for (const Contact& contact : scenario.contacts) {
    add("coulomb", count_rows(scenario, contact));
    if (contact.persistent) add("persistent", 1);
    scenario::for_each_own_law([&](const scenario::ContactNumber& number) {
      if (number.is_of(contact)) add(number.law, 1);
    });
  }
  for (const Bilateral& bilateral : scenario.bilaterals)
    if (bilateral.is_guide()) add("guide", count_rows(bilateral));
  for (const Resistance& resistance : scenario.resistances)
    add(resistance.slip.size() > 1 ? "ball" : "interval", static_cast<int>(resistance.slip.size()));
  if (kinds.empty()) return {};
  std::string names;
  for (const std::string& kind : kinds) names += (names.empty() ? "" : " | ") + kind;
  return "#define CONESWEEP_LAW_KINDS " + names + "\n#define CONESWEEP_LARGEST_BLOCK " + std::to_string(largest) + "\n";
}

std::string write_law_counts(const Problem& scenario) {
  const bool together = is_coupled(scenario) || scenario.contacts.size() > 1;
  if (!together && !uses_laws(scenario) && scenario.of_laws.empty() && !scenario.settle)
    return "  using Laws = state::NoLaws;\n\n";
  int rows = 0, guide_rows = 0, widest = 1;
  for (const Bilateral& bilateral : scenario.bilaterals) guide_rows += count_rows(bilateral);
  for (const Resistance& resistance : scenario.resistances) rows += static_cast<int>(resistance.slip.size());
  for (const Contact& contact : scenario.contacts) widest = std::max(widest, count_rows(scenario, contact));
  const std::string mass = scenario.mass.empty()                     ? "unit"
                           : scenario::find_masses(scenario).empty() ? "dense"
                                                                     : "diagonal";
  const std::vector<Island> islands = find_separate(scenario);
  const auto digit = [](bool value) { return std::string(value ? "1" : "0"); };
  return fill(laws_block, {{"coupled", digit(is_coupled(scenario))},
                           {"packs", digit(is_coupled(scenario) && is_stepped_in_packs(scenario))},
                           {"islands", std::to_string(islands.size())},
                           {"constant_mass", digit(mass == "dense" && has_constant_mass(scenario))},
                           {"constant_firm", digit(has_constant_firm_rows(scenario))},
                           {"firm", std::to_string(scenario.bilaterals.size())},
                           {"guides", std::to_string(count_guides(scenario))},
                           {"guide_rows", std::to_string(guide_rows)},
                           {"resistances", std::to_string(scenario.resistances.size())},
                           {"resistance_rows", std::to_string(rows)},
                           {"contact_rows", std::to_string(widest)},
                           {"moreau", digit(scenario.restitution_law == scenario::RestitutionLaw::moreau)},
                           {"uses_laws", digit(uses_laws(scenario))},
                           {"limits_use_normals", digit(limits_use_normals(scenario))},
                           {"law_impulses", std::to_string(count_quantities(scenario, LawQuantity::Kind::impulse))},
                           {"law_losses", std::to_string(count_quantities(scenario, LawQuantity::Kind::loss))},
                           {"persistent", std::to_string(count_persistent(scenario))},
                           {"percussions", std::to_string(count_families(scenario))},
                           {"mass", mass},
                           {"tables", write_tables(scenario, islands)}});
}

}  // namespace conesweep::model
