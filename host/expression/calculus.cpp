#include "expression/calculus.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <unordered_map>

#include "support/error.hpp"

namespace conesweep::expression {
namespace {

bool is_constant(const Expr& e) { return e->op == Op::constant && !e->condition; }
bool is_value(const Expr& e, double value) { return is_constant(e) && e->value == value; }

// Exactly rounded operations on constants. Nothing where IEEE 754 leaves the last bit to the library.
std::optional<double> fold_number(Op op, const std::vector<Expr>& args) {
  const double a = args[0]->value;
  const double b = args.size() > 1 ? args[1]->value : 0;
  switch (op) {
    case Op::negate: return -a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::abs: return std::fabs(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::floor: return std::floor(a);
    case Op::ceil: return std::ceil(a);
    case Op::sign: return a > 0 ? 1.0 : a < 0 ? -1.0 : a;
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::power:
      if (b == 0) return 1.0;
      if (b == 1) return a;
      return std::nullopt;
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh: return a == 0 ? std::optional(a) : std::nullopt;
    case Op::cos:
    case Op::cosh:
    case Op::exp: return a == 0 ? std::optional(1.0) : std::nullopt;
    case Op::log:
    case Op::log10:
    case Op::acos: return a == 1 ? std::optional(0.0) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<bool> fold_comparison(Op op, double a, double b) {
  switch (op) {
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    default: return std::nullopt;
  }
}

Expr reduce(Op op, std::vector<Expr> args, Span span);

// Rules of one kind of node each, whose arguments are simple already: what it is in a simpler way; nothing where no
// rule applies.

Expr reduce_sum(Op op, const std::vector<Expr>& args, Span span) {
  const auto node = [&](Op what, std::vector<Expr> of) { return reduce(what, std::move(of), span); };
  if (op == Op::negate) {
    if (args[0]->op == Op::negate) return args[0]->args[0];
    if (args[0]->op == Op::subtract) return node(Op::subtract, {args[0]->args[1], args[0]->args[0]});
  } else if (op == Op::add) {
    if (is_value(args[0], 0)) return args[1];
    if (is_value(args[1], 0)) return args[0];
    if (args[1]->op == Op::negate) return node(Op::subtract, {args[0], args[1]->args[0]});
    if (args[0]->op == Op::negate) return node(Op::subtract, {args[1], args[0]->args[0]});
  } else {
    if (is_value(args[1], 0)) return args[0];
    if (is_value(args[0], 0)) return node(Op::negate, {args[1]});
    if (args[1]->op == Op::negate) return node(Op::add, {args[0], args[1]->args[0]});
    if (same_tree(args[0], args[1])) return make_constant(0, span);
  }
  return nullptr;
}

Expr reduce_product(const std::vector<Expr>& args, Span span) {
  const auto node = [&](Op what, std::vector<Expr> of) { return reduce(what, std::move(of), span); };
  for (int side = 0; side < 2; ++side) {
    const Expr& one = args[static_cast<std::size_t>(side)];
    const Expr& other = args[static_cast<std::size_t>(1 - side)];
    if (is_value(one, 0)) return make_constant(0, span);
    if (is_value(one, 1)) return other;
    if (is_value(one, -1)) return node(Op::negate, {other});
    if (one->op == Op::negate)
      return node(Op::negate, {node(Op::multiply,
                                    side == 0 ? std::vector{one->args[0], other} : std::vector{other, one->args[0]})});
  }
  return nullptr;
}

Expr reduce_quotient(const std::vector<Expr>& args, Span span) {
  const auto node = [&](Op what, std::vector<Expr> of) { return reduce(what, std::move(of), span); };
  if (is_value(args[0], 0) && !is_value(args[1], 0)) return make_constant(0, span);
  if (is_value(args[1], 1)) return args[0];
  if (is_value(args[1], -1)) return node(Op::negate, {args[0]});
  if (args[0]->op == Op::negate) return node(Op::negate, {node(Op::divide, {args[0]->args[0], args[1]})});
  if (args[1]->op == Op::negate) return node(Op::negate, {node(Op::divide, {args[0], args[1]->args[0]})});
  return nullptr;
}

Expr reduce_power(const std::vector<Expr>& args, Span span) {
  if (is_value(args[1], 0)) return make_constant(1, span);
  if (is_value(args[1], 1)) return args[0];
  if (is_value(args[0], 1)) return args[0];
  return nullptr;
}

Expr reduce_abs(const std::vector<Expr>& args, Span span) {
  if (args[0]->op == Op::abs || args[0]->op == Op::sqrt || args[0]->op == Op::hypot || args[0]->op == Op::exp ||
      args[0]->op == Op::cosh)
    return args[0];
  if (args[0]->op == Op::negate) return reduce(Op::abs, {args[0]->args[0]}, span);
  return nullptr;
}

Expr reduce_logical(Op op, const std::vector<Expr>& args, Span span) {
  if (op == Op::logical_not) {
    if (args[0]->op == Op::constant) return make_truth(args[0]->value == 0, span);
    if (args[0]->op == Op::logical_not) return args[0]->args[0];
    return nullptr;
  }
  for (int side = 0; side < 2; ++side) {
    const Expr& one = args[static_cast<std::size_t>(side)];
    const Expr& other = args[static_cast<std::size_t>(1 - side)];
    if (one->op == Op::constant)
      return (one->value != 0) == (op == Op::logical_and) ? other : make_truth(op == Op::logical_or, span);
  }
  return nullptr;
}

Expr find_simpler(Op op, const std::vector<Expr>& args, Span span) {
  switch (op) {
    case Op::negate:
    case Op::add:
    case Op::subtract: return reduce_sum(op, args, span);
    case Op::multiply: return reduce_product(args, span);
    case Op::divide: return reduce_quotient(args, span);
    case Op::power: return reduce_power(args, span);
    case Op::abs: return reduce_abs(args, span);
    case Op::min:
    case Op::max: return same_tree(args[0], args[1]) ? args[0] : nullptr;
    case Op::choose:
      if (args[0]->op == Op::constant) return args[0]->value != 0 ? args[1] : args[2];
      return same_tree(args[1], args[2]) ? args[1] : nullptr;
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_or: return reduce_logical(op, args, span);
    default: return nullptr;
  }
}

// One node whose arguments are simple already.
Expr reduce(Op op, std::vector<Expr> args, Span span) {
  bool all_constant = !args.empty();
  for (const auto& arg : args) all_constant = all_constant && is_constant(arg);

  if (all_constant && !is_history(op)) {
    if (is_comparison(op)) return make_truth(*fold_comparison(op, args[0]->value, args[1]->value), span);
    // a result that is not finite stays visible as the operation that made it
    if (const auto value = fold_number(op, args); value && std::isfinite(*value)) return make_constant(*value, span);
  }

  if (Expr simpler = find_simpler(op, args, span)) return simpler;
  return make_node(op, std::move(args), span);
}

class Simplifier {
 public:
  Expr visit(const Expr& expr) {
    if (expr->args.empty()) return expr;
    const auto known = done_.find(expr.get());
    if (known != done_.end()) return known->second;
    std::vector<Expr> args;
    args.reserve(expr->args.size());
    for (const auto& arg : expr->args) args.push_back(visit(arg));
    return done_[expr.get()] = reduce(expr->op, std::move(args), expr->span);
  }

 private:
  std::unordered_map<const Node*, Expr> done_;
};

// Builds derivatives from reduced nodes, so that no 0*x ever comes into being.
class Differentiator {
 public:
  explicit Differentiator(Symbol symbol) : symbol_(symbol) {}

  Expr visit(const Expr& expr) {
    if (expr->op == Op::constant) return number(0);
    if (expr->op == Op::symbol) return number(expr->symbol == symbol_ ? 1 : 0);
    if (is_history(expr->op)) return number(0);
    const auto known = done_.find(expr.get());
    if (known != done_.end()) return known->second;
    return done_[expr.get()] = derive(*expr, expr);
  }

 private:
  Expr derive(const Node& node, const Expr& self) {
    const Expr& a = node.args[0];
    if (node.op == Op::choose) return make(Op::choose, a, visit(node.args[1]), visit(node.args[2]));
    const Expr da = visit(a);
    if (node.args.size() == 1) return derive_unary(node.op, self, a, da);
    return derive_binary(self, da, visit(node.args[1]));
  }

  Expr derive_unary(Op op, const Expr& self, const Expr& a, const Expr& da) {
    switch (op) {
      case Op::negate: return make(Op::negate, da);
      case Op::abs: return times(make(Op::sign, a), da);
      // 1 - a² as a product: near |a| = 1 the difference of squares would have lost its digits
      case Op::acos: return make(Op::negate, over(da, make(Op::sqrt, times(minus(number(1), a), plus(number(1), a)))));
      case Op::asin: return over(da, make(Op::sqrt, times(minus(number(1), a), plus(number(1), a))));
      case Op::atan: return over(da, plus(number(1), times(a, a)));
      case Op::cos: return make(Op::negate, times(make(Op::sin, a), da));
      case Op::cosh: return times(make(Op::sinh, a), da);
      case Op::exp: return times(self, da);
      case Op::log: return over(da, a);
      case Op::log10: return over(da, times(number(std::numbers::ln10), a));
      case Op::sin: return times(make(Op::cos, a), da);
      case Op::sinh: return times(make(Op::cosh, a), da);
      case Op::sqrt: return over(da, times(number(2), self));
      case Op::tan: return times(plus(number(1), times(self, self)), da);
      // not 1 - tanh², which is 0 from |a| = 19 on
      case Op::tanh: {
        const Expr stretch = make(Op::cosh, a);
        return over(da, times(stretch, stretch));
      }
      case Op::ceil:
      case Op::floor:
      case Op::sign: return number(0);
      default: throw InternalError("every function of one number has a derivative", __FILE__, __LINE__);
    }
  }

  Expr derive_binary(const Expr& self, const Expr& da, const Expr& db) {
    const Expr &a = self->args[0], &b = self->args[1];
    switch (self->op) {
      case Op::add: return plus(da, db);
      case Op::subtract: return minus(da, db);
      case Op::multiply: return plus(times(da, b), times(a, db));
      case Op::divide: return over(minus(da, times(self, db)), b);
      case Op::power: {
        // the two halves of d(a^b); log(a) appears only where the exponent really varies
        const Expr base = is_value(da, 0) ? number(0) : times(times(b, make(Op::power, a, minus(b, number(1)))), da);
        const Expr exponent = is_value(db, 0) ? number(0) : times(times(self, make(Op::log, a)), db);
        return plus(base, exponent);
      }
      case Op::atan2: return over(minus(times(b, da), times(a, db)), plus(times(a, a), times(b, b)));
      case Op::hypot: return over(plus(times(a, da), times(b, db)), self);
      case Op::max: return make(Op::choose, make(Op::greater, a, b), da, db);
      case Op::min: return make(Op::choose, make(Op::less, a, b), da, db);
      case Op::mod: return minus(da, times(make(Op::floor, over(a, b)), db));
      default: throw InternalError("every function of two numbers has a derivative", __FILE__, __LINE__);
    }
  }

  template <class... Args>
  static Expr make(Op op, const Args&... args) {
    return reduce(op, {args...}, {});
  }
  static Expr number(double value) { return make_constant(value); }
  static Expr plus(const Expr& a, const Expr& b) { return make(Op::add, a, b); }
  static Expr minus(const Expr& a, const Expr& b) { return make(Op::subtract, a, b); }
  static Expr times(const Expr& a, const Expr& b) { return make(Op::multiply, a, b); }
  static Expr over(const Expr& a, const Expr& b) { return make(Op::divide, a, b); }

  Symbol symbol_;
  std::unordered_map<const Node*, Expr> done_;
};

}  // namespace

Expr simplify(const Expr& expr) { return Simplifier().visit(expr); }

Expr differentiate(const Expr& expr, Symbol symbol) { return Differentiator(symbol).visit(simplify(expr)); }

}  // namespace conesweep::expression
