// Blocks that come in any order beside those that come in theirs.
#include "statistics/block_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "statistics/merge_tree.hpp"

namespace conesweep::test {

// the tree itself, as brackets
struct Brackets {
  std::string text;
};
Brackets merge(Brackets a, Brackets b) { return {"(" + a.text + b.text + ")"}; }

namespace {

TEST(BlockTree, IsThatOfBlocksInOrder) {
  std::mt19937 random(3);
  for (const int blocks : {1, 2, 3, 5, 8, 13, 64, 100}) {
    for (const int level : {0, 1, 3, 62}) {
      std::vector<int> order;
      statistics::MergeTree<Brackets> want;
      for (int k = 0; k < blocks; ++k) order.push_back(k), want.add({std::to_string(k) + "."});
      std::shuffle(order.begin(), order.end(), random);
      statistics::BlockTree<Brackets> one, other;
      one.limit(level), other.limit(level);
      for (const int k : order) (k % 3 == 0 ? one : other).add(k, {0, {std::to_string(k) + "."}});
      one.add(other);
      EXPECT_EQ(one.total().text, want.finish().text) << blocks << " blocks, level " << level;
      EXPECT_GE(std::ssize(one.nodes()), level == 62 ? 1 : blocks >> level);
      statistics::BlockTree<Brackets> raised = one;
      raised.limit(level + 2);
      EXPECT_EQ(raised.total().text, one.total().text);
      EXPECT_LE(raised.nodes().size(), one.nodes().size());
    }
  }
}

TEST(BlockTree, GivesRunsOfBlocks) {
  statistics::BlockTree<Brackets> tree;
  tree.limit(2);
  for (const int k : {6, 0, 2, 1, 3, 5, 4}) tree.add(k, {0, {std::to_string(k)}});
  std::vector<std::string> runs;
  for (const Brackets& run : tree.runs(2)) runs.push_back(run.text);
  EXPECT_EQ(runs, (std::vector<std::string>{"((01)(23))", "((45)6)"}));
}

}  // namespace
}  // namespace conesweep::test
