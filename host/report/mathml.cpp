#include "report/mathml.hpp"

#include <cmath>

#include "report/names.hpp"
#include "support/markup.hpp"
#include "support/text.hpp"

namespace conesweep::report {
namespace {

using expression::Expr;
using expression::Names;
using expression::Node;
using expression::Op;
using expression::Symbol;

std::string identifier(const std::string& text) {
  // one letter is set in italics, a word upright
  const bool word = display_width(text) > 1;
  return std::string(word ? "<mi mathvariant=\"normal\">" : "<mi>") + escape(text) + "</mi>";
}

std::string number(double value) {
  if (std::isinf(value)) return value > 0 ? "<mi>∞</mi>" : "<mrow><mo>−</mo><mi>∞</mi></mrow>";
  std::string text = format_number(std::fabs(value));
  std::string out;
  if (const std::size_t e = text.find('e'); e != text.npos) {
    std::string power = text.substr(e + 1);
    if (power.starts_with("+")) power.erase(0, 1);
    const bool negative = power.starts_with("-");
    const std::string digits = std::to_string(std::abs(std::stoi(power)));
    const std::string raised =
        "<msup><mn>10</mn>" +
        (negative ? "<mrow><mo>−</mo><mn>" + digits + "</mn></mrow>" : "<mn>" + digits + "</mn>") + "</msup>";
    out = text.substr(0, e) == "1" ? raised : "<mrow><mn>" + text.substr(0, e) + "</mn><mo>·</mo>" + raised + "</mrow>";
  } else {
    out = "<mn>" + text + "</mn>";
  }
  return std::signbit(value) && value != 0 ? "<mrow><mo>−</mo>" + out + "</mrow>" : out;
}

std::string fenced(const std::string& inside, const char* left = "(", const char* right = ")") {
  return std::string("<mrow><mo form=\"prefix\">") + left + "</mo>" + inside + "<mo form=\"postfix\">" + right +
         "</mo></mrow>";
}

// How strongly an operator binds as it is typeset; fractions, roots and functions are one thing.
int strength(const Node& node) {
  switch (node.op) {
    case Op::logical_or: return 1;
    case Op::logical_and: return 2;
    case Op::logical_not: return 3;
    case Op::add:
    case Op::subtract:
    case Op::negate: return 5;
    case Op::multiply: {
      const Node* first = &node;
      while (first->op == Op::multiply) first = first->args[0].get();
      return first->op == Op::negate ? 5 : 6;
    }
    case Op::constant: return !node.condition && std::signbit(node.value) ? 5 : 9;
    case Op::power: return 8;
    default: return expression::is_comparison(node.op) ? 4 : 9;
  }
}

class Typesetter {
 public:
  explicit Typesetter(const Names& names) : names_(names) {}

  std::string set(const Expr& expr) const {
    const Node& node = *expr;
    switch (node.op) {
      case Op::constant:
        return node.condition ? "<mtext>" + std::string(node.value != 0 ? "true" : "false") + "</mtext>"
                              : number(node.value);
      case Op::symbol: return symbol(node.symbol);
      case Op::negate: return math_row(math_operator("−") + operand(node.args[0], 6));
      case Op::add: return binary(node, "+", 5, 5);
      case Op::subtract: return binary(node, "−", 5, 6);
      case Op::multiply:
        if (const Expr positive = without_sign(expr); positive != expr)
          return math_row(math_operator("−") + set(positive));
        return product(node);
      case Op::divide: return "<mfrac>" + set(node.args[0]) + set(node.args[1]) + "</mfrac>";
      case Op::power: return "<msup>" + base(node.args[0]) + set(node.args[1]) + "</msup>";
      case Op::less: return binary(node, "&lt;", 5, 5);
      case Op::less_equal: return binary(node, "≤", 5, 5);
      case Op::greater: return binary(node, "&gt;", 5, 5);
      case Op::greater_equal: return binary(node, "≥", 5, 5);
      case Op::equal: return binary(node, "=", 5, 5);
      case Op::not_equal: return binary(node, "≠", 5, 5);
      case Op::logical_and: return binary(node, "∧", 2, 3);
      case Op::logical_or: return binary(node, "∨", 1, 2);
      case Op::logical_not: return math_row(math_operator("¬") + operand(node.args[0], 4));
      case Op::choose: return cases(node);
      case Op::abs: return fenced(set(node.args[0]), "|", "|");
      case Op::floor: return fenced(set(node.args[0]), "⌊", "⌋");
      case Op::ceil: return fenced(set(node.args[0]), "⌈", "⌉");
      case Op::sqrt: return "<msqrt>" + set(node.args[0]) + "</msqrt>";
      case Op::exp: return "<msup><mi>e</mi>" + set(node.args[0]) + "</msup>";
      case Op::delay: return delayed(node);
      case Op::now: return "<mrow>" + base(node.args[0]) + fenced("<mi>t</mi>") + "</mrow>";
      case Op::window_max: return window(node, "max");
      case Op::window_min: return window(node, "min");
      case Op::window_mean: return window(node, "mean");
      default: return call(node);
    }
  }

 private:
  std::string symbol(Symbol s) const {
    const auto index = static_cast<std::size_t>(s.index);
    if (s.kind == Symbol::Kind::velocity) return math_velocity(names_.coordinates[index]);
    if (s.kind == Symbol::Kind::end) return "<mi>T</mi>";
    if (s.kind == Symbol::Kind::normal)
      return "<msub><mi>r</mi><mtext>" + escape(names_.laws[index]) + "</mtext></msub>";
    if (s.kind == Symbol::Kind::slip)
      return fenced("<msub><mi>u</mi><mtext>" + escape(names_.laws[index]) + "</mtext></msub>", "|", "|");
    return math_name(names_.name_of(s));
  }

