// The statements that expressions become: contraction by our rule, common parts once, parts of parameters alone once a
// member.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expression/parser.hpp"
#include "model/emitter.hpp"

namespace conesweep::model {
namespace {

using expression::Expr;
using expression::Symbol;
using ::testing::HasSubstr;
using ::testing::Not;

class EmitterText : public ::testing::Test {
 protected:
  expression::Names names_{{"x", "y"}, {"a", "b"}};
  Constants constants_;

  Expr read(const std::string& text) {
    std::vector<expression::Fault> faults;
    const Expr expr = expression::parse(text, names_, faults);
    if (!expr) throw std::runtime_error(text);
    return expr;
  }

  Emitter emitter() {
    return Emitter(constants_,
                   {[](Symbol s) {
                      return s.kind == Symbol::Kind::coordinate ? "q[" + std::to_string(s.index) + "]"
                             : s.kind == Symbol::Kind::velocity ? "v[" + std::to_string(s.index) + "]"
                                                                : "t";
                    },
                    "c"},
                   "");
  }

  std::string emit(const std::string& text) {
    Emitter writer = emitter();
    writer.assign("r", read(text));
    return writer.text();
  }

  static int count(const std::string& text, const std::string& part) {
    int times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  }
};

TEST_F(EmitterText, AProductThatIsAddedOnceBecomesOneFma) {
  EXPECT_THAT(emit("x * y + t"), HasSubstr("fma(q[0], q[1], t)"));
  EXPECT_THAT(emit("t + x * y"), HasSubstr("fma(q[0], q[1], t)"));
  EXPECT_THAT(emit("x * y - t"), HasSubstr("fma(q[0], q[1], -t)"));
  EXPECT_THAT(emit("t - x * y"), HasSubstr("fma(-q[0], q[1], t)"));
}

// x*x - R*R must be 0 where x = R: with one of two products in an fma it would not be.
TEST_F(EmitterText, ASumOfTwoProductsIsNotContracted) {
  for (const char* text :
       {"x * y + x * t", "a * a - x * x", "x^2 + y^2 - a^2", "(x * x + t) - (y * y - t)", "-(x * y) + 2 * y",
        "x * y + (t - (t + -(x * t)))", "x * y + x / y", "t * y - x^2.5", "abs(x * y) - t * t", "max(x * x, y) - t * t",
        "if(x > y, x * x, y) - t * t", "sqrt(a * a - x * x)"})
    EXPECT_THAT(emit(text), Not(HasSubstr("fma"))) << text;
  EXPECT_THAT(emit("if(x * x + t > y * y + t, x, y)"), Not(HasSubstr("fma")));
}

TEST_F(EmitterText, AProductInsideATermIsAnotherSum) {
  EXPECT_THAT(emit("x * y + sin(x * t + y)"), HasSubstr("fma(q[0], q[1], e"));
  EXPECT_THAT(emit("x * y + sin(x * t + y)"), HasSubstr("fma(q[0], t, q[1])"));
  EXPECT_THAT(emit("(x * y + t) * (x * y + t)"), HasSubstr("fma(q[0], q[1], t)"));
}

// A part that stands elsewhere, too, has one value: that of the sum with two products.
TEST_F(EmitterText, APartOfASumKeepsItsEqualitiesEverywhere) {
  Emitter writer = emitter();
  writer.assign({{"f", read("sin(x * y + t)")}, {"g", read("(x * y + t) - y * y")}});
  EXPECT_THAT(writer.text(), Not(HasSubstr("fma")));
}

TEST_F(EmitterText, PartsOfParametersAloneKnowOfTheSumTheyAreIn) {
  emit("a * a + 1 - x * x");
  ASSERT_EQ(constants_.entries().size(), 1u);
  EXPECT_TRUE(constants_.entries()[0].keeps_equalities);
  emit("sin(a * b + 1) + x * x");
  ASSERT_EQ(constants_.entries().size(), 2u);
  EXPECT_FALSE(constants_.entries()[1].keeps_equalities) << "sin(…) is no product";
  Emitter writer(constants_, {[](Symbol) { return "t"; }, ""}, "");
  writer.assign({{"c[0]", constants_.entries()[0].expr, true}, {"c[1]", constants_.entries()[1].expr, false}});
  EXPECT_EQ(count(writer.text(), "fma"), 1);
}

TEST_F(EmitterText, AProductUsedTwiceIsRoundedOnce) {
  // contracted in one place and not in the other, x y would have two values
  const std::string text = emit("x * y + sin(x * y)");
  EXPECT_THAT(text, Not(HasSubstr("fma")));
  EXPECT_EQ(count(text, "q[0] * q[1]"), 1);
}

TEST_F(EmitterText, CountsUsesOverAllAssignmentsOfAList) {
  Emitter writer = emitter();
  writer.assign({{"f", read("x * y + t")}, {"g", read("x * y")}});
  EXPECT_THAT(writer.text(), Not(HasSubstr("fma")));
  EXPECT_EQ(count(writer.text(), "q[0] * q[1]"), 1);
}

TEST_F(EmitterText, ComputesCommonPartsOnce) {
  const std::string text = emit("sin(x + y) * exp(sin(x + y)) - sin(x + y)");
  EXPECT_EQ(count(text, "sin("), 1);
  EXPECT_EQ(count(text, "q[0] + q[1]"), 1);
}

TEST_F(EmitterText, TakesWhatDependsOnParametersAloneFromTheConstants) {
  const std::string text = emit("sin(a * b) * x + sqrt(a) / (2 * b + 1)");
  EXPECT_THAT(text, HasSubstr("c[0]"));
  EXPECT_THAT(text, Not(HasSubstr("sin")));
  EXPECT_THAT(text, Not(HasSubstr("sqrt")));
  EXPECT_THAT(text, Not(HasSubstr("parameters")));
  ASSERT_EQ(constants_.entries().size(), 2u);  // the largest such parts, whole
  emit("sin(a * b) + y");
  EXPECT_EQ(constants_.entries().size(), 2u) << "the same part has the same place in every function";
}

TEST_F(EmitterText, SmallWholePowersBecomeProducts) {
  EXPECT_THAT(emit("x^2"), HasSubstr("pow_int<2>(q[0])"));
  Emitter writer = emitter();
  writer.assign("r", expression::make_node(expression::Op::power, {read("x"), expression::make_constant(-3)}));
  EXPECT_THAT(writer.text(), HasSubstr("pow_int<-3>(q[0])"));
  EXPECT_THAT(emit("x^0.5"), HasSubstr("sqrt(q[0])"));
  EXPECT_THAT(emit("x^2.5"), HasSubstr("pow(q[0], "));
  EXPECT_THAT(emit("x^9"), HasSubstr("pow(q[0], "));
  EXPECT_THAT(emit("x^y"), HasSubstr("pow(q[0], q[1])"));
}

TEST_F(EmitterText, ConditionsAreMasksAndChoicesSelect) {
  const std::string text = emit("if(x > 0 and not (y < a or x == y), x, -y)");
  for (const char* part :
       {"q[0] > Real(Scalar(0x0p+0))", "q[1] < c[0]", "q[0] == q[1]", " || ", "!e", " && ", "select(e"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(emit("max(x, y)"), HasSubstr("select(q[0] > q[1], q[0], q[1])"));
  EXPECT_THAT(emit("min(x, y)"), HasSubstr("select(q[0] < q[1], q[0], q[1])"));
}

TEST_F(EmitterText, LiteralsKeepAllTheirBits) {
  EXPECT_EQ(real_literal(0.1), "Real(Scalar(0x1.999999999999ap-4))");
  EXPECT_EQ(real_literal(-0.0), "Real(Scalar(-0x0p+0))");
  EXPECT_EQ(real_literal(4.9406564584124654e-324), "Real(Scalar(0x0.0000000000001p-1022))");
}

}  // namespace
}  // namespace conesweep::model
