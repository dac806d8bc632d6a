#pragma once

#include <map>
#include <optional>
#include <vector>

#include "expression/tree.hpp"

namespace conesweep::expression {

/// Sums of products in one order, so that what is equal as a polynomial is equal however it is written:
///
///   (1)  Σ k a₁^p₁ a₂^p₂ …
///
/// The a are symbols, functions, and numbers by which something is divided; powers may be negative. Numbers k are kept
/// only where nothing is rounded. A factor that is divided by itself is gone, whatever its value.
class Polynomials {
 public:
  using Product = std::map<int, int>;            // powers by the number of a factor; none is 0
  using Polynomial = std::map<Product, double>;  // numbers by product; none is 0

  /// Nothing where it has too many terms, or where numbers would be rounded.
  std::optional<Polynomial> expand(const Expr& expr);

  /// As a tree, times `by`: terms with the same number and the same factors of parameters stand together behind these.
  Expr write(const Polynomial& polynomial, const Expr& by = make_constant(1)) const;

 private:
  std::optional<Polynomial> invert(const Expr& expr);
  std::optional<Polynomial> expand_power(const Expr& expr);
  std::optional<Polynomial> settle(const std::optional<Polynomial>& polynomial) const;
  Polynomial factor(const Expr& expr, int power = 1);

  std::vector<Expr> factors_;
};

}  // namespace conesweep::expression
