#pragma once

#include <cstdint>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// Laws that meet (B11). Coordinates are connected where M has an entry between them, laws where their rows are on
/// connected coordinates or where the limit of one uses normal() of the other: by how formulas are written, not by the
/// values they take.
struct Island {
  std::vector<int> coordinates;  // ascending; those that M alone connects are among them
  std::vector<std::size_t> contacts, bilaterals, resistances;

  std::size_t count_laws() const { return contacts.size() + bilaterals.size() + resistances.size(); }
};

/// All islands that have a law, in the order of their first one. A coordinate without laws is in none.
std::vector<Island> find_islands(const Problem& problem);

/// The numbers of an island's laws among all of the model.
std::vector<std::size_t> law_numbers(const Problem& problem, const Island& island);

/// The names of an island's laws, in quotes; of many the first ones, and how many more.
std::vector<std::string> law_names(const Problem& problem, const Island& island);

/// Coordinates that the rows of a law are on.
std::vector<int> find_coordinates(const Problem& problem, const Contact& contact);
std::vector<int> find_coordinates(const Problem& problem, const Bilateral& bilateral);
std::vector<int> find_coordinates(const Problem& problem, const Resistance& resistance);

/// Of each law the coordinates that its rows are on, with those that M connects with them: bit c is coordinate c.
std::vector<std::uint64_t> find_coordinate_sets(const Problem& problem);

/// Laws whose normal() the limit of a resistance uses.
std::vector<int> find_normals(const Resistance& resistance);

/// Has the island a closed form (B11)? It is one law whose rows are orthogonal in M⁻¹, the tangential ones of one
/// length there, of a model whose steps have one part.
bool has_closed_form(const Problem& problem, const Island& island);

/// Are all islands of a model such?
bool is_all_closed(const Problem& problem);

/// Is it made of contacts without friction and of resistances with one row, few enough to be solved in packs
/// (include/conesweep/contact/boxes.hpp)?
bool is_boxed(const Problem& problem, const Island& island);

/// Are the island's bilateral constraints orthogonal to each other in M⁻¹ (as polynomials of what they are written
/// with), none of them with friction, and the only laws of it that always act?
bool has_orthogonal_rows(const Problem& problem, const Island& island);

/// The row of a bilateral constraint: what it is on each coordinate.
std::vector<expression::Expr> find_row(const Problem& problem, const Bilateral& bilateral);

/// Has a resistance a closed form while no contact touches?
bool is_lone(const Problem& problem, std::size_t resistance);

/// Do its members stay in packs: particles, and systems all of whose laws have a closed form, or are boxes, while no
/// other contact touches?
bool is_stepped_in_packs(const Problem& problem);

/// Has a formula normal(…) or slip(…)?
bool uses_laws(const Problem& problem);

/// Does a step find what it meets on its way (I), (A)?
bool locates(const Problem& problem);

/// Can a step have several parts: between percussions (B6), between arrivals (I)?
bool is_split(const Problem& problem);

/// The masses of a diagonal M, one a coordinate; 1 where the model has none. Empty: M has entries beside its diagonal.
std::vector<expression::Expr> find_masses(const Problem& problem);

}  // namespace conesweep::scenario
