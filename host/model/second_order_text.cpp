#include "model/second_order_text.hpp"

#include <algorithm>

#include "model/algebra.hpp"
#include "model/text.hpp"

namespace conesweep::model {
namespace {

using expression::Expr;
using expression::Node;
using expression::Op;
using expression::Symbol;
using scenario::Problem;

// (A14) positive or 0 where a single comparison holds, and how far it is from the other side; null: it is none
Expr find_margin(const Expr& condition) {
  switch (condition->op) {
    case Op::less:
    case Op::less_equal: return minus(condition->args[1], condition->args[0]);
    case Op::greater:
    case Op::greater_equal: return minus(condition->args[0], condition->args[1]);
    default: return nullptr;
  }
}

}  // namespace

std::string write_margins(Draft& draft) {
  if (draft.problem.order != 2) return {};
  std::vector<std::string> bodies;
  for (const auto& observable : draft.problem.observables) {
    const Expr margin = takes_condition(observable.reducer) ? find_margin(observable.formula.tree) : nullptr;
    bodies.push_back(margin == nullptr ? "      return Real(0);\n"
                                       : returned(draft.at_node(), draft.lowering.lower(margin), "Real"));
  }
  return choose_by_number_at_node("margin(const Node& n)", bodies);
}

namespace {

// does a formula use the velocities of now or of then?
bool uses_velocity(const scenario::Formula& formula) {
  return expression::any_node(
      formula.tree, [](const Node& n) { return n.op == Op::symbol && n.symbol.kind == Symbol::Kind::velocity; });
}

// of which entries is it true?
std::string number_test(std::string_view name, const std::vector<bool>& values) {
  std::string some;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k]) some += (some.empty() ? "" : " || ") + ("k == " + std::to_string(k));
  return "    static constexpr CS_HD bool " + std::string(name) + "([[maybe_unused]] int k) { return " +
         (some.empty() ? "false" : some) + "; }\n";
}

}  // namespace

std::string write_second(const Problem& problem) {
  if (problem.order != 2) return {};
  std::vector<bool> rubs, by_velocity, compares;
  for (const scenario::Contact& contact : problem.contacts) {
    rubs.push_back(contact.friction.has_value());
    by_velocity.push_back(contact.friction && uses_velocity(*contact.friction));
  }
  for (const auto& observable : problem.observables)
    compares.push_back(takes_condition(observable.reducer) && find_margin(observable.formula.tree) != nullptr);
  return "  struct Second {\n    static constexpr bool force_uses_velocity = " +
         std::string(std::any_of(problem.force.begin(), problem.force.end(), uses_velocity) ? "true" : "false") +
         ";\n" + number_test("rubs", rubs) + number_test("friction_uses_velocity", by_velocity) +
         number_test("compares", compares) + "  };\n\n";
}

}  // namespace conesweep::model
