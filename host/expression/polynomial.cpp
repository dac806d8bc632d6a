#include "expression/polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "expression/calculus.hpp"

namespace conesweep::expression {
namespace {

using Product = Polynomials::Product;
using Polynomial = Polynomials::Polynomial;

constexpr std::size_t most_terms = 256;
constexpr double largest_power = 8;  // larger ones are factors of their own

// Nothing where it is rounded.
std::optional<double> add(double a, double b) {
  const double sum = a + b, back = sum - a;
  if (!std::isfinite(sum) || a - (sum - back) != 0 || b - back != 0) return std::nullopt;
  return sum;
}
std::optional<double> multiply(double a, double b) {
  const double product = a * b;
  if (!std::isfinite(product) || std::fabs(product) < 1e-200 || std::fma(a, b, -product) != 0) return std::nullopt;
  return product;
}

bool add_term(Polynomial& to, const Product& product, double number) {
  const auto [place, fresh] = to.emplace(product, number);
  if (fresh) return to.size() <= most_terms;
  const std::optional<double> sum = add(place->second, number);
  if (!sum) return false;
  if (*sum == 0)
    to.erase(place);
  else
    place->second = *sum;
  return true;
}

Product multiply(const Product& a, const Product& b) {
  Product product = a;
  for (const auto& [factor, power] : b)
    if ((product[factor] += power) == 0) product.erase(factor);
  return product;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
  Polynomial all;
  for (const auto& [left, left_number] : a) {
    for (const auto& [right, right_number] : b) {
      const std::optional<double> number = multiply(left_number, right_number);
      if (!number || !add_term(all, multiply(left, right), *number)) return std::nullopt;
    }
  }
  return all;
}

std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b, double sign) {
  Polynomial all = a;
  for (const auto& [product, number] : b)
    if (!add_term(all, product, sign * number)) return std::nullopt;
  return all;
}

bool is_of_parameters(const Expr& expr) {
  return !any_node(expr, [](const Node& n) {
    return is_history(n.op) || (n.op == Op::symbol && n.symbol.kind != Symbol::Kind::parameter);
  });
}

bool is_whole(double x) { return x == std::floor(x) && std::fabs(x) <= largest_power; }

// a power of two
bool is_exact_divisor(double x) { return x != 0 && std::isfinite(x) && std::fabs(x) == std::ldexp(1.0, std::ilogb(x)); }

Expr product_of(std::vector<Expr> above, const std::vector<Expr>& below) {
  Expr all = above.empty() ? make_constant(1) : above.front();
  for (std::size_t k = 1; k < above.size(); ++k) all = make_node(Op::multiply, {all, above[k]});
  for (const Expr& divisor : below) all = make_node(Op::divide, {all, divisor});
  return all;
}

}  // namespace

Polynomial Polynomials::factor(const Expr& expr, int power) {
  const auto found = std::find_if(factors_.begin(), factors_.end(), [&](const Expr& e) { return same_tree(e, expr); });
  const int number = static_cast<int>(found - factors_.begin());
  if (found == factors_.end()) factors_.push_back(expr);
  return {{{{number, power}}, 1.0}};
}

std::optional<Polynomial> Polynomials::expand(const Expr& expr) {
  switch (expr->op) {
    case Op::constant:
      if (expr->condition || !std::isfinite(expr->value)) return std::nullopt;
      if (expr->value == 0) return Polynomial();
      return Polynomial{{{}, expr->value}};
    case Op::negate: {
      const auto inside = expand(expr->args[0]);
      return inside ? add({}, *inside, -1) : std::nullopt;
    }
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide: {
      const auto a = expand(expr->args[0]), b = expr->op == Op::divide ? invert(expr->args[1]) : expand(expr->args[1]);
      if (!a || !b) return std::nullopt;
      if (expr->op == Op::add || expr->op == Op::subtract) return add(*a, *b, expr->op == Op::add ? 1 : -1);
      return settle(multiply(*a, *b));
    }
    case Op::power: return expand_power(expr);
    default: return factor(expr);
  }
}

std::optional<Polynomial> Polynomials::expand_power(const Expr& expr) {
  const Expr exponent = simplify(expr->args[1]);
  if (exponent->op != Op::constant || !is_whole(exponent->value)) return factor(expr);
  const auto base = exponent->value < 0 ? invert(expr->args[0]) : expand(expr->args[0]);
  if (!base) return std::nullopt;
  std::optional<Polynomial> all = Polynomial{{{}, 1.0}};
  for (int k = 0; all && k < std::abs(static_cast<int>(exponent->value)); ++k) all = multiply(*all, *base);
  return all;
}

// Numbers that something was divided by go into those before the product where that is exact.
std::optional<Polynomial> Polynomials::settle(const std::optional<Polynomial>& polynomial) const {
  if (!polynomial) return std::nullopt;
  Polynomial all;
  for (const auto& [whole, before] : *polynomial) {
    Product product = whole;
    double number = before;
    for (auto at = product.begin(); at != product.end();) {
      const Expr& factor = factors_[static_cast<std::size_t>(at->first)];
      const double value = factor->op == Op::constant ? factor->value : 0;
      for (; value != 0 && at->second > 0; --at->second) {
        const std::optional<double> more = multiply(number, value);
        if (!more) return std::nullopt;
        number = *more;
      }
      for (; value != 0 && at->second < 0 && std::fmod(number, value) == 0; ++at->second) number /= value;
      at = at->second == 0 ? product.erase(at) : std::next(at);
    }
    if (!add_term(all, product, number)) return std::nullopt;
  }
  return all;
}

// 1/expr: of one product by its factors
std::optional<Polynomial> Polynomials::invert(const Expr& expr) {
  const auto below = expand(expr);
  if (!below || below->empty()) return std::nullopt;
  if (below->size() > 1) return factor(expr, -1);
  const auto& [product, number] = *below->begin();
  Product inverse;
  for (const auto& [factor, power] : product) inverse[factor] = -power;
  if (is_exact_divisor(number)) return Polynomial{{inverse, 1 / number}};
  return multiply(Polynomial{{inverse, 1.0}}, factor(make_constant(number), -1));
}

Expr Polynomials::write(const Polynomial& polynomial, const Expr& by) const {
  // what stands before each sum: a positive number, and factors of parameters
  using Front = std::pair<Product, double>;
  std::vector<std::pair<Front, Expr>> groups;
  const auto write_product = [this](const Product& product) {
    std::vector<Expr> above, below;
    for (const auto& [factor, power] : product)
      for (int k = 0; k < std::abs(power); ++k)
        (power > 0 ? above : below).push_back(factors_[static_cast<std::size_t>(factor)]);
    return product_of(above, below);
  };
  for (const auto& [product, number] : polynomial) {
    Front front = {{}, std::fabs(number)};
    Product rest;
    for (const auto& [factor, power] : product)
      (is_of_parameters(factors_[static_cast<std::size_t>(factor)]) ? front.first : rest)[factor] = power;
    const Expr term = write_product(rest);
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == front; });
    if (found == groups.end())
      groups.push_back({front, number < 0 ? make_node(Op::negate, {term}) : term});
    else
      found->second = make_node(number < 0 ? Op::subtract : Op::add, {found->second, term});
  }
  Expr all = make_constant(0);
  for (const auto& [front, sum] : groups) {
    const Expr number = make_node(Op::multiply, {make_constant(front.second), write_product(front.first)});
    const Expr before = make_node(Op::multiply, {simplify(number), by});
    all = make_node(Op::add, {all, make_node(Op::multiply, {before, sum})});
  }
  return simplify(all);
}

}  // namespace conesweep::expression
