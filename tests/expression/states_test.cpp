// The table of a member's state: what everything that has a column for each of its numbers calls them.
#include "expression/states.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expression/parser.hpp"
#include "scenario/quantities.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::expression {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

const Names names{.coordinates = {"x", "y", "phi"}, .parameters = {"v", "w"}};

TEST(States, AreCoordinatesThenVelocities) {
  EXPECT_THAT(state_names(names), ElementsAre("x", "y", "phi", "vx", "vy", "vphi"));
  EXPECT_EQ(count_states(names), 6u);
  EXPECT_THAT(summed_states(names), ElementsAre("x", "y", "phi"));
}

TEST(States, AreFoundByTheirNames) {
  for (const StateColumn& column : state_columns(names)) {
    EXPECT_EQ(find_state(names, column.name), column.symbol) << column.name;
    EXPECT_EQ(names.name_of(column.symbol), column.name);
    EXPECT_EQ(kind_of_state(column.symbol.kind), column.kind);
    std::vector<Fault> faults;
    const Expr read = parse(column.name, names, faults);
    ASSERT_TRUE(faults.empty()) << column.name;
    EXPECT_EQ(read->symbol, column.symbol) << column.name;
  }
  for (const char* other : {"v", "w", "vw", "vvx", "z", "phi2", ""}) EXPECT_FALSE(find_state(names, other)) << other;
  EXPECT_EQ(kind_of_state(Symbol::Kind::parameter), nullptr);
  EXPECT_EQ(velocity_of("phi"), "vphi");
}

// what is observed at the end and what has a unit follows from them
TEST(States, NameWhatAScenarioHas) {
  const auto scenario = test::parse_scenario(
      "[model]\ncoordinates = [\"x\", \"y\"]\nforce = [\"0\", \"0\"]\n[start]\nx = \"0\"\ny = \"0\"\nvy = \"1\"\n"
      "[time]\nend = 1\nstep = 0.5\n[observe]\nstandard = []\n");
  EXPECT_THAT(observable_names(scenario), ElementsAre("final.x", "final.y", "final.vx", "final.vy"));
  EXPECT_EQ(count_observables(scenario), 4u);
  EXPECT_THAT(quantity_names(scenario), IsSupersetOf(state_names(scenario)));
  EXPECT_THAT(quantity_names(scenario), Contains("final.vy"));
}

}  // namespace
}  // namespace conesweep::expression
