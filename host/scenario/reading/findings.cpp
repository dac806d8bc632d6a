#include "scenario/reading/findings.hpp"

#include <limits>
#include <utility>

#include "scenario/limits.hpp"
#include "scenario/reading/bounded.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {

const std::vector<double> StartWorld::none = {};

double StartWorld::symbol(expression::Symbol s) const {
  using Kind = expression::Symbol::Kind;
  const auto i = static_cast<std::size_t>(s.index);
  switch (s.kind) {
    case Kind::time: return t;
    case Kind::parameter: return parameters[i];
    case Kind::coordinate: return coordinates.empty() ? 0 : coordinates[i];
    case Kind::velocity:
      if (!velocities.empty()) return velocities[i];
      break;
    case Kind::atom: return atom;
    default: break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double StartWorld::history(const expression::Node&) const { return std::numeric_limits<double>::quiet_NaN(); }

double scale_of(const Scenario& scenario, const Contact& contact, double steepness) {
  const ContactKind kind = kind_of(scenario, contact);
  return kind == ContactKind::particle || kind == ContactKind::point ? steepness : 1;
}

bool is_within_settling(double distance, double size) { return distance <= settling_distance * (1 + size); }

std::string describe_allowed(const Scenario& scenario, double distance, double size, char symbol) {
  const std::string of_size = std::string(" (1 + |") + symbol + "|)";
  if (scenario.settle) return "; allowed with settle = true: " + format_number(settling_distance) + of_size;
  const std::string allowed = "; allowed: " + format_number(start_tolerance) + of_size;
  if (!is_within_settling(distance, size)) return allowed;
  return allowed + "; [start] settle = true " + (symbol == 'v' ? "corrects it" : "puts it there");
}

void Findings::note(const TriedMember& member, const Formula& formula, expression::Span span, const What& what) {
  auto [found, fresh] =
      list_.try_emplace({formula.quote.line, formula.quote.column, static_cast<int>(span.offset), what.kind},
                        Finding{&formula, span, what});
  if (fresh && !what.certain) found->second.what.message += described(member);
  if (std::exchange(found->second.last, member.number) != member.number) ++found->second.count;
}

std::string Findings::described(const TriedMember& member) const {
  const auto varying = varying_parameters(scenario_);
  if (varying.empty()) return {};
  std::string text = (scenario_.sweep.empty() ? " (member " : " (row ") + std::to_string(member.number) + ":";
  for (const int parameter : varying) {
    const auto index = static_cast<std::size_t>(parameter);
    text += (text.ends_with(':') ? " " : ", ") + scenario_.names.parameters[index] + " = " +
            format_short(member.parameters[index]);
  }
  return text + ")";
}

void Findings::report(const Source& source, std::int64_t tried, Faults& problems) const {
  for (const auto& [key, finding] : list_) {
    const What& what = finding.what;
    const bool harmless = what.status == Status::ok;
    const Severity severity = what.certain && !harmless ? Severity::error : Severity::warning;
    std::string message = what.message;
    if (!what.certain) {
      const bool swept = !scenario_.sweep.empty();
      message = format_count(static_cast<unsigned long long>(finding.count)) + (swept ? " of " : " of the first ") +
                format_count(static_cast<unsigned long long>(tried)) +
                (swept ? " rows spread over the sweep: " : " members: ") + message;
      if (!harmless) message += "; such members stop with status " + std::string(to_name(what.status));
    }
    problems.push_back(make_problem(source, *finding.formula, finding.span, severity, std::move(message)));
  }
}

}  // namespace conesweep::scenario
