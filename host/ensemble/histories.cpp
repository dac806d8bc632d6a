#include "ensemble/histories.hpp"

#include <cmath>

#include "support/text.hpp"

namespace conesweep::ensemble {

using executor::Outcome;
using executor::Status;

namespace {

bool differ(double a, double b, double unit) { return std::isnan(a) != std::isnan(b) || std::fabs(a - b) > unit / 2; }

}  // namespace

Histories::Histories(const scenario::Scenario& scenario, const Outcome& a, const Outcome& b)
    : scenario_(scenario), a_(a), b_(b), names_(observable_names(scenario)), discrete_(find_discrete(scenario)) {}

std::optional<std::string> Histories::difference(std::size_t m) const {
  const auto both = [](const std::string& what, const std::string& a, const std::string& b) {
    return what + " " + a + " and " + b;
  };
  if (a_.status[m] != b_.status[m])
    return both("status", std::string(to_name(a_.status[m])), std::string(to_name(b_.status[m])));
  if (a_.status[m] != Status::ok) {
    if (differ(a_.stop_time[m], b_.stop_time[m], scenario_.h()))
      return both("stopped at t =", format_short(a_.stop_time[m]), format_short(b_.stop_time[m]));
  }
  for (const Discrete& d : discrete_) {
    const double a = a_.observables[d.observable][m], b = b_.observables[d.observable][m];
    if (differ(a, b, d.unit)) return both(d.name, format_short(a), format_short(b));
  }
  for (std::size_t k = 0; k < a_.observables.size(); ++k) {
    const double a = a_.observables[k][m], b = b_.observables[k][m];
    if (std::isfinite(a) != std::isfinite(b) || (!std::isfinite(a) && std::isnan(a) != std::isnan(b)))
      return both(names_[k], format_short(a), format_short(b));
  }
  return difference_of_modes(m);
}

std::optional<std::string> Histories::difference_of_modes(std::size_t m) const {
  const auto& a = a_.trajectories;
  const auto& b = b_.trajectories;
  if (m >= static_cast<std::size_t>(a.members)) return std::nullopt;
  const auto times = static_cast<std::size_t>(a.times);
  for (std::size_t i = 0; i < times; ++i) {
    const std::size_t at = m * times + i;
    if (a.mode[at] != b.mode[at])
      return "mode " + std::to_string(a.mode[at]) + " and " + std::to_string(b.mode[at]) +
             " at t = " + format_short(scenario_.time(static_cast<std::int64_t>(i) * scenario_.record.every));
  }
  return std::nullopt;
}

Apart::Apart(const scenario::Scenario& scenario, const Outcome& a, const Outcome& b)
    : a_(a),
      b_(b),
      names_(observable_names(scenario)),
      scales_(observable_scales(scenario, a)),
      histories_(scenario, a, b) {}

std::string Apart::first(std::size_t m) const {
  if (const auto what = histories_.difference(m)) return *what;
  std::size_t worst = 0;
  double most = -1;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const double share = std::fabs(a_.observables[k][m] - b_.observables[k][m]) / scales_[k];
    if (share > most) worst = k, most = share;
  }
  return names_[worst] + " " + format_short(a_.observables[worst][m]) + " and " +
         format_short(b_.observables[worst][m]);
}

bool Apart::is_unsolved_once(std::size_t m) const {
  return a_.status[m] != b_.status[m] &&
         (a_.status[m] == Status::not_converged || b_.status[m] == Status::not_converged);
}

}  // namespace conesweep::ensemble
