#include "scenario/islands.hpp"

#include <algorithm>
#include <numeric>

#include "expression/calculus.hpp"
#include "expression/polynomial.hpp"
#include "scenario/formulas.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::make_constant;
using expression::make_node;
using expression::Op;
using expression::Symbol;

// A row of a law: what it is on each coordinate.
using Row = std::vector<Expr>;

constexpr std::size_t most_named = 6;  // laws of an island

// what a pack can hold of an island; larger ones are searched member by member
constexpr std::size_t most_boxes = 16, most_boxed_coordinates = 24;

bool is_zero(const Expr& expr) { return expr->op == Op::constant && expr->value == 0; }

Row differentiate(const Expr& tree, Symbol::Kind kind, int dimension) {
  Row row;
  for (int c = 0; c < dimension; ++c) row.push_back(expression::differentiate(tree, {kind, c}));
  return row;
}

std::vector<Row> find_slip_rows(const std::vector<Formula>& slip, int dimension) {
  std::vector<Row> rows;
  for (const Formula& formula : slip) rows.push_back(differentiate(formula.tree, Symbol::Kind::velocity, dimension));
  return rows;
}

// A contact's rows: of a point those of its place; of a particle that rubs every coordinate.
struct ContactRows {
  Row normal;  // but for its length and sign; not of a point or a particle that rubs
  std::vector<Row> others;
};

ContactRows find_rows(const Problem& problem, const Contact& contact) {
  const int d = problem.dimension();
  ContactRows rows;
  if (!contact.point.empty()) {
    for (const Formula& place : contact.point)
      rows.others.push_back(differentiate(place.tree, Symbol::Kind::coordinate, d));
    return rows;
  }
  if (kind_of(problem, contact) == ContactKind::particle && contact.friction_law != FrictionLaw::none) {
    for (int k = 0; k < d; ++k) {
      Row row(static_cast<std::size_t>(d), make_constant(0));
      row[static_cast<std::size_t>(k)] = make_constant(1);
      rows.others.push_back(row);
    }
    return rows;
  }
  rows.normal = differentiate(contact.g, Symbol::Kind::coordinate, d);
  rows.others = find_slip_rows(contact.slip, d);
  return rows;
}

void add_coordinates(const Row& row, std::vector<int>& coordinates) {
  for (std::size_t c = 0; c < row.size(); ++c)
    if (!is_zero(row[c])) coordinates.push_back(static_cast<int>(c));
}

std::vector<int> make_unique(std::vector<int> coordinates) {
  std::sort(coordinates.begin(), coordinates.end());
  coordinates.erase(std::unique(coordinates.begin(), coordinates.end()), coordinates.end());
  return coordinates;
}

Expr mass_entry(const Problem& problem, int i, int j) {
  const auto d = static_cast<std::size_t>(problem.dimension());
  const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
  if (problem.mass.empty()) return make_constant(i == j ? 1 : 0);
  if (problem.mass.size() == d) return i == j ? problem.mass[row].tree : make_constant(0);
  return problem.mass[row * d + column].tree;
}

// Sets that grow together: each member knows one before it, the first knows itself.
class Groups {
 public:
  explicit Groups(std::size_t size) : before_(size) { std::iota(before_.begin(), before_.end(), std::size_t{0}); }

  std::size_t first_of(std::size_t k) const {
    while (before_[k] != k) k = before_[k];
    return k;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first = first_of(a), other = first_of(b);
    before_[std::max(first, other)] = std::min(first, other);
  }

 private:
  std::vector<std::size_t> before_;
};

