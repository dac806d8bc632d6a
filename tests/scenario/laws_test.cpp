// The laws of a model as they are read: masses, contacts with a point or with sliding velocities, bilateral
// constraints, resistances.
#include <gtest/gtest.h>

#include <cmath>

#include "expression/still_world.hpp"
#include "law_scenario.hpp"
#include "scenario/formulas.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using expression::Expr;
using expression::Op;
using expression::Symbol;
using scenario::ContactKind;
using scenario::Formula;
using scenario::Scenario;

std::vector<std::string> texts(const std::vector<Formula>& formulas) {
  std::vector<std::string> list;
  for (const Formula& formula : formulas) list.push_back(formula.text);
  return list;
}
using Texts = std::vector<std::string>;

double value(const Expr& expr, const std::vector<double>& coordinates, const Scenario& s, double t = 0) {
  return expression::evaluate<double>(expr, expression::StillWorld<double>{s.defaults, coordinates, t});
}

std::string text(const Expr& expr, const Scenario& s) { return expression::to_text(expr, s.names); }

TEST(Laws, AreNumberedContactsFirst) {
  const Scenario s = parse_scenario(wheel);
  EXPECT_EQ(s.names.laws, (Texts{"rim", "wall", "rail", "roll", "table"}));
  EXPECT_EQ(s.law_of_bilateral(1), 3);
  EXPECT_EQ(s.law_of_resistance(0), 4);
  EXPECT_TRUE(is_coupled(s));
}

TEST(Laws, WithoutNamesAreCountedKindByKind) {
  const Scenario s =
      parse_scenario(wheel_with({{"name = \"wall\"\n", ""}, {"name = \"roll\"\n", ""}, {"name = \"table\"\n", ""}}));
  EXPECT_EQ(s.names.laws, (Texts{"rim", "contact2", "rail", "bilateral2", "resistance1"}));
}

TEST(Laws, OfADiagonalMass) {
  const Scenario s = parse_scenario(wheel);
  EXPECT_EQ(texts(s.mass), (Texts{"m", "m", "J"}));
  EXPECT_EQ(parse_scenario("[model]\ncoordinates = ['x']\nforce = [0]\n[start]\nx = 0\n[time]\nend = 1\nstep = 1\n")
                .mass.size(),
            0U);
}

TEST(Laws, OfAMassMatrixRowByRow) {
  const Scenario s = parse_scenario(
      wheel_with({{"[\"m\", \"m\", \"J\"]",
                   "[[\"m\", 0, \"m*R*cos(phi)\"], [0, \"m\", 0], [\"R * cos(phi)*m\", 0, \"J + m*R^2\"]]"}}));
  EXPECT_EQ(texts(s.mass), (Texts{"m", "0", "m*R*cos(phi)", "0", "m", "0", "R * cos(phi)*m", "0", "J + m*R^2"}));
}

TEST(Laws, TakeTheLawOfRestitution) {
  EXPECT_EQ(parse_scenario(wheel).restitution_law, scenario::RestitutionLaw::newton);
  EXPECT_EQ(parse_scenario(wheel_with({{"force =", "restitution_law = \"moreau\"\nforce ="}})).restitution_law,
            scenario::RestitutionLaw::moreau);
}

TEST(Laws, ReadInsideInTheNamesOfThePoint) {
  const Scenario s =
      parse_scenario(wheel_with({{"inside = \"rimy >= 0\"", "inside = \"rimy >= sin(t)*rimx - height\""}}));
  const auto& contact = s.contacts[0];
  EXPECT_EQ(kind_of(s, contact), ContactKind::point);
  EXPECT_EQ(texts(contact.point), (Texts{"rimx", "rimy"}));
  // in space the entries of the point are the coordinates: g = sin(t) X - 2R - Y
  EXPECT_DOUBLE_EQ(value(contact.in_space, {3, 4}, s, 0.5), std::sin(0.5) * 3 - 1 - 4);
  // and in the model's coordinates the entries' trees stand in their place
  const std::vector<double> q = {0.1, 0.7, 0.3};
  const double x = 0.1 + 0.5 * std::sin(0.3), y = 0.7 - 0.5 * std::cos(0.3);
  EXPECT_DOUBLE_EQ(value(contact.g, q, s, 0.5), std::sin(0.5) * x - 1 - y);
  EXPECT_TRUE(contact.wall_moves());
}

