#include "executor/reference/arrivals.hpp"

namespace conesweep::executor::reference {
namespace {

double gap_after(const expression::Expr& g, const std::vector<double>& parameters, const Way& way, double after) {
  const Vector q = way.q + after * way.v;
  return value_at(g, {parameters, q, after == way.stretch.h ? way.stretch.end : way.stretch.begin + after});
}

// halves the way until no number lies between its ends, and takes the inner one
double halve(const expression::Expr& g, const std::vector<double>& parameters, const Way& way) {
  double inner = 0, outer = way.stretch.h;
  for (double middle = outer / 2; middle > inner && middle < outer; middle = inner + (outer - inner) / 2)
    (gap_after(g, parameters, way, middle) > 0 ? outer : inner) = middle;
  return inner;
}

}  // namespace

std::optional<Meeting> find_first_meeting(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                                          const Way& way, const std::vector<std::size_t>& open) {
  std::optional<Meeting> first;
  for (const std::size_t p : open) {
    const expression::Expr& g = scenario.contacts[p].g;
    if (!(gap_after(g, parameters, way, way.stretch.h) > 0)) continue;
    const Meeting meeting{p, halve(g, parameters, way)};
    if (!first || meeting.after < first->after) first = meeting;
  }
  return first;
}

}  // namespace conesweep::executor::reference