void join_by_mass(const Problem& problem, Groups& groups) {
  for (int i = 0; i < problem.dimension(); ++i)
    for (int j = 0; j < i; ++j)
      if (!is_zero(expression::simplify(mass_entry(problem, i, j))) ||
          !is_zero(expression::simplify(mass_entry(problem, j, i))))
        groups.join(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
}

bool disjoint(const Row& a, const Row& b) {
  for (std::size_t c = 0; c < a.size(); ++c)
    if (!is_zero(a[c]) && !is_zero(b[c])) return false;
  return true;
}

// a·M⁻¹b as a tree
Expr scalar_product(const Row& a, const Row& b, const std::vector<Expr>& masses) {
  Expr sum = make_constant(0);
  for (std::size_t c = 0; c < a.size(); ++c)
    if (!is_zero(a[c]) && !is_zero(b[c]))
      sum = make_node(Op::add, {sum, make_node(Op::divide, {make_node(Op::multiply, {a[c], b[c]}), masses[c]})});
  return expression::simplify(sum);
}

// Orthogonal in M⁻¹ and of one length, as they are written?
bool are_alike(const std::vector<Row>& rows, const std::vector<Expr>& masses) {
  for (std::size_t k = 1; k < rows.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j)
      if (!disjoint(rows[j], rows[k])) return false;
    if (!expression::same_tree(scalar_product(rows[k], rows[k], masses), scalar_product(rows[0], rows[0], masses)))
      return false;
  }
  return true;
}

bool is_closed(const Problem& problem, const Contact& contact, const std::vector<Expr>& masses) {
  if (contact.persistent || has_own_law(contact)) return false;
  const ContactRows rows = find_rows(problem, contact);
  for (const Row& other : rows.others)
    if (!rows.normal.empty() && !disjoint(rows.normal, other)) return false;
  return are_alike(rows.others, masses);
}

}  // namespace

std::vector<int> find_coordinates(const Problem& problem, const Contact& contact) {
  const ContactRows rows = find_rows(problem, contact);
  std::vector<int> coordinates;
  add_coordinates(rows.normal, coordinates);
  for (const Row& row : rows.others) add_coordinates(row, coordinates);
  return make_unique(coordinates);
}

std::vector<Expr> find_row(const Problem& problem, const Bilateral& bilateral) {
  return differentiate(bilateral.value, bilateral.holonomic ? Symbol::Kind::coordinate : Symbol::Kind::velocity,
                       problem.dimension());
}

std::vector<int> find_coordinates(const Problem& problem, const Bilateral& bilateral) {
  std::vector<int> coordinates;
  add_coordinates(find_row(problem, bilateral), coordinates);
  for (const Row& row : find_slip_rows(bilateral.slip, problem.dimension())) add_coordinates(row, coordinates);
  return make_unique(coordinates);
}

std::vector<int> find_coordinates(const Problem& problem, const Resistance& resistance) {
  std::vector<int> coordinates;
  for (const Row& row : find_slip_rows(resistance.slip, problem.dimension())) add_coordinates(row, coordinates);
  return make_unique(coordinates);
}

std::vector<std::uint64_t> find_coordinate_sets(const Problem& problem) {
  Groups groups(static_cast<std::size_t>(problem.dimension()));
  join_by_mass(problem, groups);
  std::vector<std::uint64_t> sets;
  const auto add = [&](const auto& law) {
    std::uint64_t& set = sets.emplace_back(0);
    for (const int own : find_coordinates(problem, law))
      for (int c = 0; c < problem.dimension(); ++c)
        if (groups.first_of(static_cast<std::size_t>(c)) == groups.first_of(static_cast<std::size_t>(own)))
          set |= std::uint64_t{1} << c;
  };
  for (const Contact& contact : problem.contacts) add(contact);
  for (const Bilateral& bilateral : problem.bilaterals) add(bilateral);
  for (const Resistance& resistance : problem.resistances) add(resistance);
  return sets;
}

std::vector<int> find_normals(const Resistance& resistance) {
  std::vector<int> laws;
  const auto look = [&](const Formula& limit) {
    expression::any_node(limit.tree, [&](const expression::Node& n) {
      if (n.op == Op::symbol && n.symbol.kind == Symbol::Kind::normal) laws.push_back(n.symbol.index);
      return false;
    });
  };
  for (const Formula& limit : resistance.limit) look(limit);
  if (resistance.percussions && resistance.percussions->limit) look(*resistance.percussions->limit);
  return make_unique(laws);
}

