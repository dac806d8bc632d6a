#include "scenario/refine.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {

std::string find_fault_of_steps(double end, double step) {
  const double ratio = end / step, whole = std::round(ratio);
  if (ratio > static_cast<double>(most_steps))
    return "end / step is " + format_short(ratio) + " steps; at most " +
           format_count(static_cast<unsigned long long>(most_steps)) + " are possible";
  if (whole >= 1 && std::fabs(ratio - whole) <= whole_steps_tolerance * std::max(1.0, whole)) return {};
  const double before = std::max(1.0, std::floor(ratio)), after = before + (ratio < 1 ? 0 : 1);
  std::string nearest = format_short(before * step, 12);
  if (after > before) nearest += " or " + format_short(after * step, 12);
  return "end = " + format_number(end) + " is not a whole number of steps of " + format_number(step) +
         "; nearest: end = " + nearest;
}

Setup refine(const Setup& setup, int halvings) {
  CS_ASSERT(halvings >= 0 && halvings <= most_halvings(setup));
  Setup fine = setup;
  fine.steps = setup.steps << halvings;
  fine.step = std::ldexp(setup.step, -halvings);
  fine.record.members = 0;
  return fine;
}

int most_halvings(const Setup& setup, std::int64_t limit) {
  int halvings = 0;
  while (setup.steps << (halvings + 1) <= limit) ++halvings;
  return halvings;
}

double readable_step(const Setup& setup, int halvings) {
  const double steps = std::ldexp(static_cast<double>(setup.steps), halvings);
  const double exact = setup.end / steps;
  for (int digits = 1; digits <= 16; ++digits) {
    const std::string text = format_short(exact, digits);
    double rounded = exact;
    std::from_chars(text.data(), text.data() + text.size(), rounded);
    // the reader allows 1e-9; a tenth of it keeps clear of its edge
    if (std::fabs(setup.end / rounded - steps) <= 1e-10 * steps) return rounded;
  }
  return exact;
}

}  // namespace conesweep::scenario
