#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <unordered_set>

#include "executor/reference/autodiff.hpp"
#include "expression/calculus.hpp"
#include "expression/parser.hpp"
#include "random_expression.hpp"
#include "scalars.hpp"

namespace conesweep::expression {

using executor::reference::Dual;
using testing::Point;
using testing::PointWorld;
using testing::Quad;
using testing::RandomExpression;
using testing::Rounded;

// history terms are what they are at the point, whatever the number type: they do not depend on the present
struct RoundedWorld {
  const Point* point;
  Symbol uncertain = {};
  double error = 0;  // … of that symbol
  Rounded symbol(Symbol symbol) const { return {point->at(symbol), symbol == uncertain ? error : 0}; }
  Rounded history(const Node& node) const { return Rounded(testing::World<Rounded>{point}.history(node).value); }
};

// one symbol moved by a step
struct ShiftedWorld {
  const Point* point;
  Symbol moved;
  Quad step;
  Quad symbol(Symbol symbol) const {
    return symbol == moved ? Quad(point->at(symbol)) + step : Quad(point->at(symbol));
  }
  Quad history(const Node& node) const { return Quad(PointWorld{point}.history(node)); }
};

// the coordinates are the variables
struct DualWorld {
  const Point* point;
  Dual symbol(Symbol symbol) const {
    if (symbol.kind != Symbol::Kind::coordinate) return Dual(point->at(symbol));
    return executor::reference::make_variable(point->at(symbol), static_cast<int>(point->coordinates.size()),
                                              symbol.index);
  }
  Dual history(const Node& node) const { return Dual(PointWorld{point}.history(node)); }
};

inline constexpr Symbol q0{Symbol::Kind::coordinate, 0}, q1{Symbol::Kind::coordinate, 1};

inline std::size_t count_distinct_nodes(const Expr& expr) {
  std::unordered_set<const Node*> seen;
  const std::function<void(const Expr&)> visit = [&](const Expr& e) {
    if (seen.insert(e.get()).second)
      for (const auto& arg : e->args) visit(arg);
  };
  visit(expr);
  return seen.size();
}

// a random expression whose derivative by `symbol` is not just a number
inline Expr varying(RandomExpression& random, Symbol symbol) {
  while (true) {
    Expr expr = random.number();
    if (differentiate(expr, symbol)->op != Op::constant) return expr;
  }
}

// same bits, or both zero
inline bool same_value(double a, double b) { return (a == 0 && b == 0) || std::memcmp(&a, &b, sizeof a) == 0; }

inline double rounded_value(const Expr& expr, const Point& point, double& slack) {
  Rounded::doubt = {};
  const Rounded result = evaluate<Rounded>(expr, RoundedWorld{&point});
  slack = result.slack;
  return result.value;
}

// Σ over all ways from the symbol to the result of |product of derivatives|: the size of what a chain rule adds up,
// which may cancel
inline double gradient_size(const Expr& expr, const Point& point, Symbol symbol) {
  constexpr double error = 0x1p-20;  // far above rounding
  return evaluate<Rounded>(expr, RoundedWorld{&point, symbol, error}).slack / error;
}

inline const Names names{{"x", "y"}, {"a", "b"}};

inline Expr read(const std::string& text) {
  std::vector<Fault> faults;
  const Expr expr = parse(text, names, faults);
  if (!expr) throw InternalError((text + ": " + faults.at(0).message).c_str(), __FILE__, __LINE__);
  return expr;
}

inline std::string simple(const std::string& text) { return to_text(simplify(read(text)), names); }
inline std::string slope(const std::string& text) { return to_text(differentiate(read(text), q0), names); }

inline double at(const Expr& expr, double x, double y) {
  const Point point{0.5, {x, y}, {1, 2}, {3, 4}};
  return evaluate<double>(expr, PointWorld{&point});
}

}  // namespace conesweep::expression
