// Polynomials in one order.
#include "expression/polynomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "parsed.hpp"

namespace conesweep::expression {
namespace {

// does it vanish as a polynomial?
bool vanishes(const std::string& text) {
  Polynomials polynomials;
  const auto expanded = polynomials.expand(read(text));
  return expanded && expanded->empty();
}

TEST(Polynomials, AreEqualHoweverTheyAreWritten) {
  for (const char* text :
       {"(x + y)^2 - x^2 - 2*x*y - y^2", "(x - y)*(x + y) - (x*x - y*y)", "x*(2*alpha*y) - alpha*y*2*x", "x^3/x - x^2",
        "x/(8*k*alpha^2/5) - x*5/8/k/alpha^2", "sin(x)*y - y*sin(x)", "x/(1 + y) + x - x - x/(1 + y)",
        "(x - t)^2 - (t - x)^2", "x^(-2)*x^2 - 1", "0.1*x - x*0.1"})
    EXPECT_TRUE(vanishes(text)) << text;
}

TEST(Polynomials, AreNotEqualByRounding) {
  for (const char* text : {"x - y", "x^2 - x", "sin(x) - sin(y)", "x/3 - x*0.3333333333333333", "abs(x) - x",
                           "x^0.5 - x", "0.1*x + 0.2*x - 0.3*x", "1e300*x*1e300", "vx - x"})
    EXPECT_FALSE(vanishes(text)) << text;
}

TEST(Polynomials, HaveNoMoreTermsThanAPackNeeds) {
  Polynomials polynomials;
  EXPECT_TRUE(polynomials.expand(read("(x + y + t + alpha)^4")).has_value());
  EXPECT_FALSE(polynomials.expand(read("(x + y + t + alpha + k + tau + vx + vy)^8")).has_value());
}

TEST(Polynomials, AreWrittenAsTheyWereMeant) {
  for (const char* text : {"(x + y)^2", "3*x - 2*y", "-x*y + k*(x - y) - 7", "k*x^2/tau - alpha*t", "x/(1 + y^2) - 1/k",
                           "-x", "0*x", "x*(vx - vy)*k/(8*tau^2/5)"}) {
    Polynomials polynomials;
    const Expr tree = read(text);
    const double wanted = evaluate<double>(tree, HandWorld{});
    const auto expanded = polynomials.expand(tree);
    ASSERT_TRUE(expanded.has_value()) << text;
    EXPECT_NEAR(evaluate<double>(polynomials.write(*expanded), HandWorld{}), wanted, 1e-14 * (1 + std::fabs(wanted)))
        << text;
    EXPECT_NEAR(evaluate<double>(polynomials.write(*expanded, read("tau")), HandWorld{}), 2 * wanted,
                1e-14 * (1 + std::fabs(wanted)))
        << text;
  }
}

// what rows that are alike have in common is the same tree
TEST(Polynomials, AreWrittenInOneOrder) {
  Polynomials polynomials;
  const auto one = polynomials.expand(read("k^2*x^2 + (k*y)^2")), other = polynomials.expand(read("y*y*k*k + (x*k)^2"));
  EXPECT_TRUE(same_tree(polynomials.write(*one), polynomials.write(*other)));
}

}  // namespace
}  // namespace conesweep::expression
