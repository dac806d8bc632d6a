#include "executor/reference/percussions.hpp"

#include <algorithm>
#include <cmath>

#include "executor/reference/stop.hpp"
#include "expression/still_world.hpp"
#include "scenario/limits.hpp"

namespace conesweep::executor::reference {
namespace {

using expression::Symbol;

// Parameters, and j.
struct FamilyWorld {
  expression::StillWorld<double> still;
  double j;
  double symbol(Symbol s) const { return s.kind == Symbol::Kind::atom ? j : still.symbol(s); }
  double history(const expression::Node& node) const { return still.history(node); }
};

struct Single {
  double k;
  std::size_t resistance;
  double size;
};

double to_whole(double x, double tolerance) { return std::fabs(x - std::round(x)) <= tolerance ? std::round(x) : x; }

void add_family(const scenario::Scenario& scenario, const std::vector<double>& parameters, std::size_t resistance,
                std::vector<Single>& singles) {
  const scenario::Percussions& family = *scenario.resistances[resistance].percussions;
  const auto at = [&](const scenario::Formula& formula, double j) {
    return expression::evaluate<double>(formula.tree, FamilyWorld{{parameters}, j});
  };
  const double asked = at(family.count, 0), count = to_whole(asked, 1e-9 * std::max(1.0, asked));
  if (!(count >= 0 && count <= static_cast<double>(scenario::most_percussions) && count == std::floor(count)))
    throw Stop{Status::bad_percussions};
  for (double j = 1; j <= count; ++j) {
    const double k = to_whole(at(family.time, j) / scenario.h(), 1e-9), size = at(family.size, j);
    if (!(k >= 0 && k <= static_cast<double>(scenario.steps) && size > 0 && std::isfinite(size)))
      throw Stop{Status::bad_percussions};
    singles.push_back({k, resistance, size});
  }
}

}  // namespace

Percussions::Percussions(const scenario::Scenario& scenario, const std::vector<double>& parameters)
    : scenario_(scenario) {
  std::vector<Single> singles;
  for (std::size_t r = 0; r < scenario.resistances.size(); ++r)
    if (scenario.resistances[r].percussions) add_family(scenario, parameters, r, singles);
  std::stable_sort(singles.begin(), singles.end(), [](const Single& a, const Single& b) { return a.k < b.k; });

  // what comes at the same time is one atom: in a metric two atoms are not their sum
  for (const Single& single : singles) {
    if (atoms_.empty() || atoms_.back().k != single.k)
      atoms_.push_back({single.k, std::vector<double>(scenario.resistances.size(), 0)});
    atoms_.back().size[single.resistance] += single.size;
  }
}

// the time from k to end, both in the same step; a whole step is as long as all the others
StepPiece Percussions::between(double k, double end) const {
  const double h = scenario_.h();
  return {k, {k * h, end * h, end - k == 1 ? h : (end - k) * h}};
}

std::vector<StepPiece> Percussions::pieces(std::int64_t i) const {
  const auto begin = static_cast<double>(i), end = begin + 1;
  const bool last = i + 1 == scenario_.steps;
  std::vector<StepPiece> pieces;
  double k = begin;
  auto atom = std::lower_bound(atoms_.begin(), atoms_.end(), begin,
                               [](const Atom& some, double time) { return some.k < time; });
  for (; atom != atoms_.end() && (atom->k < end || (last && atom->k == end)); ++atom) {
    if (atom->k > k) pieces.push_back(between(k, atom->k));
    k = atom->k;
    pieces.push_back({k, {k * scenario_.h(), k * scenario_.h(), 0}, &*atom});
  }
  if (k < end) pieces.push_back(between(k, end));
  return pieces;
}

}  // namespace conesweep::executor::reference
