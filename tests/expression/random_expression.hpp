#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "expression/evaluate.hpp"
#include "expression/tree.hpp"

namespace conesweep::testing {

/// Which expressions a RandomExpression makes.
struct RandomOptions {
  int size = 12;        // operations, at most
  int coordinates = 2;  // q0, q1, …; 0: none
  int parameters = 2;   // a0, a1, …
  bool time = true;
  bool velocities = true;
  bool kinks = true;       // abs, sign, floor, ceil, min, max, mod
  bool conditions = true;  // if(…) with comparisons, and, or, not
  bool history = false;    // delay, window_max, window_min, window_mean with now
  bool poles = true;       // what is not defined or not bounded everywhere: / ^ tan log sqrt asin …
};

/// Random trees as a user could have written them: validate accepts them with the same symbols allowed, constants carry
/// no sign. The same seed gives the same trees with every standard library.
class RandomExpression {
 public:
  explicit RandomExpression(std::uint64_t seed, RandomOptions options = {}) : options_(options), engine_(seed) {}

  expression::Names names() const {
    expression::Names names;
    for (int i = 0; i < options_.coordinates; ++i) names.coordinates.push_back("q" + std::to_string(i));
    for (int i = 0; i < options_.parameters; ++i) names.parameters.push_back("a" + std::to_string(i));
    return names;
  }

  expression::Expr number() { return number(below(options_.size + 1), Place::present); }
  expression::Expr condition() { return condition(below(options_.size) + 1, Place::present); }

  /// Uniform in [0, n).
  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  /// Uniform in [lower, upper).
  double between(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

 private:
  using Expr = expression::Expr;
  using Op = expression::Op;
  using Symbol = expression::Symbol;
  enum class Place { present, delay, window, now, length };

  static Expr make(Op op, std::vector<Expr> args) { return expression::make_node(op, std::move(args)); }

  template <std::size_t n>
  Op one_of(const std::array<Op, n>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(n)))];
  }

  Expr number(int size, Place place) {
    if (size <= 0) return leaf(place);
    const int rest = size - 1;
    switch (below(12)) {
      case 0: return make(Op::negate, {number(rest, place)});
      case 1:
      case 2:
      case 3:
      case 4: return pair(one_of(std::array{Op::add, Op::subtract, Op::multiply}), rest, place);
      case 5: return options_.poles ? pair(Op::divide, rest, place) : pair(Op::multiply, rest, place);
      case 6: return power(rest, place);
      case 7:
      case 8: return make(smooth_function(), {number(rest, place)});
      case 9:
        return options_.poles ? pair(one_of(std::array{Op::atan2, Op::hypot}), rest, place)
                              : pair(Op::subtract, rest, place);
      case 10: return options_.kinks ? kink(rest, place) : pair(Op::add, rest, place);
      default: break;
    }
    if (options_.history && place == Place::present && below(2) == 0) return history(rest);
    if (options_.history && place == Place::window) return make(Op::now, {number(rest, Place::now)});
    if (options_.conditions) {
      const auto [first, second] = split(rest);
      const auto [third, fourth] = split(second);
      return make(Op::choose, {condition(first, place), number(third, place), number(fourth, place)});
    }
    return pair(Op::multiply, rest, place);
  }

  Expr condition(int size, Place place) {
    if (size > 2 && below(3) == 0) {
      if (below(3) == 0) return make(Op::logical_not, {condition(size - 1, place)});
      const auto [left, right] = split(size - 1);
      return make(one_of(std::array{Op::logical_and, Op::logical_or}),
                  {condition(left, place), condition(right, place)});
    }
    return pair(one_of(std::array{Op::less, Op::less_equal, Op::greater, Op::greater_equal, Op::equal, Op::not_equal}),
                size - 1, place);
  }

  Op smooth_function() {
    if (options_.poles && below(2) == 0)
      return one_of(std::array{Op::acos, Op::asin, Op::log, Op::log10, Op::sqrt, Op::tan});
    return one_of(std::array{Op::atan, Op::cos, Op::cosh, Op::exp, Op::sin, Op::sinh, Op::tanh});
  }

  // mostly whole exponents, as users write
  Expr power(int size, Place place) {
    if (!options_.poles || below(4) > 0)
      return make(Op::power, {number(size, place), expression::make_constant(below(4))});
    return pair(Op::power, size, place);
  }

  Expr kink(int size, Place place) {
    if (below(2) == 0) return make(one_of(std::array{Op::abs, Op::sign, Op::floor, Op::ceil}), {number(size, place)});
    return pair(options_.poles ? one_of(std::array{Op::max, Op::min, Op::mod}) : one_of(std::array{Op::max, Op::min}),
                size, place);
  }

  Expr history(int size) {
    const Expr length = number(below(2), Place::length);
    if (below(2) == 0) return make(Op::delay, {number(size, Place::delay), length});
    return make(one_of(std::array{Op::window_max, Op::window_min, Op::window_mean}),
                {number(size, Place::window), length});
  }

  Expr pair(Op op, int size, Place place) {
    const auto [left, right] = split(size);
    return make(op, {number(left, place), number(right, place)});
  }

  std::pair<int, int> split(int size) {
    const int left = size > 0 ? below(size + 1) : 0;
    return {left, size - left};
  }

  Expr leaf(Place place) {
    const bool in_window = place == Place::window || place == Place::now;
    std::vector<Symbol> symbols;
    for (int i = 0; i < options_.parameters; ++i) symbols.push_back({Symbol::Kind::parameter, i});
    for (int i = 0; i < options_.coordinates && place != Place::length; ++i) {
      symbols.push_back({Symbol::Kind::coordinate, i});
      if (options_.velocities && !in_window) symbols.push_back({Symbol::Kind::velocity, i});
    }
    if (options_.time && !in_window && place != Place::length) symbols.push_back({Symbol::Kind::time, 0});
    if (!symbols.empty() && below(3) > 0)
      return expression::make_symbol(symbols[static_cast<std::size_t>(below(static_cast<int>(symbols.size())))]);
    constexpr std::array special = {0.0, 1.0, 1.0, 2.0, 3.0, 0.5, 0.1, 10.0};
    return expression::make_constant(below(4) == 0 ? between(0, 3)
                                                   : special[static_cast<std::size_t>(below(special.size()))]);
  }

  RandomOptions options_;
  std::mt19937_64 engine_;
};

