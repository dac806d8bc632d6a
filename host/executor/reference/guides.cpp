#include "executor/reference/guides.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace conesweep::executor::reference::coupled {
namespace {

constexpr double well_solved = 1e-12;  // (B7)
constexpr double no_slip = 1e-12;      // of what velocities are sums of

/// The same with guides as contacts, their normal rows turned to their sides.
Laws turned(const Laws& laws, const std::vector<std::size_t>& guides, const std::vector<double>& sides) {
  Laws contacts = laws;
  for (std::size_t n = 0; n < guides.size(); ++n) {
    BlockPart& part = contacts.parts[guides[n]];
    part.law = Law::contact;
    contacts.w.row(part.first) *= sides[n];
    contacts.w.col(part.first) *= sides[n];
    contacts.b[part.first] *= sides[n];
  }
  return contacts;
}

/// Velocities in the kinetic metric: over the length of their row.
Vector scaled(const Laws& laws, const Vector& u) {
  Vector all(u.size());
  for (Index i = 0; i < u.size(); ++i) all[i] = laws.w(i, i) > 0 ? u[i] / std::sqrt(laws.w(i, i)) : u[i];
  return all;
}

/// What a contact would be forgiven and a guide is not: it opens.
double find_opening(const Laws& laws, const std::vector<std::size_t>& guides, const Vector& r) {
  const double size = std::max(scaled(laws, laws.b).lpNorm<Eigen::Infinity>(), left_over * laws.speed);
  const Vector u = scaled(laws, laws.b + laws.w * r);
  double worst = 0;
  for (const std::size_t k : guides) worst = std::max(worst, std::fabs(u[laws.parts[k].first]));
  return worst > 0 ? worst / size : 0;
}

/// The sides on which guides press without friction and without other laws.
std::vector<double> find_likely_sides(const Laws& laws, const std::vector<std::size_t>& guides) {
  const auto count = static_cast<Index>(guides.size());
  Matrix w(count, count);
  Vector b(count);
  for (Index i = 0; i < count; ++i) {
    const Index row = laws.parts[guides[static_cast<std::size_t>(i)]].first;
    b[i] = laws.b[row];
    for (Index j = 0; j < count; ++j) w(i, j) = laws.w(row, laws.parts[guides[static_cast<std::size_t>(j)]].first);
  }
  const Vector r = solve_least_squares(w, -b);
  std::vector<double> sides;
  for (Index i = 0; i < count; ++i) sides.push_back(r[i] < 0 ? -1 : 1);
  return sides;
}

}  // namespace

void for_each_choice_of_sides(const std::vector<double>& likely,
                              const std::function<bool(const std::vector<double>& sides)>& visit) {
  const std::size_t choices = std::size_t{1} << likely.size();
  for (std::size_t turns = 0; turns <= likely.size(); ++turns)
    for (std::size_t choice = 0; choice < choices; ++choice) {
      if (static_cast<std::size_t>(std::popcount(choice)) != turns) continue;
      std::vector<double> sides = likely;
      for (std::size_t n = 0; n < sides.size(); ++n)
        if ((choice >> n) % 2 == 1) sides[n] = -sides[n];
      if (visit(sides)) return;
    }
}

Reactions find_reactions_with_guides(const Laws& laws) {
  std::vector<std::size_t> guides;
  for (std::size_t k = 0; k < laws.parts.size(); ++k)
    if (laws.parts[k].law == Law::guide) guides.push_back(k);
  if (guides.empty()) return find_reactions(laws);

  Reactions best{Vector::Zero(laws.b.size()), std::vector<Mode>(laws.parts.size(), Mode::flight),
                 std::numeric_limits<double>::infinity(), 0};
  if (!laws.w.allFinite() || !laws.b.allFinite()) return best;
  int pivots = 0;
  for_each_choice_of_sides(find_likely_sides(laws, guides), [&](const std::vector<double>& sides) {
    Reactions found = find_reactions(turned(laws, guides, sides));
    pivots += found.pivots;
    for (std::size_t n = 0; n < guides.size(); ++n) found.r[laws.parts[guides[n]].first] *= sides[n];
    found.residual = std::max(found.residual, find_opening(laws, guides, found.r));
    if (found.residual < best.residual) best = found;
    return best.residual <= well_solved;
  });
  best.pivots = pivots;

  // a guide is never open: it sticks or slips, also where it carries nothing
  const Vector u = scaled(laws, laws.b + laws.w * best.r);
  const double size = std::max(scaled(laws, laws.b).lpNorm<Eigen::Infinity>(), laws.speed);
  for (const std::size_t k : guides) {
    const BlockPart& part = laws.parts[k];
    const double speed = u.segment(part.first + 1, part.size - 1).norm();
    best.mode[k] = speed <= no_slip * size ? Mode::stick : Mode::slip;
  }
  return best;
}

}  // namespace conesweep::executor::reference::coupled
