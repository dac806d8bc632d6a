#include "report/names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "scenario/quantities.hpp"

namespace conesweep::report {

std::string greek(const std::string& name) {
  static const std::pair<const char*, const char*> letters[] = {
      {"alpha", "α"}, {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"eps", "ε"},
      {"zeta", "ζ"},  {"eta", "η"},    {"theta", "θ"}, {"iota", "ι"},  {"kappa", "κ"},   {"lambda", "λ"},
      {"mu", "μ"},    {"nu", "ν"},     {"xi", "ξ"},    {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},
      {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},
      {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},     {"Omega", "Ω"}};
  for (const auto& [word, letter] : letters)
    if (name == word) return letter;
  return {};
}

std::string pretty(const std::string& name) {
  static const char* const low[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
  const std::size_t stem = name.find_last_not_of("0123456789") + 1, cut = std::min(name.find('_'), stem);
  std::string out = greek(name.substr(0, cut));
  if (out.empty()) out = name.substr(0, cut);
  const bool digits_alone = cut == stem && (cut == 1 || !greek(name.substr(0, cut)).empty());
  out += name.substr(cut, stem - cut);
  for (const char c : name.substr(stem)) out += digits_alone ? low[c - '0'] : std::string(1, c);
  return out;
}

std::string label_of(const RunView& run, const std::string& name) {
  const std::string unit = unit_of(run.scenario, name);
  return unit.empty() ? pretty(name) : pretty(name) + " (" + unit + ")";
}

bool varies(const statistics::Summary& s) {
  return s.count > 1 && std::isfinite(s.min) && std::isfinite(s.max) &&
         s.max - s.min > 1e-9 * std::max(std::fabs(s.min), std::fabs(s.max));
}

std::vector<std::string> worth_showing(const RunView& run, std::size_t most) {
  std::vector<std::string> names;
  // what is this small beside all others is rounding
  double largest = 0;
  for (const auto& [name, s] : run.summary.observables)
    if (varies(s)) largest = std::max({largest, std::fabs(s.min), std::fabs(s.max)});
  std::set<std::array<double, 4>> seen;
  for (const auto& [name, s] : run.summary.observables)
    if (varies(s) && s.max - s.min > 1e-14 * largest && names.size() < most &&
        seen.insert({s.min, s.max, s.mean, s.standard_deviation}).second)
      names.push_back(name);
  return names;
}

bool wants_logarithm(const RunView& run, const std::string& parameter) {
  for (const auto& variation : run.scenario.vary)
    if (run.scenario.names.parameters[static_cast<std::size_t>(variation.parameter)] == parameter)
      return variation.distribution.kind == scenario::DistributionKind::loguniform ||
             variation.distribution.kind == scenario::DistributionKind::lognormal;
  return false;
}

std::string to_id(const std::string& name) {
  std::string id;
  for (const char c : name) id += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '-';
  return id;
}

}  // namespace conesweep::report
