#include "scenario/reading/section.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "expression/still_world.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {

std::optional<Formula> Section::formula(const toml::node& node, const expression::Allowed& allowed) {
  auto result = read_expression(node, allowed);
  if (result) ++reading_.formulas;
  return result;
}

std::vector<Formula> Section::formulas(const toml::node& node, const ListRule& rule,
                                       const expression::Allowed& allowed) {
  const toml::array* array = node.as_array();
  if (array == nullptr || array->size() < rule.least || array->size() > rule.most) {
    const std::string range =
        (rule.least == rule.most ? "" : std::to_string(rule.least) + (rule.least + 1 == rule.most ? " or " : " to ")) +
        std::to_string(rule.most);
    report(node, allowed.place + " must be a list of " + range + (rule.most == 1 ? " expression" : " expressions") +
                     ", " + rule.one + (array != nullptr ? ", got " + std::to_string(array->size()) : ""));
    return {};
  }
  std::vector<Formula> list;
  for (const toml::node& item : *array)
    if (auto entry = formula(item, allowed)) list.push_back(std::move(*entry));
  return list;
}

std::optional<Formula> Section::read_expression(const toml::node& node, const expression::Allowed& allowed,
                                                const expression::Names& names) {
  Formula result;
  result.quote = to_place(node.source().begin);
  if (const auto text = node.value_exact<std::string>())
    result.text = *text;
  else if (const auto value = finite_number(node))
    result.text = format_number(*value);
  else if (const auto limitless = node.value_exact<double>(); limitless && std::isinf(*limitless) && allowed.infinity)
    result.text = format_number(*limitless);
  else {
    report(node, allowed.place + " must be an expression in quotes, or a number");
    return std::nullopt;
  }
  if (!coordinates_known_) return std::nullopt;          // every one of them would be an unknown name
  if (reading_.nodes > most_nodes) return std::nullopt;  // said already
  const std::vector<expression::Fault> faults = parse(result, allowed, names);
  for (const auto& fault : faults) {
    if (is_full())
      report_more();
    else
      report_fault(result, node, fault);
  }
  if (!faults.empty() || !result.tree || !limit_nodes(result, node)) return std::nullopt;
  return result;
}

std::vector<expression::Fault> Section::parse(Formula& formula, const expression::Allowed& allowed,
                                              const expression::Names& names) {
  std::vector<expression::Fault> faults;
  formula.tree = expression::parse(formula.text, names, faults, allowed);
  if (!formula.tree) return faults;
  std::vector<expression::Fault> found;
  expression::validate(formula.tree, names, allowed, found);
  // What is wrong with nodes of a definition is told at its name, once.
  std::set<std::pair<std::size_t, std::string>> told;
  for (auto& [span, message] : found) {
    const std::string_view text = std::string_view(formula.text).substr(span.offset, span.length);
    const auto& computed = names.computed;
    const bool parameter =
        std::any_of(computed.begin(), computed.end(), [&](const auto& one) { return one.name == text; });
    if (names.find_definition(text) != nullptr)
      message = (parameter ? "parameter '" : "definition '") + std::string(text) + "': " + message;
    if (told.emplace(span.offset, message).second) faults.push_back({span, message});
  }
  return faults;
}

bool Section::limit_nodes(const Formula& formula, const toml::node& node) {
  reading_.nodes += static_cast<std::int64_t>(expression::count_nodes(formula.tree));
  if (reading_.nodes <= most_nodes) return true;
  report(node, "the expressions up to here are too large: with their definitions written out they have more than " +
                   format_count(static_cast<unsigned long long>(most_nodes)) + " numbers, names and operations");
  return false;
}

void Section::report_fault(const Formula& formula, const toml::node& node, const expression::Fault& fault) {
  if (!node.is_string()) return report(node, fault.message);
  const FilePlace place = source_.inside_string(formula.quote, fault.span.offset);
  const std::string_view faulty =
      std::string_view(formula.text).substr(std::min(fault.span.offset, formula.text.size()), fault.span.length);
  report(place, std::max(1, count_characters(faulty)), fault.message);
}

std::optional<double> Section::fixed_number(const toml::node& node, const std::string& what) {
  if (!node.is_string()) return number(node, what);
  const auto read = read_expression(node, {.place = what});
  if (!read) return std::nullopt;
  std::optional<expression::Fault> fault;
  bool known = true;
  expression::for_each_node(read->tree, [&](const expression::Expr& leaf) {
    if (leaf->op != expression::Op::symbol || fault) return;
    const int parameter = leaf->symbol.index;
    const auto is_it = [&](const auto& one) { return one.parameter == parameter; };
    const std::string name = "'" + scenario_.names.parameters[static_cast<std::size_t>(parameter)] + "'";
    if (std::any_of(scenario_.sweep.begin(), scenario_.sweep.end(), is_it))
      fault = {leaf->span, name + " is swept; " + what +
                               " is the same at every point for now: use parameters that are not swept, or a number"};
    else if (std::any_of(scenario_.vary.begin(), scenario_.vary.end(), is_it))
      fault = {leaf->span, name + " is varied; " + what +
                               " is the same for all members: use parameters that are not varied, or a number"};
    known = known && !std::isnan(scenario_.defaults[static_cast<std::size_t>(parameter)]);
  });
  if (fault) {
    report_fault(*read, node, *fault);
    return std::nullopt;
  }
  if (!known) return std::nullopt;  // a parameter that was not understood
  const double value = expression::evaluate<double>(read->tree, expression::StillWorld<double>{scenario_.defaults});
  if (std::isfinite(value)) return value;
  report(node, what + " must be a finite number, got " + format_number(value));
  return std::nullopt;
}

bool Section::limit_count(const toml::table& table, std::size_t count, std::int64_t most, const std::string& what) {
  if (static_cast<std::int64_t>(count) <= most) return true;
  report(table, "at most " + format_count(static_cast<unsigned long long>(most)) + " " + what + ", got " +
                    format_count(count));
  return false;
}

std::vector<Variation>::const_iterator Section::find_variation(const std::string& name) const {
  return std::find_if(scenario_.vary.begin(), scenario_.vary.end(),
                      [&](const Variation& variation) { return parameter_name(variation) == name; });
}

const std::string& Section::parameter_name(const Variation& variation) const {
  return scenario_.names.parameters[static_cast<std::size_t>(variation.parameter)];
}

}  // namespace conesweep::scenario
