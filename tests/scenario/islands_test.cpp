// Islands (B11): which laws meet, which have a closed form, which models are stepped in packs.
#include "scenario/islands.hpp"

#include <gtest/gtest.h>

#include "support/scenario_text.hpp"

namespace conesweep::test {
namespace {

using scenario::Island;
using scenario::Scenario;
using Numbers = std::vector<std::size_t>;

// Three coordinates, and what is added to [model] and after it.
Scenario model_with(const std::string& keys, const std::string& laws, const std::string& before = "") {
  return parse_scenario(before + "[model]\ncoordinates = ['x', 'y', 'z']\nforce = [0, 0, 0]\n" + keys +
                        "\n[model.parameters]\nm = 2.0\nJ = 0.5\nmu = 0.3\n" + laws +
                        "\n[start]\nx = 0\ny = 0\nz = 0\n[time]\nend = 1\nstep = 0.1\n");
}

const std::string rub_x = "[[model.resistance]]\nname = 'rub_x'\nslip = ['vx']\nlimit = 'mu'\n";
const std::string rub_y = "[[model.resistance]]\nname = 'rub_y'\nslip = ['vy']\nlimit = 'mu'\n";
const std::string rub_xy = "[[model.resistance]]\nname = 'rub_xy'\nslip = ['vx - vy']\nlimit = 'mu'\n";
const std::string floor = "[[model.contact]]\nname = 'floor'\ninside = 'z >= 0'\n";
const std::string rough_floor = floor + "friction = 'mu'\nslip = ['vx', 'vy']\n";

std::vector<Numbers> laws_of(const Scenario& s) {
  std::vector<Numbers> all;
  for (const Island& island : find_islands(s)) all.push_back(law_numbers(s, island));
  return all;
}
std::vector<bool> closed(const Scenario& s) {
  std::vector<bool> all;
  for (const Island& island : find_islands(s)) all.push_back(has_closed_form(s, island));
  return all;
}

TEST(Islands, AreLawsWithoutACommonCoordinate) {
  const Scenario s = model_with("mass = ['m', 'm', 'J']", floor + rub_x + rub_y);
  EXPECT_EQ(laws_of(s), (std::vector<Numbers>{{0}, {1}, {2}}));
  EXPECT_EQ(find_islands(s)[1].coordinates, (std::vector<int>{0}));
  EXPECT_TRUE(is_all_closed(s));
  EXPECT_TRUE(is_stepped_in_packs(s));
}

TEST(Islands, MeetThroughALawBetween) {
  const Scenario s = model_with("mass = ['m', 'm', 'J']", floor + rub_x + rub_y + rub_xy);
  EXPECT_EQ(laws_of(s), (std::vector<Numbers>{{0}, {1, 2, 3}}));
  EXPECT_EQ(find_islands(s)[1].coordinates, (std::vector<int>{0, 1}));
  EXPECT_EQ(closed(s), (std::vector<bool>{true, false}));
  EXPECT_TRUE(is_boxed(s, find_islands(s)[1]));
  EXPECT_TRUE(is_stepped_in_packs(s));
}

TEST(Islands, MeetThroughTheMass) {
  const Scenario s = model_with("mass = [['m', 0, 0.1], [0, 'm', 0], [0.1, 0, 'J']]", floor + rub_x + rub_y);
  EXPECT_EQ(laws_of(s), (std::vector<Numbers>{{0, 1}, {2}}));
  EXPECT_EQ(find_islands(s)[0].coordinates, (std::vector<int>{0, 2}));
}

TEST(Islands, MeetByAnEntryThatHappensToBeZero) {
  const Scenario s =
      model_with("mass = [['m', 0, 'J * (x - x^2)'], [0, 'm', 0], ['J * (x - x^2)', 0, 'J']]", floor + rub_x);
  EXPECT_EQ(laws_of(s), (std::vector<Numbers>{{0, 1}}));
}

TEST(Islands, HaveADiagonalMassHoweverItIsWritten) {
  const Scenario s = model_with("mass = [['m', 0, 0], [0, 'm', 0], [0, 0, 'J']]", floor + rub_x);
  EXPECT_EQ(closed(s), (std::vector<bool>{true, true}));
}

TEST(Islands, MeetThroughALimitThatUsesTheOthersNormal) {
  const std::string pressed = "[[model.resistance]]\nname = 'pressed'\nslip = ['vx']\nlimit = 'mu * normal(floor)'\n";
  const Scenario s = model_with("mass = ['m', 'm', 'J']", floor + rub_y + pressed);
  EXPECT_EQ(laws_of(s), (std::vector<Numbers>{{0, 2}, {1}}));
  const Scenario named = parse_scenario(
      "[model]\ncoordinates = ['x', 'z']\nforce = [0, -1]\n[model.parameters]\nmu = 0.3\n[model.define]\nload = "
      "'normal(floor)'\n" +
      floor +
      "[[model.resistance]]\nslip = ['vx']\nlimit = 'mu * load'\n[start]\nx = 0\nz = 0\n[time]\nend = 1\nstep = 0.1\n");
  EXPECT_EQ(laws_of(named), (std::vector<Numbers>{{0, 1}}));
}

TEST(Islands, DoNotMeetThroughWhatIsKnownAlready) {
  const std::string slower =
      "[[model.resistance]]\nname = 'slower'\nslip = ['vx']\nlimit = 'mu / (1 + slip(rub_y)) + max(gap(floor), 0)'\n";
  EXPECT_EQ(laws_of(model_with("mass = ['m', 'm', 'J']", floor + rub_y + slower)),
            (std::vector<Numbers>{{0}, {1}, {2}}));
}

TEST(Islands, OfAContactWithFrictionHaveRowsAtRightAnglesAndOfOneLength) {
  EXPECT_EQ(closed(model_with("mass = ['m', 'm', 'J']", rough_floor)), (std::vector<bool>{true}));
  // tangents of two lengths in M⁻¹
  EXPECT_EQ(closed(model_with("mass = ['m', 'J', 'J']", rough_floor)), (std::vector<bool>{false}));
  // a rim: its slip moves with the normal row's coordinate
  EXPECT_EQ(closed(model_with("mass = ['m', 'm', 'J']", floor + "friction = 'mu'\nslip = ['vx + vz']\n")),
            (std::vector<bool>{false}));
}

TEST(Islands, HaveNoClosedFormWhereAStepHasParts) {
  const std::string beaten = rub_x + "percussions = { time = '0.5 * j', size = 1, count = 1 }\n";
  EXPECT_EQ(closed(model_with("mass = ['m', 'm', 'J']", beaten + rub_y)), (std::vector<bool>{false, false}));
}

TEST(Islands, LeavePacksOnlyWhereAContactTouches) {
  // the bumper meets both resistances, which are by themselves while it does not touch
  const std::string bumper = "[[model.contact]]\nname = 'bumper'\ninside = 'y - x >= -1'\nrestitution = 0.5\n";
  const Scenario s = model_with("mass = ['m', 'm', 'J']", bumper + rub_x + rub_y);
  EXPECT_EQ(laws_of(s), (std::vector<Numbers>{{0, 1, 2}}));
  EXPECT_FALSE(is_all_closed(s));
  EXPECT_TRUE(is_stepped_in_packs(s));
  const std::string held = "[[model.bilateral]]\nholds = 'z = x'\n";
  EXPECT_TRUE(is_stepped_in_packs(model_with("mass = ['m', 'm', 'J']", bumper + held)));
  EXPECT_FALSE(is_stepped_in_packs(model_with("mass = ['m', 'm', 'J']", bumper + held + rub_x)));
}

TEST(Islands, OfParticlesStayInPacks) {
  const Scenario s = parse_scenario("[model]\ncoordinates = ['x', 'z']\nforce = [0, -1]\n" + floor +
                                    "friction = 0.3\n[start]\nx = 0\nz = 0\n[time]\nend = 1\nstep = 0.1\n");
  EXPECT_FALSE(is_coupled(s));
  EXPECT_TRUE(is_stepped_in_packs(s));
}

// as polynomials of what they are written with, in M⁻¹
TEST(Islands, MayHaveOrthogonalRows) {
  const auto orthogonal = [](const std::string& masses, const std::string& laws) {
    const Scenario s = model_with(masses, laws);
    return has_orthogonal_rows(s, find_islands(s)[0]);
  };
  const std::string equal = "mass = ['m', 'm', 'J']", unequal = "mass = ['m', 'J', 'J']";
  const std::string circle = "[[model.bilateral]]\nname = 'circle'\nholds = 'x^2 + y^2 = 1'\n";
  const std::string around = "[[model.bilateral]]\nname = 'around'\nvelocity = '2 * x * vy - (y + y) * vx = mu'\n";
  const std::string along = "[[model.bilateral]]\nname = 'along'\nvelocity = 'vx + vy = 0'\n";
  EXPECT_TRUE(orthogonal(equal, circle));
  EXPECT_TRUE(orthogonal(equal, circle + around));
  EXPECT_FALSE(orthogonal(unequal, circle + around));
  EXPECT_TRUE(orthogonal(unequal, circle));
  EXPECT_FALSE(orthogonal(equal, circle + along));
  EXPECT_FALSE(orthogonal(equal, rub_x + circle));
  EXPECT_FALSE(orthogonal("mass = [['m', 0.1, 0], [0.1, 'm', 0], [0, 0, 'J']]", circle));
}

TEST(Islands, NameTheirLaws) {
  const Scenario s = model_with("mass = ['m', 'm', 'J']", rub_x + rub_y + rub_xy);
  EXPECT_EQ(law_names(s, find_islands(s)[0]), (std::vector<std::string>{"'rub_x'", "'rub_y'", "'rub_xy'"}));
}

}  // namespace
}  // namespace conesweep::test
