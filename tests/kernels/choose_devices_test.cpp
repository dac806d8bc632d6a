// Which devices `auto` gives to the ranks of a machine.
#include "choose_devices.hpp"

#include <gtest/gtest.h>

namespace conesweep::kernels {
namespace {

using Numbers = std::vector<int>;

TEST(DealtDevices, AreEachRanksOwnWhereThereAreEnough) {
  EXPECT_EQ(deal_devices(4, 0, 1), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(deal_devices(4, 1, 2), (Numbers{1, 3}));
  EXPECT_EQ(deal_devices(4, 2, 4), (Numbers{2}));
  EXPECT_EQ(deal_devices(5, 0, 2), (Numbers{0, 2, 4}));
}

TEST(DealtDevices, AreSharedByRanksWhereThereAreFew) {
  EXPECT_EQ(deal_devices(2, 4, 5), (Numbers{0}));
  EXPECT_EQ(deal_devices(2, 3, 5), (Numbers{1}));
  EXPECT_EQ(deal_devices(1, 7, 8), (Numbers{0}));
}

TEST(DealtDevices, AreAllInUse) {
  for (int devices = 1; devices < 9; ++devices)
    for (int ranks = 1; ranks < 9; ++ranks) {
      std::vector<int> users(static_cast<std::size_t>(devices));
      for (int rank = 0; rank < ranks; ++rank) {
        const auto mine = deal_devices(devices, rank, ranks);
        EXPECT_FALSE(mine.empty());
        for (const int device : mine) ++users[static_cast<std::size_t>(device)];
      }
      const auto [least, most] = std::minmax_element(users.begin(), users.end());
      EXPECT_GE(*least, 1);
      EXPECT_LE(*most - *least, 1);
    }
}

}  // namespace
}  // namespace conesweep::kernels
