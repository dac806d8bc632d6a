// (B11) Which laws meet, and that a step in islands is the whole step where nothing of (B2) asks for all contacts.
#include "executor/reference/islands.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "contact/families.hpp"
#include "executor/reference/meeting_laws.hpp"
#include "oracle/differences.hpp"
#include "reference/model.hpp"

namespace conesweep::executor::reference {
namespace {

using coupled::Block;
using coupled::Index;
using coupled::Island;
using coupled::Matrix;
using coupled::Step;
using families::Random;

/// Blocks, firm rows and coordinates of the islands, one after the other.
std::string find(Model model, const std::vector<std::size_t>& contacts) {
  std::string text;
  for (const Island& island : MeetingLaws(model.scenario()).find_islands(contacts)) {
    for (const std::size_t block : island.blocks) text += std::to_string(block);
    text += ',';
    for (const Index row : island.firm_rows) text += std::to_string(row);
    text += ',';
    for (const Index c : island.coordinates) text += std::to_string(c);
    text += ' ';
  }
  return text;
}

Model three_bodies() { return Model({"x", "y", "z"}, {"0", "0", "0"}); }

TEST(MeetingLaws, AreThoseOnTheSameCoordinates) {
  const Model walls = three_bodies().contact("a", "-x").contact("b", "-y").resistance("c", {"vz"}, {"1"});
  EXPECT_EQ(find(walls, {0, 1}), "0,,0 1,,1 2,,2 ");
  EXPECT_EQ(find(walls, {1}), "0,,1 1,,2 ") << "what does not touch takes no part";
  EXPECT_EQ(find(walls, {}), "0,,2 ");
  EXPECT_EQ(find(three_bodies().contact("a", "-x").contact("b", "-z").resistance("c", {"vz + vy"}, {"1"}), {0, 1}),
            "0,,0 12,,12 ");
  EXPECT_EQ(find(three_bodies().contact("a", "x - x - z").contact("b", "-x"), {0, 1}), "0,,2 1,,0 ") << "no row on x";
}

TEST(MeetingLaws, AreThoseWhoseCoordinatesMConnects) {
  const auto model = [](const std::string& entry) {
    return three_bodies()
        .mass({"2", entry, "0", entry, "3", "0", "0", "0", "4"})
        .contact("a", "-x")
        .contact("b", "-y")
        .contact("c", "-z");
  };
  EXPECT_EQ(find(model("0"), {0, 1, 2}), "0,,0 1,,1 2,,2 ");
  EXPECT_EQ(find(model("0.5"), {0, 1, 2}), "01,,01 2,,2 ");
  EXPECT_EQ(find(model("sin(x)"), {0, 1, 2}), "01,,01 2,,2 ") << "by what is written, not by its value";
  EXPECT_EQ(find(model("0.5"), {0}), "0,,01 ") << "what moves along is part of it";
}

TEST(MeetingLaws, AreThoseOfAParticleWithFriction) {
  EXPECT_EQ(find(three_bodies().contact("a", "-x", "0.3").contact("b", "-y"), {0, 1}), "01,,012 ");
  EXPECT_EQ(find(three_bodies().contact("a", "-x", "0.3").contact("b", "-y"), {1}), "0,,1 ");
}

TEST(MeetingLaws, AreThoseWhoseLoadALimitAsksFor) {
  const Model model = three_bodies()
                          .contact("floor", "-y")
                          .holds("rod", "z")
                          .resistance("of_floor", {"vx"}, {"normal(floor)"})
                          .resistance("of_both", {"vx - vz"}, {"1 + normal(floor)"});
  EXPECT_EQ(find(model, {0}), "012,0,012 ");
  const Model apart =
      three_bodies().contact("floor", "-y").holds("rod", "z").resistance("of_floor", {"vx"}, {"normal(floor)"});
  EXPECT_EQ(find(apart, {0}), "01,,01 ,0,2 ");
  EXPECT_EQ(find(apart, {}), "0,,0 ,0,2 ");
  const Model asking = three_bodies().contact("floor", "-y").resistance("r", {"vx"}, {"slip(floor)"});
  EXPECT_EQ(find(asking, {0}), "0,,1 1,,0 ") << "slips are those of before the step";
}

/// Every other coordinate is one island's: firm rows, an interval, a ball and one or two contacts each, whose
/// resistance uses a load.
struct TwoIslands {
  static constexpr Index each = 5;
  Step step;
  std::vector<Island> islands{2};