TEST(Laws, ReadDefinitionsInTheNamesOfThePoint) {
  const Scenario s = parse_scenario(
      wheel_with({{"height = \"2*R\"", "height = \"2*R\"\nramp = \"0.1*rimx + height\"\nhigher = \"ramp + sin(t)\""},
                  {"inside = \"rimy >= 0\"", "inside = \"rimy >= higher - 3\""}}));
  const auto& contact = s.contacts[0];
  EXPECT_DOUBLE_EQ(value(contact.in_space, {3, 4}, s, 0.5), 0.1 * 3 + 1 + std::sin(0.5) - 3 - 4);
  const double x = 0.1 + 0.5 * std::sin(0.3), y = 0.7 - 0.5 * std::cos(0.3);
  EXPECT_DOUBLE_EQ(value(contact.g, {0.1, 0.7, 0.3}, s, 0.5), 0.1 * x + 1 + std::sin(0.5) - 3 - y);
}

TEST(Laws, TakeCoordinatesForAPoint) {
  const Scenario s = parse_scenario(wheel_with(
      {{"point = [\"rimx\", \"rimy\"]\ninside = \"rimy >= 0\"", "point = [\"y\", \"x\"]\ninside = \"y >= x\""}}));
  const auto& contact = s.contacts[0];
  EXPECT_EQ(contact.in_space->args[0]->symbol, (Symbol{Symbol::Kind::coordinate, 1}))
      << "x is the second entry of the point";
  EXPECT_EQ(contact.g->args[0]->symbol, (Symbol{Symbol::Kind::coordinate, 0}))
      << "and the first coordinate of the model";
}

TEST(Laws, ReadSlidingVelocities) {
  const Scenario s = parse_scenario(wheel_with(
      {{"slip = [\"vy + R*vphi\"]", "slip = [\"vy + R*vphi\", \"(vphi - 2)/(1 + x^2)\"]\nbelt = [\"t\", \"x\"]"}}));
  EXPECT_EQ(kind_of(s, s.contacts[1]), ContactKind::slip);
  EXPECT_EQ(texts(s.contacts[1].slip), (Texts{"vy + R*vphi", "(vphi - 2)/(1 + x^2)"}));
  EXPECT_EQ(texts(s.contacts[1].belt), (Texts{"t", "x"}));
  EXPECT_EQ(s.contacts[1].in_space, nullptr);
}

TEST(Laws, GiveABeltOneEntryADirectionOfThePoint) {
  EXPECT_EQ(parse_scenario(wheel_with({{"inside = \"rimy >= 0\"", "inside = \"rimy >= 0\"\nbelt = [\"t\", 0]"}}))
                .contacts[0]
                .belt.size(),
            2U);
}

TEST(Laws, WithoutFrictionArePlainRows) {
  const Scenario s = parse_scenario(wheel_with({{"slip = [\"vy + R*vphi\"]\ninside = \"x <= 2\"\nfriction = \"mu\"",
                                                 "inside = \"x <= 2\"\nrestitution = 0.5"}}));
  EXPECT_EQ(kind_of(s, s.contacts[1]), ContactKind::row);
}

TEST(Laws, ReadEquationsAsLeftMinusRight) {
  const Scenario s = parse_scenario(wheel_with({{"holds = \"y = R\"", "holds = \"y + 1 = R + sin(t) - -1\""}}));
  const auto& rail = s.bilaterals[0];
  EXPECT_TRUE(rail.holonomic);
  EXPECT_EQ(text(rail.value, s), "y + 1 - (R + sin(t) - -1)");
  EXPECT_EQ(rail.value, rail.equation.tree);
  EXPECT_FALSE(s.bilaterals[1].holonomic);
  EXPECT_EQ(text(s.bilaterals[1].value, s), "vx + R * vphi - 0");
}

