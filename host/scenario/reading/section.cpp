#include "scenario/reading/section.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace conesweep::scenario {

std::optional<Formula> Section::formula(const toml::node& node, const expression::Allowed& allowed) {
  Formula result;
  result.quote = to_place(node.source().begin);
  if (const auto text = node.value_exact<std::string>())
    result.text = *text;
  else if (const auto value = finite_number(node))
    result.text = format_number(*value);
  else {
    report(node, allowed.place + " must be an expression in quotes, or a number");
    return std::nullopt;
  }
  if (!coordinates_known_) return std::nullopt;  // every one of them would be an unknown name
  std::vector<expression::Fault> faults;
  result.tree = expression::parse(result.text, scenario_.names, faults, allowed.place);
  if (result.tree) expression::validate(result.tree, scenario_.names, allowed, faults);
  for (const auto& fault : faults) {
    if (is_full())
      report_more();
    else
      report_fault(result, node, fault);
  }
  if (!faults.empty()) return std::nullopt;
  ++reading_.formulas;
  return result;
}

void Section::report_fault(const Formula& formula, const toml::node& node, const expression::Fault& fault) {
  if (!node.is_string()) return report(node, fault.message);
  const Place place = source_.inside_string(formula.quote, fault.span.offset);
  const std::string_view faulty = std::string_view(formula.text).substr(std::min(fault.span.offset, formula.text.size()), fault.span.length);
  report(place, std::max(1, count_characters(faulty)), fault.message);
}

bool Section::limit_count(const toml::table& table, std::size_t count, std::int64_t most, const std::string& what) {
  if (static_cast<std::int64_t>(count) <= most) return true;
  report(table, "at most " + format_count(static_cast<unsigned long long>(most)) + " " + what + ", got " + format_count(count));
  return false;
}

std::vector<Variation>::const_iterator Section::find_variation(const std::string& name) const {
  return std::find_if(scenario_.vary.begin(), scenario_.vary.end(), [&](const Variation& variation) { return parameter_name(variation) == name; });
}

const std::string& Section::parameter_name(const Variation& variation) const {
  return scenario_.names.parameters[static_cast<std::size_t>(variation.parameter)];
}

}  // namespace conesweep::scenario
