#include "expression/tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "expression/states.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::expression {

Expr make_constant(double value, Span span) {
  Node node;
  node.value = value;
  node.span = span;
  return std::make_shared<const Node>(std::move(node));
}

Expr make_truth(bool value, Span span) {
  Node node;
  node.value = value ? 1 : 0;
  node.condition = true;
  node.span = span;
  return std::make_shared<const Node>(std::move(node));
}

Expr make_symbol(Symbol symbol, Span span) {
  Node node;
  node.op = Op::symbol;
  node.symbol = symbol;
  node.span = span;
  return std::make_shared<const Node>(std::move(node));
}

Expr make_node(Op op, std::vector<Expr> args, Span span) {
  Node node;
  node.op = op;
  node.condition = is_comparison(op) || op == Op::logical_and || op == Op::logical_or || op == Op::logical_not;
  for (const auto& arg : args) node.depth = std::max(node.depth, arg->depth + 1);
  node.args = std::move(args);
  node.span = span;
  return std::make_shared<const Node>(std::move(node));
}

const std::vector<Function>& functions() {
  constexpr int any = std::numeric_limits<int>::max();
  static const std::vector<Function> table = {
      {"abs", Op::abs, 1, 1},
      {"acos", Op::acos, 1, 1},
      {"asin", Op::asin, 1, 1},
      {"atan", Op::atan, 1, 1},
      {"ceil", Op::ceil, 1, 1},
      {"cos", Op::cos, 1, 1},
      {"cosh", Op::cosh, 1, 1},
      {"exp", Op::exp, 1, 1},
      {"floor", Op::floor, 1, 1},
      {"log", Op::log, 1, 1},
      {"log10", Op::log10, 1, 1},
      {"sign", Op::sign, 1, 1},
      {"sin", Op::sin, 1, 1},
      {"sinh", Op::sinh, 1, 1},
      {"sqrt", Op::sqrt, 1, 1},
      {"tan", Op::tan, 1, 1},
      {"tanh", Op::tanh, 1, 1},
      {"atan2", Op::atan2, 2, 2},
      {"hypot", Op::hypot, 2, 2},
      {"max", Op::max, 2, any},
      {"min", Op::min, 2, any},
      {"mod", Op::mod, 2, 2},
      {"pow", Op::power, 2, 2},
      {"if", Op::choose, 3, 3},
      {"delay", Op::delay, 2, 2},
      {"now", Op::now, 1, 1},
      {"window_max", Op::window_max, 2, 2},
      {"window_mean", Op::window_mean, 2, 2},
      {"window_min", Op::window_min, 2, 2},
  };
  return table;
}

std::string_view op_name(Op op) {
  switch (op) {
    case Op::constant: return "number";
    case Op::symbol: return "name";
    case Op::negate: return "-";
    case Op::add: return "+";
    case Op::subtract: return "-";
    case Op::multiply: return "*";
    case Op::divide: return "/";
    case Op::power: return "^";
    case Op::less: return "<";
    case Op::less_equal: return "<=";
    case Op::greater: return ">";
    case Op::greater_equal: return ">=";
    case Op::equal: return "==";
    case Op::not_equal: return "!=";
    case Op::logical_and: return "and";
    case Op::logical_or: return "or";
    case Op::logical_not: return "not";
    default: break;
  }
  for (const auto& function : functions())
    if (function.op == op) return function.name;
  throw InternalError("every operation has a name", __FILE__, __LINE__);
}

bool is_comparison(Op op) { return op >= Op::less && op <= Op::not_equal; }

bool is_history(Op op) { return op >= Op::delay; }

bool same_tree(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a->op != b->op || a->depth != b->depth || a->condition != b->condition || a->args.size() != b->args.size())
    return false;
  if (a->op == Op::constant) return a->value == b->value && std::signbit(a->value) == std::signbit(b->value);
  if (a->op == Op::symbol) return a->symbol == b->symbol;
  for (std::size_t i = 0; i < a->args.size(); ++i)
    if (!same_tree(a->args[i], b->args[i])) return false;
  return true;
}

