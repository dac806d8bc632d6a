#include "model/emitter.hpp"

#include <algorithm>
#include <cmath>

#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::model {

using expression::Expr;
using expression::Node;
using expression::Op;
using expression::Symbol;

std::string real_literal(double value) {
  CS_ASSERT(std::isfinite(value));
  return "Real(Scalar(" + format_bits(value) + "))";
}

bool is_of_parameters(const Expr& expr) {
  return !expression::any_node(expr, [](const Node& n) {
    return expression::is_history(n.op) || (n.op == Op::symbol && n.symbol.kind != Symbol::Kind::parameter);
  });
}

namespace {

bool is_whole_power(const Node& exponent, int& n) {
  constexpr double largest = 8;  // beyond, products lose more than pow
  if (exponent.op != Op::constant || exponent.value != std::floor(exponent.value) ||
      std::fabs(exponent.value) > largest)
    return false;
  n = static_cast<int>(exponent.value);
  return true;
}

}  // namespace

int Numbering::number_of(const Expr& expr) {
  const auto known = known_.find(expr.get());
  if (known != known_.end()) return known->second;
  std::string key = std::to_string(static_cast<int>(expr->op));
  if (expr->op == Op::constant) key += (expr->condition ? " 1 " : " 0 ") + format_bits(expr->value);
  if (expr->op == Op::symbol)
    key += " " + std::to_string(static_cast<int>(expr->symbol.kind)) + " " + std::to_string(expr->symbol.index);
  for (const auto& arg : expr->args) key += " " + std::to_string(number_of(arg));
  alive_.push_back(expr);
  return known_[expr.get()] = numbers_.emplace(key, static_cast<int>(numbers_.size())).first->second;
}

int Constants::place_of(const Expr& expr, const std::string& wrapper) {
  const auto [found, fresh] =
      places_.emplace(std::pair(numbering_.number_of(expr), wrapper), static_cast<int>(entries_.size()));
  if (fresh) entries_.push_back({expr, wrapper});
  return found->second;
}

Emitter::Emitter(Constants& constants, Leaves leaves, std::string indent)
    : constants_(constants), leaves_(std::move(leaves)), indent_(std::move(indent)) {}

void Emitter::assign(const std::string& target, const Expr& expr) { assign({{target, expr}}); }

void Emitter::assign(const std::vector<Assignment>& list) {
  std::vector<int> roots;
  for (const auto& [target, expr, keeps, then] : list) {
    alive_.push_back(expr);
    roots.push_back(number(alive_.back()));
    ++values_[static_cast<std::size_t>(roots.back())].uses;
    mark_sums(expr);
    if (keeps) keep_equalities(expr);
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::string value = place(roots[k]);
    text_ += indent_ + list[k].target + " = " + value + ";\n";
    if (!list[k].then.empty()) text_ += indent_ + list[k].then + "\n";
  }
}

bool Emitter::of_parameters(const Expr& expr) {
  if (expr->op == Op::constant) return true;
  if (expr->op == Op::symbol) return expr->symbol.kind == Symbol::Kind::parameter;
  if (expression::is_history(expr->op)) return false;
  const auto known = of_parameters_.find(expr.get());
  if (known != of_parameters_.end()) return known->second;
  bool all = true;
  for (const auto& arg : expr->args) all = of_parameters(arg) && all;
  return of_parameters_[expr.get()] = all;
}

// The value's number: equal subexpressions have the same.
int Emitter::number(const Expr& expr) {
  const auto known = known_.find(expr.get());
  if (known != known_.end()) return known->second;
  const Node& node = *expr;
  Value value{node.op, {}, {}, 0, {}, expr.get()};
  std::string key;
  if (node.op == Op::constant) {
    value.leaf =
        node.condition ? (node.value != 0 ? "(Real(0) == Real(0))" : "(Real(0) != Real(0))") : real_literal(node.value);
    key = value.leaf;
  } else if (!leaves_.constants.empty() && !node.condition && of_parameters(expr)) {
    value.op = Op::symbol;
    value.leaf = leaves_.constants + "[" + std::to_string(constants_.place_of(expr)) + "]";
    key = value.leaf;
  } else if (node.op == Op::symbol) {
    value.leaf = node.symbol.kind == Symbol::Kind::parameter ? "parameters[" + std::to_string(node.symbol.index) + "]"
                                                             : leaves_.name(node.symbol);
    key = value.leaf;
  } else {
    CS_ASSERT(!expression::is_history(node.op));
    key = std::to_string(static_cast<int>(node.op));
    for (const auto& arg : node.args) {
      value.args.push_back(number(arg));
      key += " " + std::to_string(value.args.back());
    }
  }
  return known_[expr.get()] = add_value(std::move(value), key);
}

namespace {

bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }

// What passes on one of its arguments' values, and so a product's: the arguments from `first` on.
bool passes_on(Op op, std::size_t& first) {
  first = op == Op::choose ? 1 : 0;
  return op == Op::negate || op == Op::abs || op == Op::min || op == Op::max || op == Op::choose;
}

bool is_product(const Node& node) {
  return node.op == Op::multiply || node.op == Op::divide || node.op == Op::power ||
         (node.op == Op::constant && node.from_product);
}

}  // namespace

// Sums with two products or more, wherever they stand: a part of one is seen from the whole, so the whole is looked at
// first.
void Emitter::mark_sums(const Expr& expr) {
  if (!marked_.insert(expr.get()).second) return;
  const bool whole = is_sum(expr->op) || expression::is_comparison(expr->op);
  if (whole && count_products(expr) > 1) keep_equalities(expr);
  for (const auto& arg : expr->args) mark_sums(arg);
}

