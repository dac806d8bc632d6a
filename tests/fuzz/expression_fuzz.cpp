// No text crashes the expression language, and every text it takes means the same however it is turned.
#include "expression/calculus.hpp"
#include "expression/parser.hpp"
#include "fuzz.hpp"

#include <cmath>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "../expression/random_expression.hpp"
#include "../expression/scalars.hpp"

namespace conesweep::fuzz {

using namespace conesweep::expression;

namespace {
const Names names{{"x", "y"}, {"alpha", "tau", "k"}};
}

const std::vector<std::string>& dictionary() {
  static const std::vector<std::string> words = [] {
    // clang-format off
    std::vector<std::string> list = {"x", "y", "vx", "vy", "t", "pi", "alpha", "tau", "k", "alfa", "z", "and", "or", "not", "+", "-", "*", "/", "^", "<", "<=", ">",
                                     ">=", "==", "!=", "(", ")", ",", " ", "**", "&&", "=", "!", "%", "[", "µ", "≤", "\xff", "\xc3", "x+", "x*", "2^", "-x*", "y/",
                                     "not x>", "1,", "max(x,", "if(x>0,", "delay(x,", "window_max(x,", "x - x", "0*", "x<y and", "0/", "1^", "atan2(-0,"};
    // clang-format on
    for (const auto& function : functions()) list.push_back(std::string(function.name) + "(");
    return list;
  }();
  return words;
}

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> texts = [] {
    // clang-format off
    std::vector<std::string> list = {
        "k * (1 - delay(x, tau))", "-9.81", "y >= 0", "alpha", "x^2 + y^2 <= 1", "if(abs(vx) > 1e-6, 0.3, 0.5)", "window_max(abs(now(x) - x), 0.1)",
        "min(x, y, k) - max(1, 2, tau, x*y)", "not (x < y and y > 0) or x == 0", "sin(x)*cos(y) - tan(0.5*x)^2", "hypot(x, y) - atan2(y, x)",
        "exp(-k*t)*sqrt(1 + x^2)/log(2 + x*x)", "2^-x^2", "--x - -y", "mod(t, 2*pi) < pi", "sign(vx)*tanh(vx/1e-3)", "floor(x) + ceil(y) + log10(10)",
        "asin(0.5) + acos(x/10) + atan(y)", "cosh(x) - sinh(x)", "delay(x*vx + t, 2*tau) + window_mean(x + y, tau) - window_min(x, 1)", "((((x))))",
        "pow(x, 3) * pow(k, x)", "1e-3 * .5 + 5. - 1E+2", "x - y - (k - tau) - 1", "x / y / (k / tau)", "if(x > 0, if(y > 0, 1, 2), 3)",
    };
    // clang-format on
    testing::RandomExpression random(1, {.size = 12, .coordinates = 2, .parameters = 3, .history = true});
    for (int i = 0; i < 100; ++i) list.push_back(to_text(i % 4 == 0 ? random.condition() : random.number(), names));
    return list;
  }();
  return texts;
}

namespace {

const testing::Point point{0.75, {0.625, -1.25}, {0.5, -0.375}, {0.3, 0.25, 4}};

struct RoundedWorld {
  testing::Rounded symbol(Symbol symbol) const { return testing::Rounded(point.at(symbol)); }
  testing::Rounded history(const Node& node) const {
    return testing::Rounded(testing::World<testing::Rounded>{&point}.history(node).value);
  }
};

// the value (0 or 1 of a condition), and whether all numbers on the way were finite
double value_of(const Expr& expr, bool& finite) {
  testing::Rounded::doubt = {};
  const double value = expr->condition ? (holds<testing::Rounded>(expr, RoundedWorld{}) ? 1 : 0)
                                       : evaluate<testing::Rounded>(expr, RoundedWorld{}).value;
  finite = !testing::Rounded::doubt.non_finite;
  return value;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

std::size_t count_distinct_nodes(const Expr& expr, std::unordered_set<const Node*>& seen) {
  if (seen.insert(expr.get()).second)
    for (const auto& arg : expr->args) count_distinct_nodes(arg, seen);
  return seen.size();
}
std::size_t count_distinct_nodes(const Expr& expr) {
  std::unordered_set<const Node*> seen;
  return count_distinct_nodes(expr, seen);
}

bool is_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size() || lead < 0x20) return false;
    for (std::size_t j = 1; j < length; ++j)
      if ((static_cast<unsigned char>(text[i + j]) & 0xC0) != 0x80) return false;
    i += length;
  }
  return true;
}