std::vector<Island> find_islands(const Problem& problem) {
  const auto d = static_cast<std::size_t>(problem.dimension());
  // coordinates first, then laws
  Groups groups(d + problem.names.laws.size());
  join_by_mass(problem, groups);
  std::size_t law = d;
  const auto join_rows = [&](const auto& of) {
    for (const int c : find_coordinates(problem, of)) groups.join(law, static_cast<std::size_t>(c));
    ++law;
  };
  for (const Contact& contact : problem.contacts) join_rows(contact);
  for (const Bilateral& bilateral : problem.bilaterals) join_rows(bilateral);
  law = d + problem.contacts.size() + problem.bilaterals.size();
  for (const Resistance& resistance : problem.resistances) {
    for (const int other : find_normals(resistance)) groups.join(law, d + static_cast<std::size_t>(other));
    join_rows(resistance);
  }

  std::vector<Island> islands;
  std::vector<std::size_t> first;  // of each
  const auto island_of = [&](std::size_t member) -> Island& {
    const std::size_t group = groups.first_of(member);
    const auto found = std::find(first.begin(), first.end(), group);
    if (found != first.end()) return islands[static_cast<std::size_t>(found - first.begin())];
    first.push_back(group);
    return islands.emplace_back();
  };
  law = d;
  for (std::size_t p = 0; p < problem.contacts.size(); ++p) island_of(law++).contacts.push_back(p);
  for (std::size_t b = 0; b < problem.bilaterals.size(); ++b) island_of(law++).bilaterals.push_back(b);
  for (std::size_t r = 0; r < problem.resistances.size(); ++r) island_of(law++).resistances.push_back(r);
  for (std::size_t c = 0; c < d; ++c) {
    const auto found = std::find(first.begin(), first.end(), groups.first_of(c));
    if (found != first.end())
      islands[static_cast<std::size_t>(found - first.begin())].coordinates.push_back(static_cast<int>(c));
  }
  return islands;
}

std::vector<std::size_t> law_numbers(const Problem& problem, const Island& island) {
  std::vector<std::size_t> numbers(island.contacts);
  for (const std::size_t b : island.bilaterals)
    numbers.push_back(static_cast<std::size_t>(problem.law_of_bilateral(b)));
  for (const std::size_t r : island.resistances)
    numbers.push_back(static_cast<std::size_t>(problem.law_of_resistance(r)));
  return numbers;
}

std::vector<std::string> law_names(const Problem& problem, const Island& island) {
  std::vector<std::string> names;
  for (const std::size_t law : law_numbers(problem, island)) names.push_back("'" + problem.names.laws[law] + "'");
  if (names.size() > most_named) {
    const std::size_t left = names.size() - most_named;
    names.resize(most_named);
    names.push_back(std::to_string(left) + " more");
  }
  return names;
}

std::vector<Expr> find_masses(const Problem& problem) {
  std::vector<Expr> masses;
  for (int i = 0; i < problem.dimension(); ++i) {
    for (int j = 0; j < problem.dimension(); ++j)
      if (i != j && !is_zero(expression::simplify(mass_entry(problem, i, j)))) return {};
    masses.push_back(mass_entry(problem, i, i));
  }
  return masses;
}

bool has_closed_form(const Problem& problem, const Island& island) {
  const std::vector<Expr> masses = find_masses(problem);
  if (island.count_laws() != 1 || !island.bilaterals.empty() || masses.empty() || is_split(problem)) return false;
  if (!island.contacts.empty())
    return problem.restitution_law == RestitutionLaw::newton &&
           is_closed(problem, problem.contacts[island.contacts[0]], masses);
  return are_alike(find_slip_rows(problem.resistances[island.resistances[0]].slip, problem.dimension()), masses);
}

bool is_all_closed(const Problem& problem) {
  if (!is_coupled(problem)) return false;
  const std::vector<Island> islands = find_islands(problem);
  return std::all_of(islands.begin(), islands.end(),
                     [&](const Island& island) { return has_closed_form(problem, island); });
}

