#include "model/lowering.hpp"

#include <algorithm>

#include "model/formula.hpp"
#include "model/rewrite.hpp"
#include "support/error.hpp"

namespace conesweep::model {

using expression::Expr;
using expression::Op;
using expression::Symbol;

namespace {

std::string at(int index) { return "[" + std::to_string(index) + "]"; }

}  // namespace

Expr Locals::leaf(const std::string& name) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  const int index = dimension_ + static_cast<int>(found - names_.begin());
  if (found == names_.end()) names_.push_back(name);
  return expression::make_symbol({Symbol::Kind::coordinate, index});
}

std::vector<Expr> Locals::vector(const std::string& name) {
  std::vector<Expr> all;
  for (int c = 0; c < dimension_; ++c) all.push_back(leaf(name + at(c)));
  return all;
}

Leaves Locals::names(const std::string& prefix, const std::string& constants) const {
  const auto name = [this, prefix](Symbol s) -> std::string {
    switch (s.kind) {
      case Symbol::Kind::time: return prefix + "t";
      case Symbol::Kind::coordinate:
        return s.index < dimension_ ? prefix + "q" + at(s.index)
                                    : names_[static_cast<std::size_t>(s.index - dimension_)];
      case Symbol::Kind::velocity: return prefix + "v" + at(s.index);
      case Symbol::Kind::normal: return "n.normal(" + std::to_string(s.index) + ")";
      case Symbol::Kind::slip: return "n.slip(" + std::to_string(s.index) + ")";
      case Symbol::Kind::atom: return "j";
      case Symbol::Kind::end: return "end";
      case Symbol::Kind::parameter: break;
    }
    throw InternalError("parameters have places of their own", __FILE__, __LINE__);
  };
  return {name, constants};
}

Expr Lowering::lower(const Expr& formula) {
  return rewrite(prepared(formula), [&](const Expr& expr) -> Expr {
    if (expr->op == Op::delay) return lower_delayed(expr->args[0], history_.lag_of(expr->args[1]));
    if (expression::is_history(expr->op)) return locals_.leaf("n.window" + at(history_.window_of(expr)));
    return nullptr;
  });
}

Expr Lowering::lower_delayed(const Expr& inside, int lag) {
  return rewrite(inside, [&](const Expr& expr) -> Expr {
    if (expr->op != Op::symbol) return nullptr;
    switch (expr->symbol.kind) {
      case Symbol::Kind::time: return locals_.leaf("n.past_t" + at(lag));
      case Symbol::Kind::coordinate: return locals_.leaf("n.past_q" + at(lag) + at(history_.column_of(expr->symbol)));
      case Symbol::Kind::velocity: return locals_.leaf("n.past_v" + at(lag) + at(history_.column_of(expr->symbol)));
      default: return nullptr;  // laws have no past
    }
  });
}

Expr Lowering::lower_in_window(const Expr& inside) {
  return rewrite(inside, [&](const Expr& expr) -> Expr {
    if (expr->op == Op::now) return expr->args[0];
    if (expr->op == Op::symbol && expr->symbol.kind == Symbol::Kind::coordinate)
      return locals_.leaf("q_then" + at(history_.column_of(expr->symbol)));
    return nullptr;
  });
}

}  // namespace conesweep::model
