#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "expression/tree.hpp"

namespace conesweep::model {

/// A tree with some nodes replaced: replace(node) gives what stands in a node's place, or nothing. Shared parts are
/// visited once.
template <class Replace>
class Rewriting {
 public:
  explicit Rewriting(const Replace& replace) : replace_(replace) {}

  expression::Expr visit(const expression::Expr& expr) {
    if (expression::Expr other = replace_(expr)) return other;
    if (expr->args.empty()) return expr;
    const auto known = done_.find(expr.get());
    if (known != done_.end()) return known->second;
    std::vector<expression::Expr> args;
    for (const auto& arg : expr->args) args.push_back(visit(arg));
    return done_[expr.get()] = make_node(expr->op, std::move(args));
  }

 private:
  const Replace& replace_;
  std::unordered_map<const expression::Node*, expression::Expr> done_;
};

template <class Replace>
expression::Expr rewrite(const expression::Expr& expr, const Replace& replace) {
  return Rewriting<Replace>(replace).visit(expr);
}

}  // namespace conesweep::model
