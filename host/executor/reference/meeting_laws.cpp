#include "executor/reference/meeting_laws.hpp"

#include <algorithm>
#include <numeric>

#include "scenario/islands.hpp"

namespace conesweep::executor::reference {
namespace {

// of contacts with several rows; twice as many where every contact of a model has one
constexpr std::ptrdiff_t most_touching = 16;

bool has_one_row(const scenario::Problem& problem, const scenario::Contact& contact) {
  const bool rubs = contact.friction_law != scenario::FrictionLaw::none && problem.dimension() > 1;
  return contact.point.empty() && contact.slip.empty() && !rubs;
}

bool has(std::uint64_t coordinates, int c) { return (coordinates >> c & 1) != 0; }

}  // namespace

MeetingLaws::MeetingLaws(const scenario::Problem& problem)
    : dimension_(problem.dimension()),
      most_touching_(std::all_of(problem.contacts.begin(), problem.contacts.end(),
                                 [&](const scenario::Contact& contact) { return has_one_row(problem, contact); })
                         ? 2 * most_touching
                         : most_touching),
      coordinates_(scenario::find_coordinate_sets(problem)) {
  // a law without rows on anything is one that no step can solve; it may be with all others
  for (std::uint64_t& set : coordinates_)
    if (set == 0) set = ~std::uint64_t{0};
  const std::size_t laws = coordinates_.size(), contacts = problem.contacts.size(),
                    bilaterals = problem.bilaterals.size();
  for (std::size_t b = 0; b < bilaterals; ++b)
    (problem.bilaterals[b].is_guide() ? guides_ : firm_).push_back(contacts + b);
  for (std::size_t law = contacts + bilaterals; law < laws; ++law) resistances_.push_back(law);

  for (std::size_t a = 0; a < laws; ++a) {
    meet_.emplace_back();
    for (std::size_t b = 0; b < laws; ++b) meet_[a].push_back((coordinates_[a] & coordinates_[b]) != 0);
  }
  for (std::size_t r = 0; r < resistances_.size(); ++r)
    for (const int law : scenario::find_normals(problem.resistances[r])) {
      const auto other = static_cast<std::size_t>(law);
      meet_[other][resistances_[r]] = meet_[resistances_[r]][other] = true;
    }

  std::vector<std::size_t> all(contacts);
  std::iota(all.begin(), all.end(), std::size_t{0});
  whole_ = find_islands(all);
  island_of_.resize(contacts);
  for (std::size_t i = 0; i < whole_.size(); ++i)
    for (const std::size_t block : whole_[i].blocks)
      if (block < contacts) island_of_[block] = i;
}

bool MeetingLaws::are_too_many(const std::vector<std::size_t>& contacts) const {
  return std::any_of(contacts.begin(), contacts.end(), [&](std::size_t p) {
    return std::count_if(contacts.begin(), contacts.end(),
                         [&](std::size_t other) { return island_of_[other] == island_of_[p]; }) > most_touching_;
  });
}

std::vector<MeetingLaws::Part> MeetingLaws::take_part(const std::vector<std::size_t>& contacts) const {
  std::vector<Part> parts;
  for (const auto* laws : {&contacts, &guides_, &resistances_})
    for (const std::size_t law : *laws) parts.push_back({law, parts.size(), true});
  for (std::size_t f = 0; f < firm_.size(); ++f) parts.push_back({firm_[f], f, false});
  return parts;
}

std::vector<coupled::Island> MeetingLaws::find_islands(const std::vector<std::size_t>& contacts) const {
  std::vector<Part> left = take_part(contacts);
  std::vector<coupled::Island> islands;
  while (!left.empty()) {
    // from one law to all it meets, and so on
    std::vector<Part> reached{left.front()};
    left.erase(left.begin());
    for (std::size_t n = 0; n < reached.size(); ++n) {
      const auto is_apart = [&](const Part& part) { return !meet_[reached[n].law][part.law]; };
      const auto met = std::stable_partition(left.begin(), left.end(), is_apart);
      reached.insert(reached.end(), met, left.end());
      left.erase(met, left.end());
    }
    std::sort(reached.begin(), reached.end(), [](const Part& a, const Part& b) { return a.number < b.number; });

    coupled::Island& island = islands.emplace_back();
    std::uint64_t coordinates = 0;
    for (const Part& part : reached) {
      coordinates |= coordinates_[part.law];
      if (part.is_block)
        island.blocks.push_back(part.number);
      else
        island.firm_rows.push_back(static_cast<coupled::Index>(part.number));
    }
    for (int c = 0; c < dimension_; ++c)
      if (has(coordinates, c)) island.coordinates.push_back(c);
  }
  return islands;
}

}  // namespace conesweep::executor::reference