/// Values for all symbols: where an expression is evaluated.
struct Point {
  double t = 0;
  std::vector<double> coordinates, velocities, parameters;

  static Point random(RandomExpression& random, const expression::Names& names) {
    Point point;
    point.t = random.between(-2, 2);
    for (std::size_t i = 0; i < names.coordinates.size(); ++i) {
      point.coordinates.push_back(random.between(-2, 2));
      point.velocities.push_back(random.between(-2, 2));
    }
    for (std::size_t i = 0; i < names.parameters.size(); ++i) point.parameters.push_back(random.between(-2, 2));
    return point;
  }

  double at(expression::Symbol symbol) const {
    const auto i = static_cast<std::size_t>(symbol.index);
    switch (symbol.kind) {
      case expression::Symbol::Kind::time: return t;
      case expression::Symbol::Kind::coordinate: return coordinates.at(i);
      case expression::Symbol::Kind::velocity: return velocities.at(i);
      case expression::Symbol::Kind::parameter: return parameters.at(i);
      default: throw InternalError("a user's name is one of four kinds", __FILE__, __LINE__);
    }
  }
};

/// Gives symbols their values at a point, and history terms theirs at some other point that depends on the length;
/// inside a window now(…) is the point itself. There is no integrator behind it, but different terms have different
/// values, and equal ones equal values.
template <class Scalar>
struct World {
  const Point* point;              // where symbols have their values
  const Point* present = nullptr;  // what now(…) means; none: outside a window

  Scalar symbol(expression::Symbol symbol) const { return Scalar(point->at(symbol)); }

  Scalar history(const expression::Node& node) const {
    if (node.op == expression::Op::now) return expression::evaluate<Scalar>(node.args[0], World{present});
    const double length = expression::evaluate<double>(node.args[1], World<double>{point});
    Point past = *point;
    past.t -= length;
    for (auto& q : past.coordinates) q = 0.75 * q - 0.125 * length;
    for (auto& v : past.velocities) v = 0.5 * v + 0.25;
    const Scalar value = expression::evaluate<Scalar>(node.args[0], World{&past, point});
    const double kind = node.op == expression::Op::window_max ? 1 : node.op == expression::Op::window_min ? -1 : 0;
    return Scalar(value + Scalar(kind));
  }
};

using PointWorld = World<double>;

}  // namespace conesweep::testing