  explicit TwoIslands(Random& random) {
    const Index d = 2 * each;
    step.mass = Matrix::Zero(d, d);
    step.v_before = random.normals(d);
    step.w = step.v_before + random.choose({0.1, 1.0}) * random.normals(d);
    step.firm_rows = Matrix::Zero(2, d);
    step.firm_drive = 0.3 * random.normals(2);
    for (Index i = 0; i < 2; ++i) {
      Island& island = islands[static_cast<std::size_t>(i)];
      island.firm_rows = {1 - i};
      for (Index k = 0; k < each; ++k) island.coordinates.push_back(2 * k + i);
      step.mass(island.coordinates, island.coordinates) = families::random_mass(random, each, 5);
      step.firm_rows.row(1 - i)(island.coordinates) = random.normals(each).transpose();
    }
    add(random, 0, {coupled::Law::contact, {}, {}, 0, 0, random.uniform(0, 0.02), 0}, random.integer(1, 3));
    add(random, 1, {coupled::Law::contact, {}, {}, 0, 0, random.uniform(0, 0.02), 0}, random.integer(1, 2));
    add(random, 1, {coupled::Law::interval, {}, {}, -random.exponential(), 0}, 1);
    add(random, 0, {coupled::Law::ball, {}, {}, 0, random.exponential()}, 2);
    step.limits = [](const coupled::Vector& firm, const coupled::Vector& normal, std::size_t k, Block& block) {
      if (k == 2) block.high = 0.1 + 0.05 * normal[1] + 0.01 * std::fabs(firm[0]);
    };
  }

  void add(Random& random, std::size_t island, Block block, int rows) {
    block.rows = Matrix::Zero(rows, step.w.size());
    block.rows(Eigen::all, islands[island].coordinates) = random.normals(rows, each);
    block.drive = 0.3 * random.normals(rows);
    islands[island].blocks.push_back(step.blocks.size());
    step.blocks.push_back(block);
  }
};

TEST(Islands, AreTheWholeStepWithoutRestitution) {
  oracle::Differences off("islands and the whole");
  int compared = 0, acting = 0;
  for (std::uint64_t number = 0; number < 500; ++number) {
    Random random(number + 900000);
    const TwoIslands two(random);
    const coupled::StepAnswer whole = coupled::solve_step(two.step);
    const coupled::IslandsAnswer parts = coupled::solve_islands(two.step, two.islands, {}, false);
    const std::string where = "number " + std::to_string(number);
    off.require(whole.verdict == parts.answer.verdict, where + ", verdict");
    if (whole.verdict != coupled::Verdict::solved) continue;
    ++compared;
    acting += parts.contacts_act[0] && !parts.contacts_act[1];
    off.compare((whole.v - parts.answer.v).norm(), 0, 1e-9, where + ", v");
    off.compare((whole.firm_impulse - parts.answer.firm_impulse).norm(), 0, 1e-8, where + ", firm impulse");
    off.compare((whole.firm_normal - parts.answer.firm_normal).norm(), 0, 1e-8, where + ", firm normal");
    for (std::size_t k = 0; k < two.step.blocks.size(); ++k) {
      off.compare((whole.impulse[k] - parts.answer.impulse[k]).norm(), 0, 1e-8, where + ", impulse");
      off.compare((whole.u[k] - parts.answer.u[k]).norm(), 0, 1e-9, where + ", u");
      off.require(whole.mode[k] == parts.answer.mode[k], where + ", mode");
    }
  }
  EXPECT_TRUE(off.none());
  EXPECT_GT(compared, 480);
  EXPECT_GT(acting, 60);
}

}  // namespace
}  // namespace conesweep::executor::reference