void check_faults(const std::vector<Fault>& faults, std::string_view text) {
  for (const auto& fault : faults) {
    require(fault.span.length >= 1 && fault.span.offset + fault.span.length <= text.size() + 1,
            "a fault stands in the text, or one past its end");
    require(!fault.message.empty() && fault.message.size() < 300 && is_text(fault.message),
            "a message is a short, valid text");
  }
}

// what it prints reads back to the same tree; not where the text is longer than may be read
void check_text(const Expr& expr) {
  const std::string text = to_text(expr, names);
  if (text.size() > longest_text) return;
  std::vector<Fault> faults;
  const Expr again = parse(text, names, faults);
  require(again != nullptr, "what was printed can be read");
  require(same_tree(again, expr), "what was printed reads back to the same tree");
}

// a sign of a constant is an operation to the parser, so simplified trees are compared by value
void check_simplified_text(const Expr& expr, const Expr& shorter) {
  const std::string text = to_text(shorter, names);
  if (text.size() > longest_text) return;
  std::vector<Fault> faults;
  const Expr again = parse(text, names, faults);
  if (!again) {  // signs of constants may nest deeper than the user's text did; nothing else may be wrong
    require(expr->depth > 50, "a simplified expression that is not deep can be read");
    return;
  }
  bool finite = false;
  require(same_bits(value_of(again, finite), value_of(shorter, finite)),
          "a simplified expression that was printed and read has the same value");
}

}  // namespace
}  // namespace conesweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace conesweep::fuzz;
  const std::string_view text(reinterpret_cast<const char*>(data), size);

  // read
  std::vector<Fault> faults;
  const Expr expr = parse(text, names, faults, "force");
  require((expr == nullptr) == !faults.empty(), "there are faults if and only if there is no tree");
  check_faults(faults, text);
  if (!expr) return 0;
  require(expr->depth <= deepest_tree, "a tree is not deeper than allowed");
  for_each_node(expr, [&](const Expr& node) {
    require(node->span.length >= 1 && node->span.offset + node->span.length <= text.size(),
            "every node stands in the text");
  });
  check_text(expr);

  // validate: once as strict as can be, once as free
  validate(expr, names, {.place = "test", .condition = !expr->condition}, faults);
  require(!faults.empty(), "a wrong kind is found");
  check_faults(faults, text);
  faults.clear();
  validate(expr, names,
           {.place = "test",
            .time = true,
            .coordinates = true,
            .velocities = true,
            .history = true,
            .condition = expr->condition},
           faults);
  check_faults(faults, text);
  if (!faults.empty()) return 0;
  ++accepted;

  // simplify
  const Expr shorter = simplify(expr);
  require(shorter->depth <= expr->depth + deepest_nesting + 1,
          "a sign that moves out of a product makes a tree deeper by one a call, at most");
  const std::size_t nodes = count_distinct_nodes(expr);
  require(count_distinct_nodes(shorter) <= nodes, "a simplified tree is not larger");
  bool finite = false, shorter_finite = false;
  const double value = value_of(expr, finite);
  const double shorter_value = value_of(shorter, shorter_finite);
  if (finite) require(value == shorter_value, "simplification keeps a finite value");
  check_simplified_text(expr, shorter);
  if (expr->condition) return 0;

  // differentiate
  for (const Symbol symbol : {Symbol{Symbol::Kind::coordinate, 0}, Symbol{Symbol::Kind::time, 0}}) {
    const Expr derivative = differentiate(expr, symbol);
    require(count_distinct_nodes(derivative) <= 12 * nodes + 12, "a derivative stays small as a graph");
    value_of(derivative, finite);
    require(same_tree(derivative, differentiate(expr, symbol)), "a derivative is the same every time");
    if (expr->depth < 50) to_text(derivative, names);
  }
  return 0;
}
