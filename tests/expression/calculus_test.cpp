// Simplification by rules, and text that reads back to the same tree.
#include "expression/calculus.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "calculus_worlds.hpp"
#include "executor/reference/autodiff.hpp"
#include "expression/parser.hpp"
#include "random_expression.hpp"
#include "scalars.hpp"

namespace conesweep::expression {
namespace {

using executor::reference::Dual;
using testing::Point;
using testing::PointWorld;
using testing::RandomExpression;
using testing::Rounded;

// ---- simplification, rule by rule ----

TEST(Simplify, HasTheseRules) {
  // clang-format off
  const std::vector<std::pair<std::string, std::string>> table = {
      // sums
      {"x + 0", "x"}, {"0 + x", "x"}, {"x - 0", "x"}, {"0 - x", "-x"}, {"x + -y", "x - y"}, {"-x + y", "y - x"}, {"x - -y", "x + y"},
      {"x - x", "0"}, {"sin(x) - sin(x)", "0"}, {"-(x - y)", "y - x"}, {"--x", "x"}, {"-(x - 0*y)", "-x"},
      // products
      {"0*x", "0"}, {"x*0", "0"}, {"1*x", "x"}, {"x*1", "x"}, {"x*-1", "-x"}, {"-1*x", "-x"}, {"-x*y", "-(x * y)"}, {"x*-y", "-(x * y)"},
      {"-x*-y", "x * y"}, {"0/x", "0"}, {"x/1", "x"}, {"x/-1", "-x"}, {"-x/y", "-(x / y)"}, {"x/-y", "-(x / y)"}, {"-x/-y", "x / y"},
      // powers
      {"x^0", "1"}, {"x^1", "x"}, {"1^x", "1"}, {"pow(x, 1)", "x"},
      // functions
      {"abs(abs(x))", "abs(x)"}, {"abs(-x)", "abs(x)"}, {"abs(sqrt(x))", "sqrt(x)"}, {"abs(exp(x))", "exp(x)"}, {"abs(cosh(x))", "cosh(x)"},
      {"abs(hypot(x, y))", "hypot(x, y)"}, {"max(x, x)", "x"}, {"min(x*y, x*y)", "x * y"},
      // constants, where IEEE 754 prescribes the result
      {"1 + 2*3", "7"}, {"1/3", "0.3333333333333333"}, {"0.1 + 0.2", "0.30000000000000004"}, {"sqrt(2)", "1.4142135623730951"}, {"-2", "-2"},
      {"abs(-2)", "2"}, {"floor(-1.5)", "-2"}, {"ceil(-1.5)", "-1"}, {"sign(-3)", "-1"}, {"min(2, 1)", "1"}, {"max(2, 1, 3)", "3"},
      {"1e-200*1e-200", "0"}, {"sin(0) + cos(0)*exp(0)", "1"}, {"log(1) + acos(1)", "0"}, {"3^1 + 3^0", "4"},
      // conditions
      {"if(1 < 2, x, y)", "x"}, {"if(1 > 2, x, y)", "y"}, {"if(a > b, x, x)", "x"}, {"not not x > 0", "x > 0"}, {"1 < 2 and x > 0", "x > 0"},
      {"x > 0 and 1 > 2", "0 != 0"}, {"x > 0 or 1 == 1", "0 == 0"}, {"1 != 1 or x > 0", "x > 0"}, {"not 1 >= 2", "0 == 0"}, {"2 <= 2", "0 == 0"},
      {"if(not (x > 0 and 2 < 1), x, y)", "x"},
      // inside history terms too
      {"delay(1*x, a + 0)", "delay(x, a)"}, {"window_max(now(x)*1 - x, 2*3)", "window_max(now(x) - x, 6)"},
  };
  // clang-format on
  for (const auto& [text, expected] : table) EXPECT_EQ(simple(text), expected) << text;
}

TEST(Simplify, HasNoRuleThatChangesAValue) {
  for (const std::string text :
       {"2 * (3 * x)", "2 + (3 + x)", "x + 1 - 1", "x / 3", "x * 3 / 3", "x / x", "x + y - y", "x * y / y", "x + x",
        "x * x", "x * a + x * b", "x^2", "sqrt(x)^2", "sqrt(x * x)", "exp(log(x))", "x^2 * x", "max(x, y)", "x - y",
        "2 * x + 3 * x", "abs(x * y)", "x^0.5", "1 / x", "x^-1",
        // not prescribed by IEEE 754: left to the executor's own functions
        "sin(1)", "exp(1)", "2^0.5", "2^3", "hypot(3, 4)", "atan2(1, 1)", "tanh(1)", "log10(100)", "mod(7, 2)",
        "cosh(1)",
        // not finite: stays visible as the operation that made it
        "1 / 0", "0 / 0", "sqrt(-1)", "1e+300 * 1e+300", "log(0)", "1e+308 + 1e+308", "x + 1 / 0",
        // conditions on numbers that may be nan
        "x == x", "not x < 0", "x >= x", "if(x > 0, 1, 2)", "x > 0 and x > 0", "x > 0 or not x > 0",
        // different things
        "delay(x, a) - delay(x, b)", "delay(x, a) - x", "window_max(x, a) - window_min(x, a)"})
    EXPECT_EQ(simple(text), text);
}

TEST(Simplify, MayLoseTheSignOfAZeroBecauseNoFunctionShowsIt) {
  // x*0 is -0 at x = -2, and 0 when simplified
  for (const std::string text : {"atan2(x*0, -1)", "atan2(x*0, x*0)", "atan2(0, x*0)", "sqrt(x*0)", "sign(x*0)",
                                 "(x*0)^3", "max(x*0, 0)", "hypot(x*0, 0)"}) {
    EXPECT_EQ(at(simplify(read(text)), -2, 0), at(read(text), -2, 0)) << text;
    const Point point{0, {-2, 0}, {0, 0}, {0, 0}};
    EXPECT_EQ(evaluate<Dual>(read(text), DualWorld{&point}).value(), at(read(text), -2, 0)) << text;
  }
}

TEST(Simplify, KeepsEveryFiniteValueToTheBit) {
  int compared = 0, not_finite = 0, conditions = 0;
  for (const bool history : {false, true}) {
    RandomExpression random(history ? 11 : 12, {.size = 30, .history = history});
    const Names own = random.names();
    for (int i = 0; i < 10'000; ++i) {
      const bool is_condition = i % 8 == 0;
      const Expr expr = is_condition ? random.condition() : random.number();
      const Expr shorter = simplify(expr);
      ASSERT_EQ(shorter->condition, is_condition);
      ASSERT_LE(count_distinct_nodes(shorter), count_distinct_nodes(expr)) << to_text(expr, own);
      ASSERT_TRUE(same_tree(simplify(shorter), shorter)) << to_text(expr, own) << "\n  once:  " << to_text(shorter, own)
                                                         << "\n  twice: " << to_text(simplify(shorter), own);
      for (int p = 0; p < 3; ++p) {
        const Point point = Point::random(random, own);
        const PointWorld world{&point};
        Rounded::doubt = {};
        if (is_condition) {
          const bool before = holds<Rounded>(expr, RoundedWorld{&point});
          if (Rounded::doubt.non_finite) {
            ++not_finite;
            continue;
          }
          ASSERT_EQ(holds<double>(shorter, world), before)
              << to_text(expr, own) << "\n  became " << to_text(shorter, own);
          ++conditions;
        } else {
          const double before = evaluate<Rounded>(expr, RoundedWorld{&point}).value;
          if (Rounded::doubt.non_finite) {
            ++not_finite;
            continue;
          }
          ASSERT_EQ(std::memcmp(&before, std::array{evaluate<double>(expr, world)}.data(), sizeof before), 0)
              << "Rounded must not change a value";
          const double after = evaluate<double>(shorter, world);
          ASSERT_TRUE(same_value(before, after))
              << to_text(expr, own) << " = " << before << "\n  became " << to_text(shorter, own) << " = " << after;
        }
        ++compared;
      }
    }
  }
  RecordProperty("compared", compared);
  RecordProperty("not_finite", not_finite);
  EXPECT_GT(compared, 30'000) << not_finite << " were not finite";
  EXPECT_GT(conditions, 3'000);
}

// ---- text ----

TEST(Text, ReadsBackToTheSameTree) {
  RandomExpression random(21, {.size = 40, .history = true});
  const Names own = random.names();
  for (int i = 0; i < 10'000; ++i) {
    const Expr expr = i % 8 == 0 ? random.condition() : random.number();
    std::vector<Fault> faults;
    const Expr again = parse(to_text(expr, own), own, faults);
    ASSERT_TRUE(again) << to_text(expr, own) << ": " << faults[0].message;
    ASSERT_TRUE(same_tree(again, expr)) << to_text(expr, own) << "\n  read as " << to_text(again, own);
    // random trees are what a user may write
    validate(again, own,
             {.place = "test",
              .time = true,
              .coordinates = true,
              .velocities = true,
              .history = true,
              .condition = expr->condition},
             faults);
    ASSERT_TRUE(faults.empty()) << to_text(expr, own) << ": " << faults[0].message;
    // a sign becomes part of a constant when it is simplified, so compare there
    const Expr shorter = simplify(expr);
    const Expr shorter_again = parse(to_text(shorter, own), own, faults);
    ASSERT_TRUE(shorter_again) << to_text(shorter, own) << ": " << faults[0].message;
    ASSERT_TRUE(same_tree(simplify(shorter_again), shorter)) << to_text(shorter, own);
  }
}

TEST(Text, IsTakenInTimeProportionalToItsLength) {
  std::string text = "x";
  for (int i = 0; i < 900; ++i) text = i % 2 == 0 ? text + " + x" : text + " * y";
  EXPECT_EQ(to_text(read("max(" + text + ", 1)"), names), "max(" + text + ", 1)");
}

}  // namespace
}  // namespace conesweep::expression
