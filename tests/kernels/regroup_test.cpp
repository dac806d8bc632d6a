// Who steps beside whom on a device, and when that is asked.
#include "regroup.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace conesweep::kernels {
namespace {

TEST(Regroup, PutsMembersWithAsMuchWorkSideBySideTheMostFirst) {
  const std::vector<float> work = {3, 0, 7, 3, 0, 7.5f};
  std::vector<int> turn(work.size(), -1);
  sort_by_work(work.data(), static_cast<int>(work.size()), turn.data());
  EXPECT_EQ(turn, (std::vector<int>{5, 2, 0, 3, 1, 4}));
}

TEST(Regroup, LeavesEqualMembersInOrder) {
  const std::vector<float> work(1000, 2.0f);
  std::vector<int> turn(work.size());
  sort_by_work(work.data(), static_cast<int>(work.size()), turn.data());
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(turn[static_cast<std::size_t>(k)], k);
}

TEST(Regroup, TakesATwentiethOfTheTimeAtMost) {
  using std::chrono::milliseconds;
  const RegroupClock::Time begin{};
  RegroupClock clock(begin);
  EXPECT_TRUE(clock.is_due(begin)) << "what it costs is not known yet";
  clock.note(begin, begin + milliseconds(5));
  EXPECT_FALSE(clock.is_due(begin + milliseconds(104)));
  EXPECT_TRUE(clock.is_due(begin + milliseconds(105)));
}

}  // namespace
}  // namespace conesweep::kernels
