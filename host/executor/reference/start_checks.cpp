#include "executor/reference/start_checks.hpp"

#include <cmath>

#include "executor/reference/drift.hpp"
#include "executor/reference/stop.hpp"
#include "scenario/limits.hpp"

namespace conesweep::executor::reference {
namespace {

using scenario::start_tolerance;

// Is there an impulse, however large, that lets a resistance start with u?
bool can_slide(const scenario::Resistance& resistance, const Present& present, const coupled::Vector& u,
               double tolerance) {
  const bool two_ends = resistance.limit.size() == 2;
  const double high = present.value(resistance.limit.back().tree);
  const double low = two_ends ? present.value(resistance.limit.front().tree) : -high;
  if (u.size() > 1) return !std::isinf(high) || u.norm() <= tolerance;
  return (!std::isinf(high) || u[0] >= -tolerance) && (!std::isinf(low) || u[0] <= tolerance);
}

}  // namespace

void require_good_start(const scenario::Scenario& scenario, const Present& present, const Place& start,
                        const Vector& v) {
  const LawsAtPlace laws(scenario, start, {start.t, start.t, 0});
  for (std::size_t p = 0; p < scenario.contacts.size(); ++p) {
    if (!(laws.g(p) > 0)) continue;
    const Gap gap = laws.gap(p);
    if (!(gap.steepness > 0) || !std::isfinite(gap.steepness)) throw Stop{Status::singular_gradient};
    if (gap.g / gap.steepness > start_tolerance * (1 + start.q.norm())) throw Stop{Status::start_outside};
  }
  if (!starts_on_constraints(scenario, start)) throw Stop{Status::bad_start};
  const double tolerance = start_tolerance * (1 + v.norm());
  const coupled::Vector u = laws.firm().velocities(v);
  if (!(u.size() == 0 || u.cwiseAbs().maxCoeff() <= tolerance)) throw Stop{Status::bad_start};
  for (std::size_t p = 0; p < scenario.contacts.size(); ++p) {
    if (!scenario.contacts[p].persistent) continue;
    const Gap gap = laws.gap(p);
    if (!(std::fabs(gap.g) <= start_tolerance * (1 + start.q.norm()) * gap.steepness)) throw Stop{Status::bad_start};
    if (!(std::fabs(laws.contact(p).velocities(v)[0]) <= tolerance)) throw Stop{Status::bad_start};
  }
  for (std::size_t r = 0; r < scenario.resistances.size(); ++r)
    if (!can_slide(scenario.resistances[r], present, laws.resistance(r).velocities(v), tolerance))
      throw Stop{Status::bad_start};
}

}  // namespace conesweep::executor::reference
