#pragma once

#include <cstdint>
#include <vector>

#include "executor/reference/islands.hpp"
#include "executor/reference/motion.hpp"

namespace conesweep::executor::reference {

/// Which laws of a problem meet (B11): those with rows on coordinates that are the same or connected by M, and a limit
/// with the law whose normal() it uses. By how formulas are written, not by the values they take.
class MeetingLaws {
 public:
  explicit MeetingLaws(const scenario::Problem& problem);

  /// Of the island of the model that a contact is in.
  const std::vector<coupled::Index>& coordinates_around(std::size_t contact) const {
    return whole_[island_of_[contact]].coordinates;
  }

  /// More in one island of the model than are solved at once?
  bool are_too_many(const std::vector<std::size_t>& contacts) const;

  /// Islands of a stretch in which these contacts take part, with all other laws. Its blocks are these contacts, the
  /// guides and the resistances, its firm rows the other bilateral constraints.
  std::vector<coupled::Island> find_islands(const std::vector<std::size_t>& contacts) const;

 private:
  struct Part {  // of a stretch: a block or a firm row, which have numbers of their own
    std::size_t law, number;
    bool is_block;
  };
  std::vector<Part> take_part(const std::vector<std::size_t>& contacts) const;

  int dimension_;
  std::ptrdiff_t most_touching_;                          // at once in an island
  std::vector<std::size_t> guides_, firm_, resistances_;  // numbers of laws
  std::vector<std::uint64_t> coordinates_;                // of each law, as bits
  std::vector<std::vector<bool>> meet_;                   // [law][law]
  std::vector<coupled::Island> whole_;                    // of the model: all contacts take part
  std::vector<std::size_t> island_of_;                    // of each contact
};

}  // namespace conesweep::executor::reference
