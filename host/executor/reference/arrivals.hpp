#pragma once

#include <optional>

#include "executor/reference/laws_at_place.hpp"

namespace conesweep::executor::reference {

/// (I4) so many a step, or a part of it between percussions
inline constexpr int most_arrivals = 3;

/// A straight way from q with the velocity v.
struct Way {
  const Vector& q;
  const Vector& v;
  Stretch stretch;
};

/// The first wall that a way meets.
struct Meeting {
  std::size_t contact = 0;
  double after = 0;  // the way's begin
};

/// (I1) Of the contacts `open`, which are inside where the way begins: the one that is met first, if the way ends
/// outside of some.
std::optional<Meeting> find_first_meeting(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                                          const Way& way, const std::vector<std::size_t>& open);

}  // namespace conesweep::executor::reference
