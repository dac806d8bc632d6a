#include <algorithm>

#include "scenario/islands.hpp"
#include "scenario/reading/notes.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// Why laws that do not meet are solved member by member all the same.
std::string why_not_in_packs(const Problem& problem, const std::vector<Island>& islands) {
  if (problem.impacts == Impacts::located) return "impacts are located";
  if (problem.settle) return "starts are settled";
  if (!problem.bilaterals.empty()) return "there are bilateral constraints";
  if (find_masses(problem).empty()) return "the mass matrix has entries beside its diagonal";
  if (problem.restitution_law == RestitutionLaw::moreau && !problem.contacts.empty())
    return "restitution_law is moreau";
  for (const Island& island : islands)
    if (!has_closed_form(problem, island))
      return "the rows of " + law_names(problem, island).front() +
             " are not orthogonal in the kinetic metric as they are written, or it is persistent, holds by cohesion or "
             "has percussions";
  return {};
}

}  // namespace

std::vector<Note> describe_islands(const Scenario& scenario) {
  if (!is_coupled(scenario)) return {};
  const std::vector<Island> islands = find_islands(scenario);
  const std::string slow = "member by member, which costs some 50 times as much as a law by itself in closed form";
  if (is_all_closed(scenario))
    return {{{},
             (islands.size() == 1 ? std::string("speed: the law acts by itself")
                                  : "speed: " + std::to_string(islands.size()) + " laws, no two of which meet") +
                 ": solved in closed form, several members at a time"}};
  std::vector<Note> notes;
  for (const Island& island : islands)
    if (island.count_laws() > 1)
      notes.push_back({{},
                       "speed: " + join_words(law_names(scenario, island)) +
                           " act on the same coordinates: solved together, " + slow});
  if (notes.empty())
    notes.push_back({{}, "speed: no two laws meet, but " + why_not_in_packs(scenario, islands) + ": solved " + slow});
  return notes;
}

}  // namespace conesweep::scenario