  std::string operand(const Expr& expr, int least) const {
    return strength(*expr) >= least ? set(expr) : fenced(set(expr));
  }

  std::string binary(const Node& node, const char* sign, int left, int right) const {
    return math_row(operand(node.args[0], left) + math_operator(sign) + operand(node.args[1], right));
  }

  // what is raised to a power stands by itself
  std::string base(const Expr& expr) const {
    const bool plain =
        expr->op == Op::symbol || (expr->op == Op::constant && !std::signbit(expr->value)) || expr->op == Op::abs;
    return plain ? set(expr) : fenced(set(expr));
  }

  // A product whose first factor has a sign: the same without it; else the product itself.
  static Expr without_sign(const Expr& expr) {
    if (expr->op == Op::negate) return expr->args[0];
    if (expr->op != Op::multiply) return expr;
    const Expr first = without_sign(expr->args[0]);
    return first == expr->args[0] ? expr : expression::make_node(Op::multiply, {first, expr->args[1]});
  }

  // Factors stand side by side; a dot keeps a number, or a word, apart from what is before it.
  std::string product(const Node& node) const {
    const Expr& right = node.args[1];
    const Node* first = right.get();
    while (first->op == Op::multiply || first->op == Op::power) first = first->args[0].get();
    const bool dot = first->op == Op::constant || (first->op == Op::divide && last_of(node.args[0])->op == Op::divide);
    return math_row(operand(node.args[0], 6) + (dot ? math_operator("·") : "<mspace width=\"0.17em\"/>") +
                    operand(right, 7));
  }
  static const Node* last_of(const Expr& expr) {
    const Node* last = expr.get();
    while (last->op == Op::multiply) last = last->args[1].get();
    return last;
  }

  std::string cases(const Node& node) const {
    const std::string rows = "<mtr><mtd>" + set(node.args[1]) + "</mtd><mtd><mtext>if </mtext>" + set(node.args[0]) +
                             "</mtd></mtr><mtr><mtd>" + set(node.args[2]) +
                             "</mtd><mtd><mtext>else</mtext></mtd></mtr>";
    return "<mrow><mo>{</mo><mtable columnalign=\"left\">" + rows + "</mtable></mrow>";
  }

  std::string delayed(const Node& node) const {
    const std::string then = math_row("<mi>t</mi>" + math_operator("−") + operand(node.args[1], 6));
    if (node.args[0]->op == Op::symbol) return math_row(set(node.args[0]) + fenced(then));
    return "<msub>" + fenced(set(node.args[0]), "[", "]") + then + "</msub>";
  }

  std::string window(const Node& node, const char* which) const {
    const std::string from = math_row("<mi>t</mi>" + math_operator("−") + operand(node.args[1], 6));
    return math_row("<munder><mo>" + std::string(which) + "</mo><mrow><mi>s</mi><mo>∈</mo><mo>[</mo>" + from +
                    "<mo>,</mo><mi>t</mi><mo>]</mo></mrow></munder>" + fenced(set(node.args[0])));
  }

  std::string call(const Node& node) const {
    static const std::pair<const char*, const char*> words[] = {
        {"log", "ln"}, {"asin", "arcsin"}, {"acos", "arccos"}, {"atan", "arctan"}, {"sign", "sgn"}};
    std::string word(expression::op_name(node.op));
    for (const auto& [ours, usual] : words)
      if (word == ours) word = usual;
    std::string arguments;
    for (const Expr& arg : node.args) arguments += (arguments.empty() ? "" : "<mo>,</mo>") + set(arg);
    return math_row("<mi mathvariant=\"normal\">" + word + "</mi><mo>&#x2061;</mo>" + fenced(arguments));
  }

  const Names& names_;
};

std::string dotted(const std::string& coordinate, const char* dots) {
  return "<mover>" + math_name(coordinate) + "<mo>" + dots + "</mo></mover>";
}

}  // namespace

std::string to_math(const Expr& expr, const Names& names) { return Typesetter(names).set(expr); }

std::string math_name(const std::string& name) {
  const std::size_t line = name.find('_'), digits = name.find_last_not_of("0123456789") + 1;
  const std::size_t cut = line != name.npos && line > 0 ? line : digits;
  std::string stem = name.substr(0, cut), low = name.substr(std::min(name.size(), cut + (cut == line ? 1 : 0)));
  // a word with a number behind it is one word
  if (cut == digits && stem.size() > 1 && greek(stem).empty()) stem = name, low.clear();
  const std::string letter = greek(stem).empty() ? stem : greek(stem);
  if (low.empty()) return identifier(letter);
  const bool all_digits = low.find_first_not_of("0123456789") == low.npos;
  return "<msub>" + identifier(letter) +
         (all_digits ? "<mn>" + low + "</mn>" : identifier(greek(low).empty() ? low : greek(low))) + "</msub>";
}

std::string math_velocity(const std::string& coordinate) { return dotted(coordinate, "˙"); }
std::string math_acceleration(const std::string& coordinate) { return dotted(coordinate, "¨"); }
std::string math_operator(const std::string& sign) { return "<mo>" + sign + "</mo>"; }
std::string math_row(const std::string& parts) { return "<mrow>" + parts + "</mrow>"; }
std::string display_math(const std::string& parts) { return "<math display=\"block\">" + parts + "</math>"; }
std::string inline_math(const std::string& parts) { return "<math>" + parts + "</math>"; }

}  // namespace conesweep::report