std::size_t count_nodes(const Expr& expr) {
  std::size_t count = 0;
  for_each_node(expr, [&](const Expr&) { ++count; });
  return count;
}

Expr place_at(const Expr& expr, Span span) {
  Node node = *expr;
  node.span = span;
  for (Expr& arg : node.args) arg = place_at(arg, span);
  return std::make_shared<const Node>(std::move(node));
}

const Definition* Names::find_definition(std::string_view name) const {
  for (const auto* list : {&definitions, &computed})
    for (const Definition& definition : *list)
      if (definition.name == name) return &definition;
  return nullptr;
}

std::string Names::name_of(Symbol symbol) const {
  const auto index = static_cast<std::size_t>(symbol.index);
  if (const StateKind* kind = kind_of_state(symbol.kind))
    return std::string(kind->prefix) + (this->*kind->of).at(index);
  switch (symbol.kind) {
    case Symbol::Kind::time: return "t";
    case Symbol::Kind::coordinate:
    case Symbol::Kind::velocity: break;
    case Symbol::Kind::parameter: return parameters.at(index);
    case Symbol::Kind::normal: return "normal(" + laws.at(index) + ")";
    case Symbol::Kind::slip: return "slip(" + laws.at(index) + ")";
    case Symbol::Kind::atom: return "j";
    case Symbol::Kind::end: return "end";
  }
  throw InternalError("a symbol has one of its kinds", __FILE__, __LINE__);
}

namespace {

// Binding strength of the operators, as in the parser's grammar.
int strength(const Node& node) {
  switch (node.op) {
    case Op::logical_or: return 1;
    case Op::logical_and: return 2;
    case Op::logical_not: return 3;
    case Op::add:
    case Op::subtract: return 5;
    case Op::multiply:
    case Op::divide: return 6;
    case Op::negate: return 7;
    case Op::power: return 8;
    case Op::constant: return node.condition ? 4 : std::signbit(node.value) ? 7 : 9;
    default: return is_comparison(node.op) ? 4 : 9;
  }
}

// Appends to one text, so that a deep tree is written in time proportional to its size.
class Writer {
 public:
  explicit Writer(const Names& names) : names_(names) {}

  std::string text;

  void write(const Expr& expr) {
    const Node& node = *expr;
    const int own = strength(node);
    switch (node.op) {
      case Op::constant:
        text += node.condition ? node.value != 0 ? "0 == 0" : "0 != 0" : format_number(node.value);
        return;
      case Op::symbol: text += names_.name_of(node.symbol); return;
      case Op::negate: text += "-"; return write_operand(node.args[0], own);
      case Op::logical_not: text += "not "; return write_operand(node.args[0], own);
      case Op::power:  // binds to the right; its right side may carry a sign
        write_operand(node.args[0], own + 1);
        text += "^";
        return write_operand(node.args[1], own - 1);
      default: break;
    }
    if (own < 9) {  // a binary operator that binds to the left; comparisons do not chain
      write_operand(node.args[0], own == 4 ? own + 1 : own);
      text.append(" ").append(op_name(node.op)).append(" ");
      return write_operand(node.args[1], own + 1);
    }
    text.append(op_name(node.op)).append("(");
    write_arguments(node);
    text += ")";
  }

 private:
  void write_operand(const Expr& expr, int least) {
    if (strength(*expr) >= least) return write(expr);
    text += "(";
    write(expr);
    text += ")";
  }

  // pairs of min and max become one call again, which nests no deeper than the user's did
  void write_arguments(const Node& node) {
    const bool chain = (node.op == Op::min || node.op == Op::max) && node.args[0]->op == node.op;
    if (chain)
      write_arguments(*node.args[0]);
    else
      write(node.args[0]);
    for (std::size_t i = 1; i < node.args.size(); ++i) {
      text += ", ";
      write(node.args[i]);
    }
  }

  const Names& names_;
};

}  // namespace

std::string to_text(const Expr& expr, const Names& names) {
  Writer writer(names);
  writer.write(expr);
  return std::move(writer.text);
}

}  // namespace conesweep::expression