TEST(Laws, ReadResistances) {
  const Scenario s = parse_scenario(wheel);
  const auto& table = s.resistances[0];
  EXPECT_EQ(texts(table.slip), Texts{"vx"});
  EXPECT_EQ(texts(table.drive), Texts{"sin(t)"});
  EXPECT_EQ(text(table.limit.at(0).tree, s), "mu * abs(normal(rail))");
  ASSERT_TRUE(table.percussions.has_value());
  EXPECT_EQ(text(table.percussions->size.tree, s), "2^-j");
  EXPECT_EQ(table.percussions->count.text, "count");
  EXPECT_FALSE(table.percussions->limit.has_value());
}

TEST(Laws, ReadTheEndsOfAnInterval) {
  for (const std::string ends : {"[\"-inf\", 0]", "[-inf, 0.0]", "[\"-inf\", \"0\"]"}) {
    const auto limit =
        parse_scenario(wheel_with({{"limit = \"mu*abs(normal(rail))\"", "limit = " + ends}})).resistances[0].limit;
    ASSERT_EQ(limit.size(), 2U);
    ASSERT_EQ(limit[0].tree->op, Op::constant);
    EXPECT_EQ(limit[0].tree->value, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(limit[1].tree->value, 0);
  }
}

TEST(Laws, HaveNamesOfTheirOwn) {
  // a law called like a function, and a parameter called like a word that asks for something of a law
  const Scenario s =
      parse_scenario(wheel_with({{"g = 10.0", "g = 10.0\nslip = 2.0\nnormal = 3.0"},
                                 {"name = \"rim\"", "name = \"floor\""},
                                 {"max = \"normal(rim)\"", "max = \"slip*normal + normal(floor) - slip (floor)\""}}));
  EXPECT_EQ(text(s.observables[0].formula.tree, s), "slip * normal + normal(floor) - slip(floor)");
  EXPECT_EQ(s.observables[0].formula.tree->args[1]->symbol, (Symbol{Symbol::Kind::slip, 0}));
}

TEST(Laws, CanBeNamedByADefinition) {
  const Scenario s = parse_scenario(wheel_with({{"height = \"2*R\"", "height = \"2*R\"\npush = \"abs(normal(rail))\""},
                                                {"limit = \"mu*abs(normal(rail))\"", "limit = \"mu*push\""}}));
  EXPECT_EQ(text(s.resistances[0].limit[0].tree, s), "mu * abs(normal(rail))");
}

TEST(Laws, PutTheGapInPlaceOfItsName) {
  const Scenario s =
      parse_scenario(wheel_with({{"max = \"normal(rim)\"", "min = \"gap(wall)^2 + delay(gap(rim), 0.1)\""}}));
  EXPECT_EQ(text(s.observables[0].formula.tree, s), "(2 - x)^2 + delay(y - R * cos(phi) - 0, 0.1)");
}

TEST(Laws, AreObservedOneByOne) {
  const Scenario s =
      parse_scenario(wheel_with({{"[observe]", "[observe]\nalso = [\"impulse.wall\", \"work\", \"impulse.wall\"]"}}));
  ASSERT_EQ(s.of_laws.size(), 1U);
  EXPECT_EQ(s.of_laws[0].law, 1);
  EXPECT_EQ(observable_names(s)[observable_names(s).size() - 7], "impulse.wall");
  const Scenario only = parse_scenario(wheel_with({{"[observe]", "[observe]\nstandard = [\"impulse.rim\"]"}}));
  EXPECT_TRUE(only.standard.empty());
  EXPECT_EQ(only.of_laws[0].law, 0);
}

TEST(Laws, AllAreMetByTheWalk) {
  const Scenario s = parse_scenario(wheel_with({{"count = \"count\" }", "count = 3, limit = \"slip(table)\" }"}}));
  std::vector<std::string> met;
  for_each_formula(s.resistances[0], [&](std::string_view key, const Formula& formula) {
    met.push_back(std::string(key) + ": " + formula.text);
  });
  EXPECT_EQ(met, (Texts{"slip: vx", "drive: sin(t)", "limit: mu*abs(normal(rail))", "time: 1 - 2^(-j)", "size: 2^(-j)",
                        "count: 3", "percussions.limit: slip(table)"}));
}

}  // namespace
}  // namespace conesweep::test
