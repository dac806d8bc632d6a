#include "support/workers.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <stdexcept>

namespace conesweep {
namespace {

TEST(Workers, DoEachPieceOnce) {
  Workers workers;
  for (const int threads : {1, 2, 3, 8})
    for (const std::int64_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
      workers.share(count, threads, [&](std::int64_t k) { ++done[static_cast<std::size_t>(k)]; });
      for (const auto& times : done) EXPECT_EQ(times, 1) << threads << " threads, " << count << " pieces";
    }
}

TEST(Workers, AreTheSameThreadsEachTime) {
  Workers workers;
  std::mutex lock;
  std::set<std::thread::id> seen;
  for (int again = 0; again < 50; ++again)
    workers.share(100, 3, [&](std::int64_t) {
      const std::lock_guard guard(lock);
      seen.insert(std::this_thread::get_id());
    });
  EXPECT_LE(seen.size(), 3u);
}

TEST(Workers, WorkTogether) {
  // each piece waits for the other: one thread alone would wait for ever
  Workers workers;
  std::atomic<int> here = 0;
  workers.share(2, 2, [&](std::int64_t) {
    ++here;
    while (here < 2) std::this_thread::yield();
  });
  EXPECT_EQ(here, 2);
}

TEST(Workers, ServeSeveralCallersAtOnce) {
  Workers workers;
  std::vector<std::int64_t> sums(6);
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < sums.size(); ++c)
    callers.emplace_back([&, c] {
      for (int again = 0; again < 20; ++again) {
        std::atomic<std::int64_t> sum = 0;
        workers.share(100, 4, [&](std::int64_t k) { sum += k; });
        sums[c] += sum;
      }
    });
  for (auto& caller : callers) caller.join();
  for (const auto sum : sums) EXPECT_EQ(sum, 20 * 4950);
}

TEST(Workers, BringBackTheFirstException) {
  Workers workers;
  std::atomic<int> done = 0;
  EXPECT_THROW(workers.share(100000, 3,
                             [&](std::int64_t k) {
                               if (k == 10) throw std::runtime_error("enough");
                               ++done;
                             }),
               std::runtime_error);
  EXPECT_LT(done, 100000);
  workers.share(10, 3, [&](std::int64_t) { ++done; });  // and go on
}

TEST(Workers, AreOneThreadInsideOfSharedWork) {
  Workers workers;
  share_work(4, 4, [&](std::int64_t) {
    const auto caller = std::this_thread::get_id();
    workers.share(10, 4, [&](std::int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
  });
  workers.share(4, 4, [&](std::int64_t) {
    const auto caller = std::this_thread::get_id();
    share_work(10, 4, [&](std::int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
  });
}

TEST(Workers, OfTheProcessAreSharedByAllWhoHoldThem) {
  const auto some = share_workers();
  EXPECT_EQ(some, share_workers());
}

}  // namespace
}  // namespace conesweep
