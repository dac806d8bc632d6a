// The grammar by hand values.
#include "expression/parser.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "expression/evaluate.hpp"
#include "parsed.hpp"

namespace conesweep::expression {
namespace {

TEST(Parser, ReadsNumbers) {
  EXPECT_EQ(value("0"), 0);
  EXPECT_EQ(value("12"), 12);
  EXPECT_EQ(value("12."), 12);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("1e3"), 1000);
  EXPECT_EQ(value("1E+3"), 1000);
  EXPECT_EQ(value("25e-1"), 2.5);
  EXPECT_EQ(value("00012"), 12);
  EXPECT_EQ(value("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(value("2.2250738585072014e-308"), std::numeric_limits<double>::min());
  EXPECT_EQ(value("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value("0e-400"), 0);
  // halfway between 2^53 and 2^53 + 2, and just above: correctly rounded
  EXPECT_EQ(value("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(value("9007199254740993.0000000000000000000000000000000001"), 9007199254740994.0);
}

TEST(Parser, KnowsEveryKindOfName) {
  EXPECT_EQ(value("x"), 3);
  EXPECT_EQ(value("vy"), 0.25);
  EXPECT_EQ(value("t"), 10);
  EXPECT_EQ(value("tau"), 2);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(read("vx")->symbol, (Symbol{Symbol::Kind::velocity, 0}));
  EXPECT_EQ(read("y")->symbol, (Symbol{Symbol::Kind::coordinate, 1}));
  EXPECT_EQ(read("k")->symbol, (Symbol{Symbol::Kind::parameter, 2}));
  EXPECT_EQ(read("t")->symbol, (Symbol{Symbol::Kind::time, 0}));
}

TEST(Parser, BindsArithmeticAsInMathematics) {
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4"), 20);
  EXPECT_EQ(value("2 - 3 - 4"), -5);
  EXPECT_EQ(value("2 - (3 - 4)"), 3);
  EXPECT_EQ(value("24 / 4 / 2"), 3);
  EXPECT_EQ(value("24 / 4 * 2"), 12);
  EXPECT_EQ(value("24 / (4 * 2)"), 3);
  EXPECT_EQ(value("2 * 3 ^ 2"), 18);
  EXPECT_EQ(value("x*y-k/tau"), -8);
  EXPECT_EQ(value(" \t\r\n1 \n+\t1 "), 2);
}

TEST(Parser, BindsPowersToTheRightAndStrongerThanSigns) {
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("(2^3)^2"), 64);
  EXPECT_EQ(value("-x^2"), -9);
  EXPECT_EQ(value("(-x)^2"), 9);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^-1*4"), 2);
  EXPECT_EQ(value("2^+1"), 2);
  EXPECT_EQ(value("2^-2^2"), 1.0 / 16);
  EXPECT_EQ(value("2^--1"), 2);
  EXPECT_EQ(value("4^x/2"), 32);
  EXPECT_EQ(value("-2^2 + 1"), -3);
  EXPECT_EQ(value("y^2"), 4);
}

TEST(Parser, TakesSignsAnywhereAValueMayBegin) {
  EXPECT_EQ(value("--x"), 3);
  EXPECT_EQ(value("-+-x"), 3);
  EXPECT_EQ(value("+x"), 3);
  EXPECT_EQ(value("2 - -x"), 5);
  EXPECT_EQ(value("2 * -x * 4"), -24);
  EXPECT_EQ(value("-x * 2"), -6);
  EXPECT_EQ(value("2 / -x + 1"), 2.0 / -3 + 1);
  EXPECT_EQ(value("abs(-x)"), 3);
}

TEST(Parser, Compares) {
  EXPECT_TRUE(truth("x > y"));
  EXPECT_FALSE(truth("x < y"));
  EXPECT_TRUE(truth("x >= 3"));
  EXPECT_TRUE(truth("x <= 3"));
  EXPECT_TRUE(truth("x == 3"));
  EXPECT_FALSE(truth("x != 3"));
  EXPECT_TRUE(truth("x + 1 > k - 1"));
  EXPECT_TRUE(truth("x<-1 or x>-1"));
  EXPECT_TRUE(truth("(x > y)"));
}

TEST(Parser, BindsOrWeakerThanAndWeakerThanNot) {
  EXPECT_TRUE(truth("x > 0 or x > 0 and x < 0"));
  EXPECT_FALSE(truth("(x > 0 or x > 0) and x < 0"));
  EXPECT_TRUE(truth("x < 0 and x < 0 or x > 0"));
  EXPECT_FALSE(truth("not x > 0 or x < 0"));
  EXPECT_TRUE(truth("not (x > 0 and x < 0)"));
  EXPECT_FALSE(truth("not x > 0 and x < 0"));
  EXPECT_TRUE(truth("not not x > 0"));
  EXPECT_TRUE(truth("x > 0 and not y > 0"));
  EXPECT_EQ(value("if(x > 0 and not y > 0, 1, 2)"), 1);
}

TEST(Parser, KnowsEveryFunction) {
  // clang-format off
  const std::vector<std::pair<std::string, double>> table = {
      {"abs(y)", 2}, {"acos(1)", 0}, {"acos(-1)", std::numbers::pi}, {"asin(1)", std::numbers::pi / 2}, {"atan(1)", std::numbers::pi / 4},
      {"ceil(1.2)", 2}, {"ceil(-1.2)", -1}, {"cos(0)", 1}, {"cos(pi)", -1}, {"cosh(0)", 1}, {"exp(0)", 1}, {"exp(1)", std::numbers::e},
      {"floor(1.8)", 1}, {"floor(-1.2)", -2}, {"log(1)", 0}, {"log(exp(2))", 2}, {"log10(1000)", 3}, {"sign(x)", 1}, {"sign(y)", -1},
      {"sign(0)", 0}, {"sin(pi/2)", 1}, {"sinh(0)", 0}, {"sinh(1)", (std::numbers::e - 1 / std::numbers::e) / 2}, {"sqrt(16)", 4},
      {"tan(pi/4)", 1}, {"tanh(0)", 0}, {"tanh(100)", 1}, {"atan2(1, 0)", std::numbers::pi / 2}, {"atan2(0, -1)", std::numbers::pi}, {"atan2(-0, -1)", std::numbers::pi},
      {"hypot(3, 4)", 5}, {"max(1, 2)", 2}, {"max(3, 1, 2)", 3}, {"min(1, 2)", 1}, {"min(3, 2, 1, 4)", 1}, {"mod(7, 3)", 1},
      {"mod(-1, 3)", 2}, {"mod(1, -3)", -2}, {"pow(2, 10)", 1024}, {"if(x > 0, 1, 2)", 1}, {"if(x < 0, 1, 2)", 2}, {"delay(x, tau)", 7},
      {"window_max(x, 1)", 7}, {"window_min(x, 1)", 7}, {"window_mean(x, 1)", 7}, {"window_max(abs(now(x) - x), 1)", 7},
  };
  // clang-format on
  for (const auto& [text, expected] : table)
    EXPECT_NEAR(value(text), expected, 2e-16 * (1 + std::fabs(expected))) << text;
  // none is left out: every name of the table of functions stands in a text above
  for (const auto& function : functions()) {
    const std::string call = std::string(function.name) + "(";
    EXPECT_TRUE(std::any_of(table.begin(), table.end(), [&](const auto& row) {
      return row.first.find(call) != std::string::npos;
    })) << call;
  }
}

TEST(Parser, TakesRemaindersExactly) {
  // 0.1 is a little more than a tenth: it fits into 0.5 four times, though the rounded quotient is 5
  EXPECT_EQ(value("mod(0.5, 0.1)"), 0.5 - 4 * 0.1);
  EXPECT_NEAR(value("mod(-0.5, 0.1)"), 0, 1e-16);
  EXPECT_EQ(value("mod(2^53, 3)"), 2);
  EXPECT_EQ(value("mod(1e300, 7)"), std::fmod(1e300, 7));
  EXPECT_EQ(value("mod(-0.25, 1e20)"), 1e20);
}

TEST(Parser, MakesPairsOfLongMinAndMax) {
  EXPECT_TRUE(same_tree(read("max(x, y, k)"), read("max(max(x, y), k)")));
  EXPECT_FALSE(same_tree(read("max(x, y, k)"), read("max(x, max(y, k))")));
  EXPECT_EQ(to_text(read("max(max(x, y), k)"), names), "max(x, y, k)");
  EXPECT_EQ(to_text(read("max(x, max(y, k))"), names), "max(x, max(y, k))");
  EXPECT_EQ(to_text(read("max(min(x, y), k)"), names), "max(min(x, y), k)");
  EXPECT_EQ(value("max(" + repeat("x, ", 500) + "k)"), 4);
}

TEST(Parser, SpansCoverWhatTheUserWrote) {
  const auto text_of = [](const std::string& text, const Expr& expr) {
    return text.substr(expr->span.offset, expr->span.length);
  };
  const std::string text = " (x + 1) * -(y) - sin( k )^(2)";
  const Expr expr = read(text);
  EXPECT_EQ(text_of(text, expr), "(x + 1) * -(y) - sin( k )^(2)");
  EXPECT_EQ(text_of(text, expr->args[0]), "(x + 1) * -(y)");
  EXPECT_EQ(text_of(text, expr->args[0]->args[0]), "x + 1");
  EXPECT_EQ(text_of(text, expr->args[0]->args[1]), "-(y)");
  EXPECT_EQ(text_of(text, expr->args[0]->args[1]->args[0]), "y");
  EXPECT_EQ(text_of(text, expr->args[1]), "sin( k )^(2)");
  EXPECT_EQ(text_of(text, expr->args[1]->args[0]), "sin( k )");
}

}  // namespace
}  // namespace conesweep::expression
