// Every message of the grammar with its exact text and place: they are part of the product.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "expression/evaluate.hpp"
#include "expression/parser.hpp"
#include "parsed.hpp"

namespace conesweep::expression {
namespace {

TEST(ParserFaults, NothingToRead) {
  expect_faults({
      {"", {{0, 1}, "the expression is empty"}},
      {" \t ", {{0, 1}, "the expression is empty"}},
      {"x +", {{3, 1}, "the expression ends too early"}},
      {"x > 0 and", {{9, 1}, "the expression ends too early"}},
      {"-", {{1, 1}, "the expression ends too early"}},
      {"not", {{3, 1}, "the expression ends too early"}},
      {"2^", {{2, 1}, "the expression ends too early"}},
      {"max(1,", {{6, 1}, "the expression ends too early"}},
  });
}

TEST(ParserFaults, UnknownNames) {
  expect_faults({
      {"2*alfa", {{2, 4}, "unknown name 'alfa' in force; did you mean 'alpha'?"}},
      {"vz", {{0, 2}, "unknown name 'vz' in force; did you mean 'vx'?"}},
      {"velocity", {{0, 8}, "unknown name 'velocity' in force"}},
      {"X", {{0, 1}, "unknown name 'X' in force"}},
      {"Pi", {{0, 2}, "unknown name 'Pi' in force; did you mean 'pi'?"}},
      {"foo(2)", {{0, 3}, "unknown function 'foo' in force"}},
      {"Sin(x)", {{0, 3}, "unknown function 'Sin' in force; did you mean 'sin'?"}},
      {"arctan(x)", {{0, 6}, "unknown function 'arctan' in force; did you mean 'atan'?"}},
      {"ln(x)", {{0, 2}, "unknown function 'ln' in force; did you mean 'log'?"}},
      {"windowmax(x, 1)", {{0, 9}, "unknown function 'windowmax' in force; did you mean 'window_max'?"}},
      {repeat("a", 100), {{0, 100}, "unknown name '" + repeat("a", 64) + "…' in force"}},
  });
  EXPECT_EQ(faults_of("alfa", ""), (std::vector<Fault>{{{0, 4}, "unknown name 'alfa'; did you mean 'alpha'?"}}));
}

TEST(ParserFaults, AllUnknownNamesAtOnce) {
  EXPECT_EQ(faults_of("x + alfa * xx + taau"),
            (std::vector<Fault>{{{4, 4}, "unknown name 'alfa' in force; did you mean 'alpha'?"},
                                {{11, 2}, "unknown name 'xx' in force; did you mean 'x'?"},
                                {{16, 4}, "unknown name 'taau' in force; did you mean 'tau'?"}}));
  EXPECT_EQ(faults_of("alfa + "), (std::vector<Fault>{{{0, 4}, "unknown name 'alfa' in force; did you mean 'alpha'?"},
                                                      {{7, 1}, "the expression ends too early"}}));
}

TEST(ParserFaults, Parentheses) {
  expect_faults({
      {"(x", {{0, 1}, "this parenthesis is not closed"}},
      {"x * (y + (k)", {{4, 1}, "this parenthesis is not closed"}},
      {"sin(x", {{3, 1}, "this parenthesis is not closed"}},
      {"max(x, y", {{3, 1}, "this parenthesis is not closed"}},
      {"(x))", {{3, 1}, "this parenthesis closes nothing"}},
      {"x)", {{1, 1}, "this parenthesis closes nothing"}},
      {"()", {{1, 1}, "a value is missing before ')'"}},
      {"(x y)", {{3, 1}, "an operator is missing before 'y'"}},
      {"(1, 2)", {{2, 1}, "unexpected ','"}},
      {"[x]", {{0, 1}, "unexpected '['"}},
  });
}

TEST(ParserFaults, MissingOperatorsAndValues) {
  expect_faults({
      {"2 x", {{2, 1}, "an operator is missing before 'x'"}},
      {"2x", {{1, 1}, "an operator is missing before 'x'"}},
      {"x 2", {{2, 1}, "an operator is missing before '2'"}},
      {"2 (x)", {{2, 1}, "an operator is missing before '('"}},
      {"(x) (y)", {{4, 1}, "an operator is missing before '('"}},
      {"(x) not y > 0", {{4, 3}, "an operator is missing before 'not'"}},
      {"1.2.3", {{3, 2}, "an operator is missing before '.3'"}},
      {"1e", {{1, 1}, "an operator is missing before 'e'"}},
      {"0x10", {{1, 3}, "an operator is missing before 'x10'"}},
      {"x + * 2", {{4, 1}, "a value is missing before '*'"}},
      {"* 2", {{0, 1}, "a value is missing before '*'"}},
      {"and x > 0", {{0, 3}, "a value is missing before 'and'"}},
      {"x > 0 or or y > 0", {{9, 2}, "a value is missing before 'or'"}},
      {"max(1,)", {{6, 1}, "a value is missing before ')'"}},
      {"max(1,,2)", {{6, 1}, "a value is missing before ','"}},
      {"x > > y", {{4, 1}, "a value is missing before '>'"}},
  });
}

TEST(ParserFaults, SignsOfOtherLanguages) {
  expect_faults({
      {"2**3", {{1, 2}, "unexpected '**'; for powers write ^"}},
      {"x && y", {{2, 2}, "unexpected '&&'; write and"}},
      {"x & y", {{2, 1}, "unexpected '&'; write and"}},
      {"x || y", {{2, 2}, "unexpected '||'; write or"}},
      {"x | y", {{2, 1}, "unexpected '|'; write or"}},
      {"!x", {{0, 1}, "unexpected '!'; write not"}},
      {"x = 1", {{2, 1}, "unexpected '='; to compare write =="}},
      {"x === 1", {{4, 1}, "unexpected '='; to compare write =="}},
      {"x <> 1", {{2, 2}, "unexpected '<>'; write !="}},
      {"x =< 1", {{2, 2}, "unexpected '=<'; write <="}},
      {"x => 1", {{2, 2}, "unexpected '=>'; write >="}},
      {"x % 2", {{2, 1}, "unexpected '%'; for a remainder write mod(a, b)"}},
      {"x ? 1 : 2", {{2, 1}, "unexpected '?'"}},
      {"x; y", {{1, 1}, "unexpected ';'"}},
      {"1,5", {{1, 1}, "unexpected ','"}},
      {".", {{0, 1}, "unexpected '.'"}},
      {"x @ y", {{2, 1}, "unexpected '@'"}},
      {"'x'", {{0, 1}, "unexpected '''"}},
  });
}

TEST(ParserFaults, BytesThatAreNotAscii) {
  expect_faults({
      {"x ≤ 1", {{2, 3}, "unexpected '≤'; write <="}},
      {"x ≥ 1", {{2, 3}, "unexpected '≥'; write >="}},
      {"x ≠ 1", {{2, 3}, "unexpected '≠'; write !="}},
      {"x − 1", {{2, 3}, "unexpected '−'; write -"}},
      {"x·y", {{1, 2}, "unexpected '·'; write *"}},
      {"x×y", {{1, 2}, "unexpected '×'; write *"}},
      {"x²", {{1, 2}, "unexpected '²'; write ^2"}},
      {"2*π", {{2, 2}, "unexpected 'π'; write pi"}},
      {"α", {{0, 2}, "unexpected 'α'; names consist of letters a to z, digits and _"}},
      {"x + 𝛼", {{4, 4}, "unexpected '𝛼'; names consist of letters a to z, digits and _"}},
      // what is no UTF-8 is not repeated in a message
      {"x \xFF", {{2, 1}, "unexpected byte 0xFF"}},
      {"x \xC3", {{2, 1}, "unexpected byte 0xC3"}},
      {"\xE2\x82 x", {{0, 1}, "unexpected byte 0xE2"}},
      {"\xC0\xAF", {{0, 1}, "unexpected byte 0xC0"}},
      {"\xED\xA0\x80", {{0, 1}, "unexpected byte 0xED"}},
      {"\x80", {{0, 1}, "unexpected byte 0x80"}},
      {"x \x01", {{2, 1}, "unexpected byte 0x01"}},
      {std::string("x\0y", 3), {{1, 1}, "unexpected byte 0x00"}},
  });
}

TEST(ParserFaults, Comparisons) {
  expect_faults({
      {"x < y < k", {{6, 1}, "comparisons do not chain; write a < b and b < c"}},
      {"x == y == k", {{7, 2}, "comparisons do not chain; write a < b and b < c"}},
      {"(x) < (y) <= k", {{10, 2}, "comparisons do not chain; write a < b and b < c"}},
      {"x > 0 and x < y < k", {{16, 1}, "comparisons do not chain; write a < b and b < c"}},
      {"(x < y) < k", {{1, 5}, "'<' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"k < (x < y)", {{5, 5}, "'<' needs a number, got a condition; write if(condition, 1, 0)"}},
  });
}

TEST(ParserFaults, Functions) {
  expect_faults({
      {"sin x", {{0, 3}, "'sin' is a function; write sin(…)"}},
      {"2 * cos", {{4, 3}, "'cos' is a function; write cos(…)"}},
      {"if x > 0", {{0, 2}, "'if' is a function; write if(condition, a, b)"}},
      {"x(2)", {{0, 1}, "'x' is not a function; to multiply write x * (…)"}},
      {"x(t - k)", {{0, 1}, "'x' is not a function; for its value a time ago write delay(x, k)"}},
      {"x(t - \xff)", {{0, 1}, "'x' is not a function; to multiply write x * (…)"}},
      {"2*vx( t-(k + 1) ) + y", {{2, 2}, "'vx' is not a function; for its value a time ago write delay(vx, (k + 1))"}},
      {"x(t + k)", {{0, 1}, "'x' is not a function; to multiply write x * (…)"}},
      {"x(t", {{0, 1}, "'x' is not a function; to multiply write x * (…)"}},
      {"pi (2)", {{0, 2}, "'pi' is not a function; to multiply write pi * (…)"}},
      {"t(0)", {{0, 1}, "'t' is not a function; to multiply write t * (…)"}},
      {"sin()", {{0, 5}, "sin takes 1 argument, got 0"}},
      {"1 + sin(x, y)", {{4, 9}, "sin takes 1 argument, got 2"}},
      {"atan2(x)", {{0, 8}, "atan2 takes 2 arguments, got 1"}},
      {"max(x)", {{0, 6}, "max takes at least 2 arguments, got 1"}},
      {"max()", {{0, 5}, "max takes at least 2 arguments, got 0"}},
      {"if(x > 0, 1)", {{0, 12}, "if takes 3 arguments, got 2"}},
      {"delay(x)", {{0, 8}, "delay takes 2 arguments, got 1"}},
      {"now(x, y)", {{0, 9}, "now takes 1 argument, got 2"}},
  });
}

TEST(ParserFaults, NumbersAndConditionsAreDifferent) {
  expect_faults({
      {"x + (y > 0)", {{5, 5}, "'+' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"2 * ((x > 0) and (y > 0))", {{5, 19}, "'*' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"x + not y > 0", {{4, 9}, "'+' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"-(x > 0)", {{2, 5}, "'-' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"+(x > 0)", {{2, 5}, "'+' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"2^(x > 0)", {{3, 5}, "'^' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"sin(x > 0)", {{4, 5}, "'sin' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"max(1, x > 0)", {{7, 5}, "'max' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"pow(x > 0, 1)", {{4, 5}, "'pow' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"delay(x > 0, 1)", {{6, 5}, "'delay' needs a number, got a condition; write if(condition, 1, 0)"}},
      {"if(x > 0, y > 1, 2)",
       {{10, 5}, "the second argument of if needs a number, got a condition; write if(condition, 1, 0)"}},
      {"if(x > 0, 1, y > 2)",
       {{13, 5}, "the third argument of if needs a number, got a condition; write if(condition, 1, 0)"}},
      {"if(x, 1, 2)", {{3, 1}, "the first argument of if needs a condition such as x > 0, got a number"}},
      {"not x", {{4, 1}, "'not' needs a condition such as x > 0, got a number"}},
      {"x and y > 0", {{0, 1}, "'and' needs a condition such as x > 0, got a number"}},
      {"x > 0 or y", {{9, 1}, "'or' needs a condition such as x > 0, got a number"}},
      {"x + (y) or y > 0", {{0, 7}, "'or' needs a condition such as x > 0, got a number"}},
  });
}

TEST(ParserFaults, NumbersOutOfRange) {
  const std::string message = "number out of range; the largest is 1.8e308, the smallest 4.9e-324";
  expect_faults({
      {"1e999", {{0, 5}, message}},
      {"x + 1.8e308", {{4, 7}, message}},
      {"1e-400 * x", {{0, 6}, message}},
      {"1e99999999999999999999", {{0, 22}, message}},
      {repeat("9", 400), {{0, 400}, message}},
      {"0." + repeat("0", 400) + "1", {{0, 403}, message}},
  });
}

TEST(ParserFaults, LengthAndDepthAreBounded) {
  EXPECT_EQ(value(repeat(" ", longest_text - 1) + "1"), 1);
  EXPECT_EQ(faults_of(repeat(" ", longest_text) + "1"),
            (std::vector<Fault>{{{0, 1}, "expression is too long (10001 characters, at most 10000)"}}));

  const auto too_nested = [](std::size_t offset, std::size_t length = 1) {
    return std::vector<Fault>{{{offset, length}, "expression is nested too deeply (more than 200 levels)"}};
  };
  const std::size_t most = deepest_nesting;
  EXPECT_EQ(value(repeat("(", most) + "x" + repeat(")", most)), 3);
  EXPECT_EQ(faults_of(repeat("(", most + 1) + "x" + repeat(")", most + 1)), too_nested(most));
  EXPECT_EQ(value(repeat("-", most) + "x"), 3);
  EXPECT_EQ(faults_of(repeat("-", most + 1) + "x"), too_nested(most));
  EXPECT_EQ(value(repeat("1^", most) + "x"), 1);
  EXPECT_EQ(faults_of(repeat("1^", most + 1) + "x"), too_nested(2 * most + 2));
  EXPECT_EQ(value(repeat("abs(", most) + "x" + repeat(")", most)), 3);
  EXPECT_EQ(faults_of(repeat("abs(", most + 1) + "x"), too_nested(4 * most + 3));
  EXPECT_TRUE(truth(repeat("not ", most) + "x > 0"));
  EXPECT_EQ(faults_of(repeat("not ", most + 1) + "x > 0"), too_nested(4 * most, 3));
  // operators between the parentheses do not count: Horner's scheme of degree 200
  EXPECT_EQ(value(repeat("1 + 0 * (", most) + "x" + repeat(")", most)), 1);

  // the deepest recursion there is: all strengths of operators between two parentheses
  EXPECT_EQ(faults_of(repeat("1 or 1 and 1 < 1 + 1 * max(", most)),
            (std::vector<Fault>{{{27 * most, 1}, "the expression ends too early"}}));

  const std::size_t terms = deepest_tree;
  const std::string group =
      "expression is too deep (more than 1000 operations inside each other); group its terms by parentheses";
  EXPECT_EQ(value(repeat("1 + ", terms - 1) + "1"), 1000);
  EXPECT_EQ(faults_of(repeat("1 + ", terms) + "1"), (std::vector<Fault>{{{0, 4 * terms + 1}, group}}));
  EXPECT_EQ(value(repeat("1+", terms - 2) + "1+(" + repeat("1+", terms - 3) + "1)"), 1997);
  EXPECT_EQ(faults_of("max(" + repeat("1,", terms) + "1)"), (std::vector<Fault>{{{0, 2 * terms + 6}, group}}));
}

// ---- what may stand where ----

std::vector<Fault> validated(const std::string& text, const Allowed& allowed) {
  std::vector<Fault> faults;
  const Expr expr = read(text);
  if (expr) validate(expr, names, allowed, faults);
  return faults;
}

const Allowed inside{.place = "inside", .coordinates = true, .condition = true};
const Allowed force{.place = "force", .time = true, .coordinates = true, .velocities = true, .history = true};
const Allowed constant{.place = "step", .time = false};
const std::vector<Fault> fine;

TEST(Validate, WantsANumberOrACondition) {
  EXPECT_EQ(validated("x > 0", inside), fine);
  EXPECT_EQ(validated("x + 1", inside),
            (std::vector<Fault>{{{0, 5}, "inside needs a condition such as x > 0, got a number"}}));
  EXPECT_EQ(validated(" x > 0", force),
            (std::vector<Fault>{{{1, 5}, "force needs a number, got a condition; write if(condition, 1, 0)"}}));
}

TEST(Validate, NamesWhatCannotBeUsedAndWhatCan) {
  EXPECT_EQ(validated("x + t > alpha", inside),
            (std::vector<Fault>{{{4, 1}, "'t' cannot be used in inside: only coordinates and parameters can"}}));
  EXPECT_EQ(validated("vx > 0 and vy > t", inside),
            (std::vector<Fault>{{{0, 2}, "'vx' cannot be used in inside: only coordinates and parameters can"},
                                {{11, 2}, "'vy' cannot be used in inside: only coordinates and parameters can"},
                                {{16, 1}, "'t' cannot be used in inside: only coordinates and parameters can"}}));
  EXPECT_EQ(validated("2 * x", constant),
            (std::vector<Fault>{{{4, 1}, "'x' cannot be used in step: only parameters can"}}));
  EXPECT_EQ(validated("x + vx", {.place = "start", .time = true}),
            (std::vector<Fault>{{{0, 1}, "'x' cannot be used in start: only t and parameters can"},
                                {{4, 2}, "'vx' cannot be used in start: only t and parameters can"}}));
  EXPECT_EQ(validated("t + x + vx + alpha + pi", force), fine);
}

TEST(Validate, HistoryOnlyWhereThereIsOne) {
  EXPECT_EQ(validated("delay(x, tau) > 0", inside),
            (std::vector<Fault>{{{0, 13}, "delay cannot be used in inside: only coordinates and parameters can"}}));
  EXPECT_EQ(
      validated("window_max(x, tau) > 0", inside),
      (std::vector<Fault>{{{0, 18}, "window_max cannot be used in inside: only coordinates and parameters can"}}));
  EXPECT_EQ(validated("delay(x * vx + t, tau) + window_mean(x, 2 * tau)", force), fine);
}

TEST(Validate, LengthsAreExpressionsOfParameters) {
  EXPECT_EQ(validated("delay(x, tau + alpha * 2)", force), fine);
  EXPECT_EQ(validated("delay(x, x)", force),
            (std::vector<Fault>{{{9, 1}, "'x' cannot be part of a delay or window length: only parameters can"}}));
  EXPECT_EQ(validated("window_min(x, tau * vx + t)", force),
            (std::vector<Fault>{{{20, 2}, "'vx' cannot be part of a delay or window length: only parameters can"},
                                {{25, 1}, "'t' cannot be part of a delay or window length: only parameters can"}}));
  EXPECT_EQ(validated("delay(x, delay(tau, 1))", force),
            (std::vector<Fault>{{{9, 13}, "delay cannot be part of a delay or window length: only parameters can"}}));
  EXPECT_EQ(validated("window_max(x, now(tau))", force),
            (std::vector<Fault>{{{14, 8}, "now cannot be part of a delay or window length: only parameters can"}}));
}

TEST(Validate, DelaysAndWindowsDoNotNest) {
  const std::string message = "delays and windows do not nest";
  EXPECT_EQ(validated("delay(x + delay(y, 1), 1)", force), (std::vector<Fault>{{{10, 11}, message}}));
  EXPECT_EQ(validated("delay(window_max(y, 1), 1)", force), (std::vector<Fault>{{{6, 16}, message}}));
  EXPECT_EQ(validated("window_max(sin(delay(y, 1)), 1)", force), (std::vector<Fault>{{{15, 11}, message}}));
  EXPECT_EQ(validated("window_max(window_min(y, 1), 1)", force), (std::vector<Fault>{{{11, 16}, message}}));
  EXPECT_EQ(validated("window_max(now(delay(y, 1)), 1)", force), (std::vector<Fault>{{{15, 11}, message}}));
  EXPECT_EQ(validated("delay(x, 1) * delay(y, 1)", force), fine);
}

TEST(Validate, WindowsSeeCoordinatesParametersAndNow) {
  EXPECT_EQ(validated("window_max(abs(now(x - alpha) - x) * k, tau)", force), fine);
  EXPECT_EQ(
      validated("window_max(vx, tau)", force),
      (std::vector<Fault>{{{11, 2}, "'vx' cannot be used inside a window: only coordinates and parameters can"}}));
  EXPECT_EQ(
      validated("window_max(x + now(t * vy), tau)", force),
      (std::vector<Fault>{{{19, 1}, "'t' cannot be used inside a window: only coordinates and parameters can"},
                          {{23, 2}, "'vy' cannot be used inside a window: only coordinates and parameters can"}}));
}

TEST(Validate, NowOnlyInsideAWindow) {
  const std::string message = "now(…) has a meaning only inside a window, where names mean the past";
  EXPECT_EQ(validated("now(x)", force), (std::vector<Fault>{{{0, 6}, message}}));
  EXPECT_EQ(validated("delay(now(x), tau)", force), (std::vector<Fault>{{{6, 6}, message}}));
  EXPECT_EQ(validated("window_max(now(now(x)), tau)", force), (std::vector<Fault>{{{15, 6}, "now(…) does not nest"}}));
}

TEST(Validate, AppendsToWhatWasFoundBefore) {
  std::vector<Fault> faults = {{{0, 1}, "earlier"}};
  validate(read("t > 0"), names, inside, faults);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].message, "earlier");
  // an earlier fault does not take the tree of a later text
  EXPECT_NE(parse("x", names, faults), nullptr);
}

TEST(Reserved, WordsThatCannotBeNames) {
  for (const char* word : {"t", "pi", "and", "or", "not", "if", "sin", "delay", "now", "window_max", "pow"})
    EXPECT_TRUE(is_reserved(word)) << word;
  for (const char* word : {"x", "T", "v", "e", "", "Sin", "window"}) EXPECT_FALSE(is_reserved(word)) << word;
}

}  // namespace
}  // namespace conesweep::expression
