#include <string>
#include <utility>
#include <vector>

#include "expression/parser.hpp"
#include "support/text.hpp"

namespace conesweep::expression {
namespace {

class Validator {
 public:
  Validator(const Names& names, const Allowed& allowed, std::vector<Fault>& faults)
      : names_(names), allowed_(allowed), faults_(faults) {}

  enum class Inside { nothing, delay, window, now, length };

  void visit(const Expr& expr, Inside inside) {
    const Node& node = *expr;
    if (node.op == Op::symbol) return check_symbol(node, inside);
    if (is_history(node.op)) return check_history(node, inside);
    for (const auto& arg : node.args) visit(arg, inside);
  }

 private:
  void check_symbol(const Node& node, Inside inside) {
    const std::string name = "'" + names_.name_of(node.symbol) + "'";
    const auto kind = node.symbol.kind;
    if (kind == Symbol::Kind::parameter || kind == Symbol::Kind::atom || kind == Symbol::Kind::end) return;
    if (inside == Inside::length)
      return report(node, name + " cannot be part of a delay or window length: only parameters can");
    if (inside == Inside::window || inside == Inside::now) {
      if (kind != Symbol::Kind::coordinate)
        report(node, name + " cannot be used inside a window: only coordinates and parameters can");
      return;
    }
    if (kind == Symbol::Kind::normal || kind == Symbol::Kind::slip) {
      if (inside == Inside::delay)
        return report(node, name + " cannot be used inside a delay: no step but the present one is known to it");
      if (!allowed_.laws)
        report(node, name + " cannot be used in " + allowed_.place + ": only observables and limits can use it");
      return;
    }
    const bool fine = kind == Symbol::Kind::time         ? allowed_.time
                      : kind == Symbol::Kind::coordinate ? allowed_.coordinates
                                                         : allowed_.velocities;
    if (!fine) report(node, name + " cannot be used in " + allowed_.place + ": " + usable());
  }

  void check_history(const Node& node, Inside inside) {
    const std::string name(op_name(node.op));
    if (inside == Inside::length)
      return report(node, name + " cannot be part of a delay or window length: only parameters can");
    if (node.op == Op::now) {
      if (inside == Inside::now) return report(node, "now(…) does not nest");
      if (inside != Inside::window && !allowed_.definition)
        return report(node, "now(…) has a meaning only inside a window, where names mean the past");
      return visit(node.args[0], Inside::now);
    }
    if (inside != Inside::nothing) return report(node, "delays and windows do not nest");
    if (!allowed_.history) return report(node, name + " cannot be used in " + allowed_.place + ": " + usable());
    visit(node.args[0], node.op == Op::delay ? Inside::delay : Inside::window);
    visit(node.args[1], Inside::length);
  }

  std::string usable() const {
    std::vector<std::string> words;
    if (allowed_.time) words.emplace_back("t");
    if (allowed_.coordinates) words.emplace_back("coordinates");
    if (allowed_.velocities) words.emplace_back("velocities");
    if (allowed_.outcomes) words.emplace_back("observables");
    if (allowed_.atom) words.emplace_back("j");
    if (allowed_.end) words.emplace_back("end");
    words.emplace_back("parameters");
    return "only " + join_words(words) + " can";
  }

  void report(const Node& node, std::string message) { faults_.push_back({node.span, std::move(message)}); }

  const Names& names_;
  const Allowed& allowed_;
  std::vector<Fault>& faults_;
};

}  // namespace

void validate(const Expr& expr, const Names& names, const Allowed& allowed, std::vector<Fault>& faults) {
  if (expr->condition != allowed.condition && !allowed.definition)
    faults.push_back(
        {expr->span,
         allowed.place + (allowed.condition ? " needs a condition such as x > 0, got a number"
                                            : " needs a number, got a condition; write if(condition, 1, 0)")});
  Validator(names, allowed, faults).visit(expr, Validator::Inside::nothing);
}

}  // namespace conesweep::expression