// The terms of a sum that are products; of anything else, whether it is one. 2 stands for all larger numbers.
int Emitter::count_products(const Expr& expr) {
  if (is_product(*expr)) return 1;
  std::size_t first = 0;
  const bool sum = is_sum(expr->op) || expression::is_comparison(expr->op);
  if (!sum && !passes_on(expr->op, first)) return 0;
  const auto known = products_.find(expr.get());
  if (known != products_.end()) return known->second;
  int count = 0;
  for (std::size_t k = first; k < expr->args.size(); ++k) {
    const int here = count_products(expr->args[k]);
    count = sum ? std::min(2, count + here) : std::max(count, here);  // of alternatives one is taken
  }
  return products_[expr.get()] = count;
}

void Emitter::keep_equalities(const Expr& expr) {
  std::size_t first = 0;
  const bool sum = is_sum(expr->op);
  if ((!sum && !expression::is_comparison(expr->op) && !passes_on(expr->op, first)) || !kept_.insert(expr.get()).second)
    return;
  if (!leaves_.constants.empty() && !expr->condition && of_parameters(expr)) return constants_.keep_equalities(expr);
  if (sum) values_[static_cast<std::size_t>(number(expr))].keeps_equalities = true;
  for (std::size_t k = first; k < expr->args.size(); ++k) keep_equalities(expr->args[k]);
}

int Emitter::add_value(Value value, const std::string& key) {
  const auto [found, fresh] = numbers_.emplace(key, static_cast<int>(values_.size()));
  if (!fresh) return found->second;
  for (const int arg : value.args) ++values_[static_cast<std::size_t>(arg)].uses;
  if (!value.leaf.empty()) value.name = value.leaf;
  values_.push_back(std::move(value));
  return found->second;
}

// The name of a value, computed now if it was not before.
std::string Emitter::place(int id) {
  const auto at = static_cast<std::size_t>(id);
  if (!values_[at].name.empty()) return values_[at].name;
  const std::string text = compute(values_[at]);
  values_[at].name = "e" + std::to_string(id);
  text_ += indent_ + "const auto e" + std::to_string(id) + " = " + text + ";\n";
  return values_[at].name;
}

bool Emitter::is_lone_product(int id) const {
  const Value& value = values_[static_cast<std::size_t>(id)];
  return value.op == Op::multiply && value.uses == 1 && value.name.empty() && value.leaf.empty();
}

// ± product + other in one rounding
std::string Emitter::product(int id, bool negative, int other, bool other_negative) {
  const Value value = values_[static_cast<std::size_t>(id)];
  const std::string a = place(value.args[0]), b = place(value.args[1]), c = place(other);
  return "fma(" + std::string(negative ? "-" : "") + a + ", " + b + ", " + (other_negative ? "-" : "") + c + ")";
}

std::string Emitter::compute(const Value& value_now) {
  const Value value = value_now;  // `values_` may move while arguments are placed
  const auto arg = [&](std::size_t k) { return place(value.args[k]); };
  const auto infix = [&](const char* sign) {
    const std::string a = arg(0), b = arg(1);
    return a + " " + sign + " " + b;
  };
  switch (value.op) {
    case Op::negate: return "-" + arg(0);
    case Op::add:
      if (value.keeps_equalities) return infix("+");
      if (is_lone_product(value.args[0])) return product(value.args[0], false, value.args[1], false);
      if (is_lone_product(value.args[1])) return product(value.args[1], false, value.args[0], false);
      return infix("+");
    case Op::subtract:
      if (value.keeps_equalities) return infix("-");
      if (is_lone_product(value.args[0])) return product(value.args[0], false, value.args[1], true);
      if (is_lone_product(value.args[1])) return product(value.args[1], true, value.args[0], false);
      return infix("-");
    case Op::multiply: return infix("*");
    case Op::divide: return infix("/");
    case Op::power: {
      int n = 0;
      const Node& exponent = *value.node->args[1];
      if (is_whole_power(exponent, n)) return "pow_int<" + std::to_string(n) + ">(" + arg(0) + ")";
      if (exponent.op == Op::constant && exponent.value == 0.5) return "sqrt(" + arg(0) + ")";
      const std::string a = arg(0), b = arg(1);
      return "pow(" + a + ", " + b + ")";
    }
    case Op::less: return infix("<");
    case Op::less_equal: return infix("<=");
    case Op::greater: return infix(">");
    case Op::greater_equal: return infix(">=");
    case Op::equal: return infix("==");
    case Op::not_equal: return infix("!=");
    case Op::logical_and: return infix("&&");
    case Op::logical_or: return infix("||");
    case Op::logical_not: return "!" + arg(0);
    case Op::choose: {
      const std::string condition = arg(0), a = arg(1), b = arg(2);
      return "select(" + condition + ", " + a + ", " + b + ")";
    }
    default: break;
  }
  // functions have the names users call them by; max and min take the first where the arguments are equal, as `a > b ?
  // a : b` does
  std::vector<std::string> args;
  for (std::size_t k = 0; k < value.args.size(); ++k) args.push_back(arg(k));
  if (value.op == Op::max) return "select(" + args[0] + " > " + args[1] + ", " + args[0] + ", " + args[1] + ")";
  if (value.op == Op::min) return "select(" + args[0] + " < " + args[1] + ", " + args[0] + ", " + args[1] + ")";
  // atan2 tells -0 from 0, and no formula may: adding 0 makes both 0
  if (value.op == Op::atan2) return "atan2(" + args[0] + " + Real(0), " + args[1] + " + Real(0))";
  std::string text = std::string(expression::op_name(value.op)) + "(";
  for (std::size_t k = 0; k < args.size(); ++k) text += (k > 0 ? ", " : "") + args[k];
  return text + ")";
}

}  // namespace conesweep::model
