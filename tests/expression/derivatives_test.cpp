// Derivatives by rules, beside finite differences and automatic differentiation.
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "calculus_worlds.hpp"
#include "executor/reference/autodiff.hpp"
#include "expression/calculus.hpp"
#include "expression/parser.hpp"
#include "random_expression.hpp"
#include "scalars.hpp"

namespace conesweep::expression {
namespace {

using executor::reference::Dual;
using testing::Point;
using testing::PointWorld;
using testing::Quad;
using testing::RandomExpression;
using testing::Rounded;

// ---- derivatives ----

TEST(Differentiate, KnowsEveryOperation) {
  // clang-format off
  const std::vector<std::pair<std::string, std::string>> table = {
      {"x", "1"}, {"y", "0"}, {"a", "0"}, {"3", "0"}, {"vx", "0"}, {"t", "0"}, {"-x", "-1"}, {"x + y", "1"}, {"y - x", "-1"}, {"x * y", "y"},
      {"x * x", "x + x"}, {"x / y", "1 / y"}, {"y / x", "-(y / x / x)"}, {"x^2", "2 * x"}, {"x^3", "3 * x^2"}, {"x^a", "a * x^(a - 1)"},
      {"2^x", "2^x * log(2)"}, {"x^x", "x * x^(x - 1) + x^x * log(x)"}, {"sqrt(x)", "1 / (2 * sqrt(x))"}, {"exp(x)", "exp(x)"}, {"log(x)", "1 / x"},
      {"log10(x)", "1 / (2.302585092994046 * x)"}, {"sin(x)", "cos(x)"}, {"cos(x)", "-sin(x)"}, {"tan(x)", "1 + tan(x) * tan(x)"},
      {"asin(x)", "1 / sqrt((1 - x) * (1 + x))"}, {"acos(x)", "-(1 / sqrt((1 - x) * (1 + x)))"}, {"atan(x)", "1 / (1 + x * x)"},
      {"sinh(x)", "cosh(x)"}, {"cosh(x)", "sinh(x)"}, {"tanh(x)", "1 / (cosh(x) * cosh(x))"}, {"abs(x)", "sign(x)"}, {"sign(x)", "0"},
      {"floor(x)", "0"}, {"ceil(x)", "0"}, {"atan2(x, y)", "y / (x * x + y * y)"}, {"atan2(y, x)", "-(y / (y * y + x * x))"},
      {"hypot(x, y)", "x / hypot(x, y)"}, {"max(x, y)", "if(x > y, 1, 0)"}, {"min(y, x)", "if(y < x, 0, 1)"}, {"mod(x, y)", "1"},
      {"mod(y, x)", "-floor(y / x)"}, {"if(x > 0, x^2, y)", "if(x > 0, 2 * x, 0)"}, {"if(x > 0, a, y)", "0"}, {"sin(2 * x)", "cos(2 * x) * 2"},
      {"delay(x, a) * x", "delay(x, a)"}, {"window_max(now(x) - x, a)", "0"},
  };
  // clang-format on
  for (const auto& [text, expected] : table) EXPECT_EQ(slope(text), expected) << text;
}

TEST(Differentiate, HasNoLogarithmWhereTheExponentIsConstant) {
  EXPECT_EQ(at(differentiate(read("x^3"), q0), -2, 0), 12);
  EXPECT_EQ(at(differentiate(read("(x - y)^2"), q1), 1, 3), 4);
  EXPECT_EQ(at(differentiate(read("x^0"), q0), 0, 0), 0);
  EXPECT_EQ(at(differentiate(read("x^1"), q0), 0, 0), 1);
}

TEST(Differentiate, KeepsDigitsInTheTails) {
  // tanh'(20) = 1/cosh²(20) and asin'(1 - 2^-40), to 17 of 50 digits
  EXPECT_NEAR(at(differentiate(read("tanh(x)"), q0), 20, 0) / 1.6993417021166355e-17, 1, 1e-15);
  EXPECT_NEAR(at(differentiate(read("asin(x)"), q0), 1 - 0x1p-40, 0) / 741455.20018963384, 1, 1e-15);
}

TEST(Differentiate, TakesTheBranchTakenAtAKink) {
  EXPECT_EQ(at(differentiate(read("abs(x)"), q0), 0, 0), 0);
  EXPECT_EQ(at(differentiate(read("max(x, 2*x)"), q0), 0, 0), 2);
  EXPECT_EQ(at(differentiate(read("min(x, 2*x)"), q0), 0, 0), 2);
  EXPECT_EQ(at(differentiate(read("if(x >= 0, x, -x)"), q0), 0, 0), 1);
}

TEST(Differentiate, AgreesWithFiniteDifferences) {
  // Central differences with steps h and h/2, h = 2^-30, in 113-bit arithmetic, extrapolated: error h⁴ and 2^-113/h,
  // both below 1e-24 where the function is smooth on the scale of h. Compared in the same arithmetic, so that only the
  // formula is in question. Left out: points where Rounded has doubts (not finite or out of range; a kink or jump
  // within rounding; fewer than 6 digits left), and those where the two steps disagree by 1e-9 (a kink, jump or pole
  // near). At most 40 % may be left out, and 1 % for the second reason.
  int compared = 0, doubtful = 0, rough = 0;
  for (const bool history : {false, true}) {
    RandomExpression random(history ? 31 : 32, {.size = 12, .history = history});
    const Names own = random.names();
    for (int i = 0; i < 4'000; ++i) {
      const Symbol symbol = i % 5 == 4 ? Symbol{Symbol::Kind::time, 0} : i % 2 == 0 ? q0 : q1;
      // constants folded, in double, on both sides of the comparison
      const Expr expr = simplify(varying(random, symbol));
      const Expr derivative = differentiate(expr, symbol);
      const Point point = Point::random(random, own);
      double slack = 0;
      const double value = rounded_value(expr, point, slack);
      bool doubt = Rounded::doubt.any();
      rounded_value(derivative, point, slack);
      doubt = doubt || Rounded::doubt.any();
      if (doubt) {
        ++doubtful;
        continue;
      }

      const auto difference = [&](double h) {
        const Quad ahead = evaluate<Quad>(expr, ShiftedWorld{&point, symbol, Quad(h)});
        const Quad behind = evaluate<Quad>(expr, ShiftedWorld{&point, symbol, Quad(-h)});
        return Quad::Digits((ahead.value - behind.value) / (2 * h));
      };
      const Quad::Digits wide = difference(0x1p-30), narrow = difference(0x1p-31);
      const Quad::Digits expected = (4 * narrow - wide) / 3;
      const Quad::Digits scale = 1 + fabs(expected);
      if (!(fabs(narrow - wide) < 1e-9 * scale)) {
        ++rough;
        continue;
      }
      const Quad::Digits got = evaluate<Quad>(derivative, ShiftedWorld{&point, symbol, Quad(0)}).value;
      ASSERT_LE(fabs(got - expected), 1e-13 * scale + 1e-14 * std::fabs(value))
          << to_text(expr, own) << "\n  by " << own.name_of(symbol) << ": " << to_text(derivative, own) << " = " << got
          << "\n  differences: " << expected;
      ++compared;
    }
  }
  RecordProperty("compared", compared);
  RecordProperty("doubtful", doubtful);
  RecordProperty("rough", rough);
  const int all = compared + doubtful + rough;
  EXPECT_LT(doubtful + rough, all * 40 / 100) << "doubtful " << doubtful << ", rough " << rough << " of " << all;
  EXPECT_LT(rough, all / 100);
}

TEST(Differentiate, AgreesWithAutomaticDifferentiation) {
  // In double, where both have rounding errors. The bound is twice the running error bound of the symbolic derivative,
  // plus 8 u of the size of the terms that the chain rule adds up; it must be a sharp one (below 1e-13 of the value)
  // for nine of ten that are not 0. Left out: what Rounded finds out of range, not finite or blurred, and the few where
  // a zero of the chain rule meets an infinity that simplification had removed, as in sqrt(0/x). (A kink is no reason
  // here: both take the same side.)
  int compared = 0, doubtful = 0, nonzero = 0, sharp = 0, singular = 0;
  double worst = 0;
  for (const bool history : {false, true}) {
    RandomExpression random(history ? 41 : 42, {.size = 16, .history = history});
    const Names own = random.names();
    for (int i = 0; i < 10'000; ++i) {
      const Expr expr = varying(random, i % 2 == 0 ? q0 : q1);
      const Point point = Point::random(random, own);
      double slack = 0;
      const double value = rounded_value(expr, point, slack);
      if (Rounded::doubt.non_finite || Rounded::doubt.range || Rounded::doubt.blurred) {
        ++doubtful;
        continue;
      }
      const Dual dual = evaluate<Dual>(expr, DualWorld{&point});
      ASSERT_EQ(dual.value(), value) << to_text(expr, own);
      const auto gradient = executor::reference::gradient(dual, 2);
      for (const Symbol symbol : {q0, q1}) {
        const Expr derivative = differentiate(expr, symbol);
        const double got = rounded_value(derivative, point, slack);
        const testing::Doubt doubt = Rounded::doubt;
        if (doubt.range || doubt.blurred || doubt.non_finite) {
          ++doubtful;
          continue;
        }
        const double expected = gradient[symbol.index];
        if (!std::isfinite(expected)) {
          ++singular;
          continue;
        }
        const double error = std::fabs(got - expected);
        const double bound = 2 * slack + 8 * Rounded::u * gradient_size(expr, point, symbol);
        ASSERT_LE(error, bound) << to_text(expr, own) << "\n  by " << own.name_of(symbol) << ": "
                                << to_text(derivative, own) << " = " << got << "\n  automatic: " << expected
                                << "\n  bound " << bound;
        if (bound > 0) worst = std::max(worst, error / bound);
        if (got != 0) ++nonzero;
        if (got != 0 && bound <= 1e-13 * std::fabs(got)) ++sharp;
        ++compared;
      }
    }
  }
  RecordProperty("compared", compared);
  RecordProperty("doubtful", doubtful);
  RecordProperty("nonzero", nonzero);
  RecordProperty("sharp", sharp);
  RecordProperty("singular", singular);
  RecordProperty("worst_share_of_bound", std::to_string(worst));
  EXPECT_LT(doubtful, (compared + doubtful) * 45 / 100) << doubtful << " of " << compared + doubtful;
  EXPECT_LT(singular, (compared + doubtful) / 100);
  EXPECT_GT(nonzero, compared / 2);
  EXPECT_GT(sharp, nonzero * 90 / 100);
}

TEST(Differentiate, StaysSmallAsAGraph) {
  const auto repeat = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::vector<std::string> chains = {
      repeat("x*", 900) + "x",
      repeat("x/", 900) + "x",
      repeat("x*y/", 450) + "x",
      repeat("x+y*", 450) + "x",
      "max(" + repeat("x,y*x,", 450) + "x)",
      repeat("sin(x*", 190) + "x" + repeat(")", 190),
      repeat("x^", 190) + "y",
      repeat("tan(", 190) + "x" + repeat(")", 190),
      repeat("atan2(x,", 190) + "y" + repeat(")", 190),
      repeat("if(x>y,", 190) + "x" + repeat(",x*y)", 190),
      repeat("x*(", 190) + "x" + repeat(")", 190),
      "(" + repeat("tan(", 180) + "x" + repeat(")", 180) + ")/(" + repeat("tan(", 180) + "x" + repeat(")", 180) + ")",
      repeat("x*(", 190) + "x" + repeat(")", 190) + "-" + repeat("x*(", 190) + "x" + repeat(")", 190),
  };
  for (const auto& text : chains) {
    const Expr expr = read(text);
    const Expr derivative = differentiate(expr, q0);
    // the most greedy rule, that of a^b, brings ten nodes
    EXPECT_LE(count_distinct_nodes(derivative), 10 * count_distinct_nodes(expr)) << text.substr(0, 30);
    EXPECT_LE(derivative->depth, 4 * deepest_tree) << text.substr(0, 30);
    // and it can be evaluated: no recursion is too deep, no time exponential
    at(derivative, 0.5, 0.25);
  }
}

// ---- the reference executor's way to gradients ----

TEST(AutoDiff, GivesValueAndGradientByHand) {
  struct Row {
    std::string text;
    double value, by_x, by_y;
  };
  // at x = -2, y = 0.5; a = 3, b = 4 are constants
  // clang-format off
  const std::vector<Row> table = {
      {"3", 3, 0, 0}, {"a + 1", 4, 0, 0}, {"-x", 2, -1, 0}, {"x + a", 1, 1, 0}, {"a - x", 5, -1, 0}, {"a * x * 2", -12, 6, 0}, {"x * y", -1, 0.5, -2},
      {"1 / y", 2, 0, -4}, {"x / b", -0.5, 0.25, 0}, {"x / y", -4, 2, 8}, {"x^2", 4, -4, 0}, {"x^a", -8, 12, 0}, {"x^0", 1, 0, 0}, {"y^-1", 2, 0, -4},
      {"b^y", 2, 0, 2 * std::log(4)}, {"(x*x)^y", 2, -0.5 * 2, 2 * std::log(4)}, {"abs(x)", 2, -1, 0}, {"abs(x + 2)", 0, 0, 0}, {"sign(x)", -1, 0, 0}, {"floor(y)", 0, 0, 0},
      {"ceil(y)", 1, 0, 0}, {"atan(x/2)", -std::numbers::pi / 4, 0.25, 0}, {"log10(y * 2)", 0, 0, 2 / std::log(10)}, {"hypot(x, 1.5)", 2.5, -0.8, 0},
      {"hypot(1.5, x)", 2.5, -0.8, 0}, {"hypot(a, b)", 5, 0, 0}, {"atan2(x, 2)", -std::numbers::pi / 4, 0.25, 0}, {"atan2(2, x)", std::numbers::pi * 3 / 4, -0.25, 0},
      {"atan2(x, x)", -std::numbers::pi * 3 / 4, 0, 0}, {"mod(x, a)", 1, 1, 0}, {"mod(a, x)", -1, 2, 0}, {"mod(x, y)", 0, 1, 4}, {"max(x, y)", 0.5, 0, 1}, {"min(x, y)", -2, 1, 0},
      {"max(x, -2)", -2, 0, 0}, {"min(a, y)", 0.5, 0, 1}, {"if(x < y and not x == y, y, x)", 0.5, 0, 1}, {"if(a != a or x >= y, y, x)", -2, 1, 0},
      {"delay(x, a) * x", -1.875 * -2, -1.875, 0},
  };
  // clang-format on
  const Point point{0.5, {-2, 0.5}, {1, 2}, {3, 4}};
  for (const auto& row : table) {
    const Dual dual = evaluate<Dual>(read(row.text), DualWorld{&point});
    const auto gradient = executor::reference::gradient(dual, 2);
    EXPECT_DOUBLE_EQ(dual.value(), row.value) << row.text;
    EXPECT_DOUBLE_EQ(gradient[0], row.by_x) << row.text;
    EXPECT_DOUBLE_EQ(gradient[1], row.by_y) << row.text;
  }
}

TEST(AutoDiff, HoldsWhereSquaresDoNotFitADouble) {
  const Point point{0, {1e-200, 3e-200}, {0, 0}, {1e200, 0}};
  const auto gradient = [&](const std::string& text) {
    return executor::reference::gradient(evaluate<Dual>(read(text), DualWorld{&point}), 2);
  };
  EXPECT_DOUBLE_EQ(gradient("x / y")[0], 1 / 3e-200);
  EXPECT_DOUBLE_EQ(gradient("hypot(x, 0 * y)")[0], 1);
  EXPECT_DOUBLE_EQ(gradient("atan2(x, 0 * y)")[1], 0);
  EXPECT_DOUBLE_EQ(gradient("atan2(0, y)")[0], 0);
  EXPECT_DOUBLE_EQ(gradient("x * a / a")[0], 1);
}

TEST(AutoDiff, TakesTheSameSideOfAKinkAsTheCalculus) {
  for (const std::string text :
       {"abs(x)", "abs(x) * y", "max(x, 2*x)", "min(x, 2*x)", "max(x, y, a*x)", "if(x >= 0, x, -x)", "if(x > 0, x, -x)",
        "sign(x) * x", "floor(x) + x", "ceil(x) * x + x", "mod(x, 2)", "max(x, 0)", "min(0, x)", "x^2", "x^0", "x^1"}) {
    const Point point{0, {0, 0}, {1, 2}, {3, 4}};
    const auto gradient = executor::reference::gradient(evaluate<Dual>(read(text), DualWorld{&point}), 2);
    EXPECT_EQ(gradient[0], evaluate<double>(differentiate(read(text), q0), PointWorld{&point})) << text;
    EXPECT_EQ(gradient[1], evaluate<double>(differentiate(read(text), q1), PointWorld{&point})) << text;
  }
}

TEST(AutoDiff, EvaluatesTheDeepestTree) {
  std::string text = "x";
  for (int i = 1; i < deepest_tree; ++i) text += i % 2 == 0 ? "+y" : "*x";
  const Point point{0, {0.5, 0.25}, {0, 0}, {0, 0}};
  const Dual dual = evaluate<Dual>(read(text), DualWorld{&point});
  EXPECT_EQ(dual.value(), evaluate<double>(read(text), PointWorld{&point}));
}

}  // namespace
}  // namespace conesweep::expression