bool is_boxed(const Problem& problem, const Island& island) {
  if (has_closed_form(problem, island) || !island.bilaterals.empty() || is_split(problem)) return false;
  if (problem.restitution_law == RestitutionLaw::moreau && !island.contacts.empty()) return false;
  return island.count_laws() <= most_boxes && island.coordinates.size() <= most_boxed_coordinates &&
         std::all_of(island.contacts.begin(), island.contacts.end(),
                     [&](std::size_t p) {
                       const Contact& contact = problem.contacts[p];
                       return contact.friction_law == FrictionLaw::none && contact.slip.empty() &&
                              contact.point.empty() && !contact.persistent && !has_own_law(contact);
                     }) &&
         std::all_of(island.resistances.begin(), island.resistances.end(), [&](std::size_t r) {
           const Resistance& resistance = problem.resistances[r];
           return resistance.slip.size() == 1 && find_normals(resistance).empty();
         });
}

bool has_orthogonal_rows(const Problem& problem, const Island& island) {
  const std::vector<Expr> masses = find_masses(problem);
  if (island.bilaterals.empty() || !island.resistances.empty() || masses.empty() || is_split(problem) ||
      count_persistent(problem) > 0)
    return false;
  expression::Polynomials polynomials;
  std::vector<Row> rows;
  for (const std::size_t b : island.bilaterals) {
    if (problem.bilaterals[b].is_guide()) return false;
    rows.push_back(find_row(problem, problem.bilaterals[b]));
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      const auto product = polynomials.expand(scalar_product(rows[j], rows[k], masses));
      if (!product || !product->empty()) return false;
    }
  }
  return true;
}

bool is_lone(const Problem& problem, std::size_t resistance) {
  const std::vector<Expr> masses = find_masses(problem);
  if (masses.empty() || is_split(problem) ||
      !are_alike(find_slip_rows(problem.resistances[resistance].slip, problem.dimension()), masses))
    return false;
  const std::vector<int> own = find_coordinates(problem, problem.resistances[resistance]);
  for (std::size_t other = 0; other < problem.resistances.size(); ++other) {
    const std::vector<int> those = find_coordinates(problem, problem.resistances[other]);
    if (other != resistance && std::find_first_of(own.begin(), own.end(), those.begin(), those.end()) != own.end())
      return false;
  }
  return std::none_of(problem.bilaterals.begin(), problem.bilaterals.end(), [&](const Bilateral& bilateral) {
    const std::vector<int> those = find_coordinates(problem, bilateral);
    return std::find_first_of(own.begin(), own.end(), those.begin(), those.end()) != own.end();
  });
}

bool is_stepped_in_packs(const Problem& problem) {
  if (!is_coupled(problem)) return true;
  if (count_persistent(problem) > 0 || is_split(problem)) return false;
  const std::vector<Island> islands = find_islands(problem);
  return std::all_of(islands.begin(), islands.end(), [&](const Island& island) {
    if (!island.bilaterals.empty())
      return island.resistances.empty() &&
             std::none_of(island.bilaterals.begin(), island.bilaterals.end(),
                          [&](std::size_t b) { return problem.bilaterals[b].is_guide(); });
    return is_boxed(problem, island) || std::all_of(island.resistances.begin(), island.resistances.end(),
                                                    [&](std::size_t r) { return is_lone(problem, r); });
  });
}

bool uses_laws(const Problem& problem) {
  bool some = false;
  for_each_formula(problem, [&](std::string_view, const Formula& formula) {
    some =
        some || expression::any_node(formula.tree, [](const expression::Node& n) {
          return n.op == Op::symbol && (n.symbol.kind == Symbol::Kind::normal || n.symbol.kind == Symbol::Kind::slip);
        });
  });
  return some;
}

bool locates(const Problem& problem) { return problem.impacts == Impacts::located || problem.order == 2; }

bool is_split(const Problem& problem) {
  return locates(problem) ||
         std::any_of(problem.resistances.begin(), problem.resistances.end(),
                     [](const Resistance& resistance) { return resistance.percussions.has_value(); });
}

}  // namespace conesweep::scenario
