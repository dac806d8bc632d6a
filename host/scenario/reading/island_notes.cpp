#include <algorithm>
#include <utility>

#include "scenario/islands.hpp"
#include "scenario/reading/notes.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

// What a search takes beside a closed form was measured by bench/islands.py: by the number of laws that touch.
const std::string by_itself = "in closed form, several members at a time";
const std::string searched = "member by member by a search, which takes 50 times as long as a closed form and more";

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

// How an island is solved, and what that costs.
std::string find_way(const Problem& problem, const Island& island) {
  const bool packs = is_stepped_in_packs(problem);
  if (has_closed_form(problem, island)) return packs ? by_itself : "in closed form, one member after the other";
  if (!packs) return searched + how_to_be_faster(problem, island);
  if (is_boxed(problem, island)) return "together, several members at a time";
  if (!island.bilaterals.empty() && island.contacts.empty()) return "directly, several members at a time";
  return "several members at a time while no contact of these touches, else " + searched;
}

// "'a' and 'b' act on each other"; of several islands how many, and the first one.
std::string describe(const Problem& problem, const std::vector<const Island*>& alike) {
  const std::string names = join_words(law_names(problem, *alike.front()));
  const bool several = std::any_of(alike.begin(), alike.end(), [](const Island* i) { return i->count_laws() > 1; });
  if (alike.size() == 1) return names + (several ? " act on each other" : " acts by itself");
  const std::string count = std::to_string(alike.size());
  if (several) return count + " groups of laws that act on each other, the first " + names;
  return count + " laws that act on no other one, the first " + names;
}

}  // namespace

std::vector<Note> describe_islands(const Scenario& scenario) {
  if (!is_coupled(scenario)) return {};
  const std::vector<Island> islands = find_islands(scenario);
  // those that are solved alike, in the order of the first ones
  std::vector<std::pair<std::string, std::vector<const Island*>>> ways;
  for (const Island& island : islands) {
    const std::string way = find_way(scenario, island);
    const auto known = std::find_if(ways.begin(), ways.end(), [&](const auto& other) { return other.first == way; });
    if (known != ways.end())
      known->second.push_back(&island);
    else
      ways.push_back({way, {&island}});
  }
  std::vector<Note> notes;
  for (const auto& [way, alike] : ways)
    notes.push_back({{}, "speed: " + describe(scenario, alike) + ": solved " + way});
  return notes;
}

}  // namespace conesweep::scenario
