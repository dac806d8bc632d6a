#include "run/refine.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::runs {

scenario::Scenario refine(const scenario::Scenario& scenario, int halvings) {
  CS_ASSERT(halvings >= 0 && halvings <= most_halvings(scenario));
  scenario::Scenario fine = scenario;
  fine.steps = scenario.steps << halvings;
  fine.step = std::ldexp(scenario.step, -halvings);
  fine.record.members = 0;
  return fine;
}

int most_halvings(const scenario::Scenario& scenario, std::int64_t limit) {
  int halvings = 0;
  while (scenario.steps << (halvings + 1) <= limit) ++halvings;
  return halvings;
}

double readable_step(const scenario::Scenario& scenario, int halvings) {
  const double steps = std::ldexp(static_cast<double>(scenario.steps), halvings);
  const double exact = scenario.end / steps;
  for (int digits = 1; digits <= 16; ++digits) {
    const std::string text = format_short(exact, digits);
    double rounded = exact;
    std::from_chars(text.data(), text.data() + text.size(), rounded);
    // the reader allows 1e-9; a tenth of it keeps clear of its edge
    if (std::fabs(scenario.end / rounded - steps) <= 1e-10 * steps) return rounded;
  }
  return exact;
}

}  // namespace conesweep::runs
