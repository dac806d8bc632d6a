#include "scenario/reading/notes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "expression/states.hpp"
#include "scenario/formulas.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/bodies.hpp"
#include "scenario/reading/dependence.hpp"
#include "scenario/reading/findings.hpp"
#include "scenario/reading/percussion_tail.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Symbol;

// (a, b, c)
std::string tuple_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "(" : ", ") + word;
  return text + ")";
}

// ---- friction ----

std::string describe_particle(const Scenario& scenario, const Contact& contact) {
  if (scenario.dimension() == 1) return "nothing: in one coordinate there is no motion along the wall";
  std::vector<std::string> velocities, alone;
  for (const std::string& name : scenario.names.coordinates) velocities.push_back(expression::velocity_of(name));
  for (const Loner& loner : find_loners(scenario, contact))
    // else a warning says it
    if (!loner.has_motion_of_its_own)
      alone.push_back(scenario.names.coordinates[static_cast<std::size_t>(loner.coordinate)]);
  std::string text = "the part of " + tuple_of(velocities) + " along the wall, as on one particle";
  if (!alone.empty())
    text +=
        "; no force joins " + join_words(alone) + " to the others: if it belongs to another body, write slip or point";
  return text;
}

std::string describe_friction(const Scenario& scenario, const Contact& contact) {
  switch (kind_of(scenario, contact)) {
    case ContactKind::particle: return describe_particle(scenario, contact);
    case ContactKind::point:
      return "the velocity of the point " + tuple_of(texts_of(contact.point)) + " along the wall";
    default: return join_words(texts_of(contact.slip));
  }
}

// (B4) A limit made of the force that holds a constraint: friction does not change that force.
std::string describe_load(const Scenario& scenario, const Resistance& resistance, const Formula& limit) {
  for (std::size_t b = 0; b < scenario.bilaterals.size(); ++b) {
    const Symbol normal{Symbol::Kind::normal, scenario.law_of_bilateral(b)};
    if (!limit.tree || !expression::any_node(limit.tree, [&](const expression::Node& n) {
          return n.op == expression::Op::symbol && n.symbol == normal;
        }))
      continue;
    const std::string use =
        "the limit of '" + resistance.name + "' uses normal(" + scenario.bilaterals[b].name + ") as it is ";
    if (scenario.bilaterals[b].is_guide()) return use + "in an earlier round of solving; at most four are made";
    return use + "without this friction, which does not act back; for Coulomb's law, where it does, give '" +
           scenario.bilaterals[b].name + "' friction and slip";
  }
  return {};
}

// ---- percussions ----

// The constant mass of a model with one coordinate: 0 if there is none.
double single_mass(const Scenario& scenario, const TriedMember& member) {
  if (scenario.dimension() != 1) return 0;
  if (scenario.mass.empty()) return 1;
  const Expr& mass = scenario.mass.front().tree;
  return is_fixed(mass) ? expression::evaluate<double>(mass, StartWorld{member.parameters, {}, 0}) : 0;
}

// κ/m of percussions, where it is a number: by so much a blow of size 1 can change the velocity of a model with one
// coordinate. Else 0.
double find_pull(const Scenario& scenario, const Resistance& resistance, const TriedMember& member) {
  const double mass = single_mass(scenario, member);
  double kappa = 0;
  for (const Formula& end :
       resistance.percussions->limit ? std::vector<Formula>{*resistance.percussions->limit} : resistance.limit) {
    if (!is_fixed(end.tree)) return 0;
    kappa = std::max(kappa, std::fabs(expression::evaluate<double>(end.tree, StartWorld{member.parameters, {}, 0})));
  }
  return mass > 0 && std::isfinite(kappa) ? kappa / mass : 0;
}

// What atoms beyond the last one could still do (B6). Nothing is said where there can be none: one number for all j, or
// times that leave [0, end].
std::string describe_left_out(const Scenario& scenario, const Resistance& resistance, const TriedMember& member,
                              double count) {
  const Percussions& given = *resistance.percussions;
  const auto at = [&](const Formula& formula, double j) {
    return expression::evaluate<double>(formula.tree, StartWorld{member.parameters, {}, 0, StartWorld::none, j});
  };
  const double time = at(given.time, count + 1), next = at(given.size, count + 1);
  if (!names_a(Symbol::Kind::atom, given.time.tree) || !(time >= 0 && time <= scenario.end) || !(next > 0)) return {};
  const auto bound = bound_tail([&](double j) { return at(given.size, j); }, count);
  if (!bound)
    return "; the next one would have size " + format_short(next) +
           ": what is left out, if anything is, has no bound that is known";
  const double pull = find_pull(scenario, resistance, member);
  return "; were they to go on like this, what is left out " +
         (pull > 0 ? "changes the velocity by at most " + format_short(pull * *bound)
                   : "adds up to at most " + format_short(*bound));
}

// Of a member with the default parameters: how many, how large, and what is left out.
std::string describe_percussions(const Scenario& scenario, const Resistance& resistance) {
  const TriedMember member{0, scenario.defaults};
  const Percussions& given = *resistance.percussions;
  const double count = std::round(expression::evaluate<double>(given.count.tree, StartWorld{member.parameters, {}, 0}));
  if (!(count >= 1 && count <= static_cast<double>(most_percussions))) return {};
  std::vector<double> sizes;
  for (double j = 1; j <= count; ++j)
    sizes.push_back(
        expression::evaluate<double>(given.size.tree, StartWorld{member.parameters, {}, 0, StartWorld::none, j}));
  return "percussions of '" + resistance.name + "': " + format_count(sizes.size()) +
         (sizes.size() == 1 ? " atom" : " atoms") + ", sizes sum to " +
         format_short(std::accumulate(sizes.begin(), sizes.end(), 0.0)) + "; the last has size " +
         format_short(sizes.back()) + describe_left_out(scenario, resistance, member, count);
}

}  // namespace

std::vector<Note> describe_laws(const Scenario& scenario) {
  std::vector<Note> notes;
  for (const Contact& contact : scenario.contacts)
    if (contact.friction)
      notes.push_back({contact.friction->quote,
                       "friction of '" + contact.name + "' acts on " + describe_friction(scenario, contact)});
  for (const Bilateral& bilateral : scenario.bilaterals)
    if (bilateral.friction)
      notes.push_back({bilateral.friction->quote, "friction of '" + bilateral.name + "' acts on " +
                                                      join_words(texts_of(bilateral.slip)) +
                                                      ", with the force that holds it, and changes that force"});
  for (const Resistance& resistance : scenario.resistances)
    for (const Formula& limit : resistance.limit)
      if (const std::string text = describe_load(scenario, resistance, limit); !text.empty())
        notes.push_back({limit.quote, text});
  for (const Resistance& resistance : scenario.resistances) {
    const std::string text = resistance.percussions ? describe_percussions(scenario, resistance) : std::string();
    if (!text.empty()) notes.push_back({resistance.percussions->size.quote, text});
  }
  return notes;
}

}  // namespace conesweep::scenario
