#include "executor/reference/paths.hpp"

#include <algorithm>

namespace conesweep::executor::reference {
namespace {

struct Bracket {
  double inner, outer;
};

// (A4) Halves until no number lies between: the inner end.
template <class Gap>
double narrow(const Gap& gap, Bracket way) {
  for (double middle = (way.inner + way.outer) / 2; middle > way.inner && middle < way.outer;
       middle = way.inner + (way.outer - way.inner) / 2)
    (gap(middle) > 0 ? way.outer : way.inner) = middle;
  return way.inner;
}

// (A4) Does the path lead through the wall, and between which places?
template <class Gap>
std::optional<Bracket> find_bracket(const StepOnTheWay& way, std::size_t p, double length, const Gap& gap) {
  const double g = gap(0), g_end = gap(length), rate = way.closing_speed(p, way.t, way.q, way.v),
               bend = 2 * (g_end - g - rate * length);
  if (g >= -way.place_tolerance() * way.wall(p, way.t, way.q).steepness) {
    // it leaves the wall that it touches: does it come back?
    if (!(rate < 0 && g_end > 0 && bend > 0)) return std::nullopt;
    const double lowest = std::min(-rate * length * length / bend, length);
    for (const double inner : {lowest, lowest / 2})
      if (gap(inner) < 0) return Bracket{inner, length};
    return std::nullopt;
  }
  if (g_end > 0) return Bracket{0, length};
  if (!(rate > 0 && bend < 0)) return std::nullopt;
  const double top = -rate * length * length / bend;
  if (top < length && gap(top) > 0) return Bracket{0, top};
  return std::nullopt;
}

}  // namespace

Vector on_path(const StepOnTheWay& way, const Vector& a, double s) { return way.q + s * way.v + s * s * a; }

double time_after(const StepOnTheWay& way, double s) { return s >= way.end - way.t ? way.end : way.t + s; }

std::optional<FirstMeeting> find_first(const StepOnTheWay& way, const Vector& a, double length,
                                       const std::vector<std::size_t>& closed) {
  std::optional<FirstMeeting> first;
  for (std::size_t p = 0; p < way.contacts(); ++p) {
    if (std::find(closed.begin(), closed.end(), p) != closed.end()) continue;
    const auto gap = [&](double s) { return way.gap(p, time_after(way, s), on_path(way, a, s)); };
    const auto bracket = find_bracket(way, p, length, gap);
    if (!bracket) continue;
    const double s = narrow(gap, *bracket);
    if (!first || s < first->s) first = {p, s};
  }
  return first;
}

}  // namespace conesweep::executor::reference
