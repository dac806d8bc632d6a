#include "executor/reference/touching.hpp"

#include <cmath>
#include <limits>

#include "executor/reference/stop.hpp"

namespace conesweep::executor::reference {
namespace {

// (B2) bodies that touch but for rounding touch; a start is less exact than what follows from it
constexpr double touch_tolerance = 1e-12, touch_tolerance_at_start = 1e-9;

}  // namespace

Touching::Touching(const scenario::Scenario& scenario, const std::vector<double>& parameters)
    : lost(scenario.contacts.size(), std::numeric_limits<double>::quiet_NaN()),
      scenario_(scenario),
      parameters_(parameters),
      meeting_(scenario),
      tolerant_(is_coupled(scenario) || scenario.impacts == scenario::Impacts::located ||
                scenario.contacts.size() > 1) {}

std::vector<std::size_t> Touching::find(const Vector& q, const StepPiece& piece, std::optional<std::size_t> met) const {
  const LawsAtPlace laws(scenario_, {parameters_, q, piece.stretch.begin}, piece.stretch);
  const double tolerance = piece.k == 0 ? touch_tolerance_at_start : touch_tolerance;
  std::vector<std::size_t> touching;
  for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
    const double g = laws.g(p);
    if (std::isnan(g)) throw Stop{Status::non_finite};
    bool touches = g >= 0 || persists(p) || met == p;
    if (!touches && tolerant_) {
      const double steepness = laws.gap(p).steepness;
      touches = std::isfinite(steepness) &&
                g >= -tolerance * (1 + coupled::Vector(q)(meeting_.coordinates_around(p)).norm()) * steepness &&
                steepness > 0;
    }
    if (touches) touching.push_back(p);
  }
  return touching;
}

bool Touching::persists(std::size_t contact) const {
  return scenario_.contacts[contact].persistent && std::isnan(lost[contact]);
}

std::vector<bool> Touching::find_persisting(const std::vector<std::size_t>& contacts) const {
  std::vector<bool> persisting;
  for (const std::size_t p : contacts) persisting.push_back(persists(p));
  return persisting;
}

std::vector<std::size_t> Touching::held() const {
  std::vector<std::size_t> all;
  for (std::size_t p = 0; p < scenario_.contacts.size(); ++p)
    if (persists(p)) all.push_back(p);
  return all;
}

void Touching::lose(const std::vector<std::size_t>& contacts, double t) {
  for (const std::size_t p : contacts) lost[p] = t;
}

}  // namespace conesweep::executor::reference
