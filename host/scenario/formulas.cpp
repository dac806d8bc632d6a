#include "scenario/formulas.hpp"

namespace conesweep::scenario {

std::size_t count_formulas(const Problem& problem) {
  std::size_t count = 0;
  for_each_formula(problem, [&](std::string_view, const Formula&) { ++count; });
  return count;
}

std::vector<std::string> texts_of(const std::vector<Formula>& formulas) {
  std::vector<std::string> texts;
  for (const Formula& formula : formulas) texts.push_back(formula.text);
  return texts;
}

std::vector<Length> history_lengths(const Problem& problem) {
  std::vector<Length> lengths;
  for_each_formula(problem, [&](std::string_view, const Formula& formula) {
    expression::for_each_node(formula.tree, [&](const expression::Expr& node) {
      if (expression::is_history(node->op) && node->op != expression::Op::now) lengths.push_back({node, &formula});
    });
  });
  return lengths;
}

}  // namespace conesweep::scenario
