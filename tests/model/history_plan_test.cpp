// What formulas ask of the past: lags, windows, columns of the ring; and formulas in terms of them.
#include "model/history_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/draft.hpp"
#include "support/error.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = expression::Symbol::Kind;

scenario::Scenario make_scenario(const std::string& force, const std::string& observed = "x") {
  return test::parse_scenario(
      "[model]\ncoordinates = [\"x\", \"y\", \"z\"]\nforce = [\"" + force +
      "\", \"0\", \"0\"]\n[model.parameters]\nk = 2.0\ntau = 0.1\n"
      "[start]\nx = \"t\"\ny = \"t\"\nz = \"t\"\n[time]\nend = 1\nstep = 0.01\n[observe]\nseen = { max = \"" +
      observed + "\" }\n");
}

TEST(HistoryPlan, WithoutHistoryThereIsNone) {
  const HistoryPlan plan(make_scenario("-k*x"));
  EXPECT_THAT(plan.lags(), IsEmpty());
  EXPECT_THAT(plan.windows(), IsEmpty());
  EXPECT_EQ(plan.ring_columns(), 0);
}

TEST(HistoryPlan, EqualLengthsShareALagWhereverTheyStand) {
  const auto scenario = make_scenario("delay(z, tau) + delay(vy, tau)", "delay(x, 2*tau) + window_mean(z, tau)");
  const HistoryPlan plan(scenario);
  ASSERT_EQ(plan.lags().size(), 2u);
  EXPECT_THAT(plan.lags()[0].read.at(Kind::coordinate), ElementsAre(2));
  EXPECT_THAT(plan.lags()[0].read.at(Kind::velocity), ElementsAre(1));
  EXPECT_THAT(plan.lags()[1].read.at(Kind::coordinate), ElementsAre(0));
  EXPECT_FALSE(plan.lags()[1].read.contains(Kind::velocity));
}

TEST(HistoryPlan, ColumnsAreWhatSomeLagReads) {
  const auto scenario = make_scenario("delay(z, tau) + delay(vy, tau)", "delay(x, 2*tau)");
  const HistoryPlan plan(scenario);
  EXPECT_THAT(plan.columns(Kind::coordinate), ElementsAre(0, 2));
  EXPECT_THAT(plan.columns(Kind::velocity), ElementsAre(1));
  EXPECT_EQ(plan.ring_columns(), 3);
  EXPECT_EQ(count_ring_columns(scenario), 3);
  EXPECT_EQ(plan.column_of({Kind::coordinate, 2}), 1);
  EXPECT_EQ(plan.column_of({Kind::velocity, 1}), 0);
  EXPECT_THROW(plan.column_of({Kind::coordinate, 1}), InternalError) << "no lag reads y";
}

TEST(HistoryPlan, WindowsAreGatheredUnlessTheySeeThePresent) {
  const auto scenario =
      make_scenario("window_max(y, tau) + window_mean(x*now(z), tau)", "window_max(y, tau) + window_min(x, tau)");
  const HistoryPlan plan(scenario);
  ASSERT_EQ(plan.windows().size(), 3u) << "equal windows are one";
  EXPECT_EQ(plan.windows()[0].place, 0);
  EXPECT_EQ(plan.windows()[1].place, -1);
  EXPECT_EQ(plan.windows()[2].place, 1);
  EXPECT_EQ(plan.gathered_windows(), 2);
  EXPECT_THAT(plan.columns(Kind::coordinate), ElementsAre(0, 1)) << "now(z) is no column";
  EXPECT_EQ(plan.ring_columns(), 4);
}

TEST(HistoryPlan, TheLargestDistanceToThePresentIsTwoGatheredWindows) {
  const auto scenario = make_scenario("window_max(abs(x - now(x)), tau)");
  const HistoryPlan plan(scenario);
  ASSERT_EQ(plan.windows().size(), 2u);
  EXPECT_EQ(plan.gathered_windows(), 2);
  EXPECT_FALSE(looks_through_all_nodes(scenario.force[0].tree));
  EXPECT_TRUE(looks_through_all_nodes(make_scenario("window_max(abs(x - now(x))^2, tau)").force[0].tree));
}

// a formula of the force as a function with a node writes it
std::string lowered(const scenario::Scenario& scenario) {
  Draft draft(scenario, varying_parameters(scenario));
  Emitter emitter = draft.at_node("");
  emitter.assign("f", draft.lowering.lower(scenario.force[0].tree));
  return emitter.text();
}

TEST(Lowering, ADelayedExpressionReadsTheValuesOfItsLag) {
  EXPECT_EQ(lowered(make_scenario("delay(z, tau)")), "f = n.past_q[0][0];\n");
  EXPECT_EQ(lowered(make_scenario("delay(vy, tau)")), "f = n.past_v[0][0];\n");
  EXPECT_THAT(lowered(make_scenario("delay(t + y, tau)")), HasSubstr("n.past_t[0] + n.past_q[0][0]"));
  EXPECT_THAT(lowered(make_scenario("delay(x, tau) - delay(z, k*tau)")), HasSubstr("n.past_q[0][0] - n.past_q[1][1]"));
  EXPECT_THAT(lowered(make_scenario("z - delay(z, tau)")), HasSubstr("n.q[2] - n.past_q[0][0]"))
      << "outside it is the present";
}

TEST(Lowering, AWindowIsItsValue) {
  EXPECT_THAT(lowered(make_scenario("x + window_max(y, tau)")), HasSubstr("n.q[0] + n.window[0]"));
}

TEST(Lowering, InsideAWindowCoordinatesAreThoseOfThen) {
  const auto scenario = make_scenario("window_mean(z - now(z), tau)");
  Draft draft(scenario, varying_parameters(scenario));
  Emitter emitter = draft.at_node("");
  emitter.assign("r", draft.lowering.lower_in_window(draft.history.windows()[0].node->args[0]));
  EXPECT_THAT(emitter.text(), HasSubstr("q_then[0] - n.q[2]"));
}

TEST(Locals, AreApartFromTheUsersCoordinates) {
  Locals locals(2);
  const auto w = locals.vector("w");
  ASSERT_EQ(w.size(), 2u);
  EXPECT_TRUE(expression::same_tree(w[1], locals.leaf("w[1]"))) << "one name, one leaf";
  EXPECT_FALSE(expression::same_tree(w[0], w[1]));
  const Leaves names = locals.names("n.", "n.c");
  EXPECT_EQ(names.name(w[1]->symbol), "w[1]");
  for (int c = 0; c < 2; ++c) {
    EXPECT_EQ(names.name({expression::Symbol::Kind::coordinate, c}), "n.q[" + std::to_string(c) + "]");
    EXPECT_FALSE(expression::same_tree(w[0], expression::make_symbol({expression::Symbol::Kind::coordinate, c})));
  }
}

}  // namespace
}  // namespace conesweep::model
