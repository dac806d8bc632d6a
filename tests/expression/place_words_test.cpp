// Words that only some places of a scenario know: normal(…), slip(…) and gap(…) of a law, inf, j, and the = of an
// equation.
#include <gtest/gtest.h>

#include <cmath>

#include "expression/parser.hpp"

namespace conesweep::expression {
namespace {

Names make_names() {
  Names names{{"x", "y"}, {"mu"}};
  names.laws = {"floor", "rail", "table"};
  names.about_laws = {{NamedLaw::Kind::contact, {.name = "floor"}},
                      {NamedLaw::Kind::bilateral, {}, false},
                      {NamedLaw::Kind::resistance}};
  Definition& gap = names.about_laws[0].gap;
  gap.tree = make_symbol({Symbol::Kind::coordinate, 1});
  gap.state = Definition::State::ready;
  gap.nodes = 1;
  return names;
}

std::string read(const std::string& text, const Allowed& allowed, const Names& names = make_names()) {
  std::vector<Fault> faults;
  const Expr expr = parse(text, names, faults, allowed);
  if (expr) validate(expr, names, allowed, faults);
  if (faults.empty()) return to_text(expr, names);
  std::string all;
  for (const Fault& fault : faults)
    all += std::to_string(fault.span.offset) + "+" + std::to_string(fault.span.length) + " " + fault.message + "\n";
  all.pop_back();
  return all;
}

const Allowed limit = {.place = "limit",
                       .time = true,
                       .coordinates = true,
                       .velocities = true,
                       .history = true,
                       .laws = true,
                       .infinity = true};
const Allowed size = {.place = "size", .atom = true};
const Allowed equation = {.place = "holds", .time = true, .coordinates = true, .equation = true};

TEST(PlaceWords, AskForSomethingOfALaw) {
  EXPECT_EQ(read("mu*normal(rail)", limit), "mu * normal(rail)");
  EXPECT_EQ(read("slip (  table ) + 1", limit), "slip(table) + 1");
  EXPECT_EQ(read("2*gap(floor)^2", limit), "2 * y^2");
  EXPECT_EQ(read("floor(x) + normal(floor)", limit), "floor(x) + normal(floor)")
      << "a law's name and a function's do not meet";
}

TEST(PlaceWords, AreNamesWithoutAParenthesis) {
  Names names = make_names();
  names.parameters = {"normal", "slip", "gap"};
  EXPECT_EQ(read("normal*slip - gap", limit, names), "normal * slip - gap");
  for (const char* word : {"normal", "slip", "gap", "inf", "j"}) EXPECT_FALSE(is_reserved(word)) << word;
}

TEST(PlaceWords, StandInTheTextAsAWhole) {
  const Names names = make_names();
  std::vector<Fault> faults;
  const Expr expr = parse("1 + gap( floor )*normal(rail)", names, faults, limit);
  ASSERT_TRUE(expr);
  EXPECT_EQ(expr->args[1]->args[0]->span.offset, 4U);
  EXPECT_EQ(expr->args[1]->args[0]->span.length, 12U);
  EXPECT_EQ(expr->args[1]->args[1]->span.offset, 17U);
  EXPECT_EQ(expr->args[1]->args[1]->span.length, 12U);
}

TEST(PlaceWords, OfLawsNeedTheRightLawAndPlace) {
  EXPECT_EQ(read("normal(flor)", limit), "7+4 unknown law 'flor' in limit; did you mean 'floor'?");
  EXPECT_EQ(read("normal(x)", limit, Names{{"x"}, {}}),
            "7+1 unknown law 'x' in limit; the scenario has no contact, bilateral constraint or resistance");
  EXPECT_EQ(read("normal(table)", limit), "0+13 'table' is a resistance: it has no normal impulse");
  EXPECT_EQ(read("slip(rail)", limit), "0+10 'rail' is a bilateral constraint without friction: nothing slides there");
  EXPECT_EQ(read("gap(table)", limit), "0+10 'table' is no contact: it has no gap");
  EXPECT_EQ(read("normal(floor)", {.place = "force"}),
            "0+13 'normal(floor)' cannot be used in force: only observables and limits can use it");
  EXPECT_EQ(read("delay(slip(floor), 1)", limit),
            "6+11 'slip(floor)' cannot be used inside a delay: no step but the present one is known to it");
  EXPECT_EQ(read("delay(x, slip(floor))", limit),
            "9+11 'slip(floor)' cannot be part of a delay or window length: only parameters can");
}

TEST(PlaceWords, OfAFaultyContactHaveBeenSaid) {
  Names names = make_names();
  names.about_laws[0].gap.state = Definition::State::faulty;
  std::vector<Fault> faults;
  EXPECT_EQ(parse("gap(floor)", names, faults, limit), nullptr);
  EXPECT_TRUE(faults.empty());
}

TEST(PlaceWords, KnowInfinityOnlyInALimit) {
  const Names names = make_names();
  std::vector<Fault> faults;
  const Expr expr = parse("-inf", names, faults, limit);
  ASSERT_TRUE(expr);
  EXPECT_EQ(expr->op, Op::negate);
  EXPECT_TRUE(std::isinf(expr->args[0]->value));
  EXPECT_EQ(read("if(x > 0, inf, mu)", limit), "if(x > 0, inf, mu)");
  EXPECT_EQ(read("inf", size), "0+3 unknown name 'inf' in size");
}

TEST(PlaceWords, KnowTheNumberOfAPercussion) {
  EXPECT_EQ(read("mu*2^-j", size), "mu * 2^-j");
  EXPECT_EQ(read("j", limit), "0+1 unknown name 'j' in limit");
  EXPECT_EQ(
      read("j", size, Names{{}, {"j"}}),
      "0+1 'j' has a meaning of its own in size, and is a name of the scenario, too; call that one something else");
  EXPECT_EQ(read("j", {.place = "force"}, Names{{}, {"j"}}), "j");
}

TEST(PlaceWords, JoinTheSidesOfAnEquation) {
  EXPECT_EQ(read("x = y", equation), "x - y");
  EXPECT_EQ(read("x - 1=y - -t", equation), "x - 1 - (y - -t)");
  EXPECT_EQ(read("(x) = (y + 1)", equation), "x - (y + 1)");
  EXPECT_EQ(read("if(x == 1, 1, 0) = y", equation), "if(x == 1, 1, 0) - y");
}

TEST(PlaceWords, SayWhatIsWrongWithAnEquation) {
  const std::string needs = "holds needs an equation, two sides with = between them";
  EXPECT_EQ(read("x - y", equation), "0+5 " + needs);
  EXPECT_EQ(read("x >= y", equation), "0+6 " + needs);
  EXPECT_EQ(read("x == y", equation), "0+6 an equation is written with one =, not with ==");
  EXPECT_EQ(read("x = y = 1", equation), "6+1 an equation has only one = sign");
  EXPECT_EQ(read("= y", equation), "0+1 the left side of = is missing");
  EXPECT_EQ(read("x =  ", equation), "2+1 the right side of = is missing");
  EXPECT_EQ(read("", equation), "0+1 the expression is empty");
  EXPECT_EQ(read("x y = 1", equation), "2+1 an operator is missing before 'y'");
  EXPECT_EQ(read("x = z", equation), "4+1 unknown name 'z' in holds");
  EXPECT_EQ(read("x = y == 1", equation), "4+6 '=' needs a number, got a condition; write if(condition, 1, 0)");
  EXPECT_EQ(read("x = y", limit), "2+1 unexpected '='; to compare write ==");
}

TEST(PlaceWords, KeepAnEquationWithinTheBoundsOfATree) {
  std::string long_side = "x";
  for (int i = 0; i < deepest_tree - 1; ++i) long_side += "+1";
  EXPECT_NE(read(long_side + " = y", equation).find("expression is too deep"), std::string::npos);
}

}  // namespace
}  // namespace conesweep::expression
