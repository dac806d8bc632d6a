#include <algorithm>

#include "scenario/islands.hpp"
#include "scenario/reading/notes.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// What a search takes beside a closed form was measured by bench/islands.py.
const std::string by_itself = "in closed form, several members at a time";
const std::string searched = "member by member by a search, some 20 to 100 times the time of a closed form";

std::string names_of(const Problem& problem, const Island& island) { return join_words(law_names(problem, island)); }

// What has no closed form because of how the model is written, where it could have one.
std::string how_to_be_faster(const Problem& problem, const Island& island) {
  if (problem.impacts == Impacts::located) return "; located impacts leave no law a closed form";
  if (is_split(problem)) return "; percussions leave no law of the model a closed form";
  if (!island.contacts.empty() && problem.restitution_law == RestitutionLaw::moreau)
    return "; restitution_law \"newton\" has a closed form";
  if (island.count_laws() == 1 && find_masses(problem).empty())
    return "; coordinates in which the mass is diagonal would give it a closed form";
  return {};
}

// How one island is solved, and what that costs.
std::string describe(const Problem& problem, const Island& island) {
  const std::string names = names_of(problem, island);
  const std::string meet = names + (island.count_laws() > 1 ? " act on each other" : " acts by itself");
  if (has_closed_form(problem, island)) return meet + ": solved " + by_itself;
  const bool packs = is_stepped_in_packs(problem);
  if (packs && is_boxed(problem, island)) return meet + ": solved together, several members at a time";
  if (!packs) return meet + ": solved " + searched + how_to_be_faster(problem, island);
  if (!island.bilaterals.empty() && island.contacts.empty())
    return meet + ": solved directly, several members at a time";
  return meet + ": several members at a time while no contact of these touches, else " + searched;
}

}  // namespace

std::vector<Note> describe_islands(const Scenario& scenario) {
  if (!is_coupled(scenario)) return {};
  const std::vector<Island> islands = find_islands(scenario);
  if (islands.empty()) return {};
  if (is_all_closed(scenario) && islands.size() > 1)
    return {
        {{},
         "speed: " + std::to_string(islands.size()) + " laws, no two of which act on each other: solved " + by_itself}};
  std::vector<Note> notes;
  std::size_t alone = 0;
  for (const Island& island : islands) {
    if (has_closed_form(scenario, island) && islands.size() > 3)
      ++alone;
    else
      notes.push_back({{}, "speed: " + describe(scenario, island)});
  }
  if (alone > 0)
    notes.push_back({{},
                     "speed: " + counted(static_cast<std::int64_t>(alone), "law") + " by " +
                         (alone > 1 ? "themselves" : "itself") + ": solved " + by_itself});
  return notes;
}

}  // namespace conesweep::scenario
