// Members that wait for a device: every one is stepped once, whatever runners give back, leave or fail.
#include "queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace conesweep::kernels {
namespace {

using Range = Queue::Range;
using Taken = std::optional<Range>;

// A runner that asks from a thread of its own, and may have to wait.
std::future<Taken> ask(Queue& queue, std::int64_t most) {
  return std::async(std::launch::async, [&queue, most] { return queue.take(most); });
}

bool waits(const std::future<Taken>& runner) {
  return runner.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout;
}

TEST(Queue, HandsOutMembersInOrderAtMostSoManyAtOnce) {
  Queue queue(10, 2);
  EXPECT_EQ(queue.take(4), (Range{0, 4}));
  EXPECT_EQ(queue.take(1), (Range{4, 5}));
  EXPECT_EQ(queue.take(100), (Range{5, 10}));
}

TEST(Queue, GivesNothingWhenAllAreDone) {
  Queue queue(4, 1);
  EXPECT_EQ(queue.take(4), (Range{0, 4}));
  queue.finish();
  EXPECT_EQ(queue.take(4), std::nullopt);
  EXPECT_EQ(queue.take(4), std::nullopt) << "and nothing again";
}

TEST(Queue, WhatIsGivenBackComesFirst) {
  Queue queue(10, 2);
  const Taken first = queue.take(4);
  queue.give_back(*first);
  EXPECT_EQ(queue.take(2), (Range{0, 2}));
  EXPECT_EQ(queue.take(8), (Range{2, 4})) << "a range is not joined with its neighbour";
  EXPECT_EQ(queue.take(8), (Range{4, 10}));
}

TEST(Queue, ARunnerThatFindsNothingWaitsForWhatOthersGiveBack) {
  Queue queue(4, 2);
  const Taken first = queue.take(4);
  auto other = ask(queue, 3);
  EXPECT_TRUE(waits(other));
  queue.give_back(*first);
  EXPECT_EQ(other.get(), (Range{0, 3}));
}

TEST(Queue, ARunnerThatFindsNothingEndsWhenTheOthersHaveFinished) {
  Queue queue(4, 3);
  queue.take(2), queue.take(2);
  auto other = ask(queue, 2);
  queue.finish();
  EXPECT_TRUE(waits(other)) << "one range is still in flight";
  queue.finish();
  EXPECT_EQ(other.get(), std::nullopt);
}

TEST(Queue, ARunnerThatLeavesHandsItsRangeToAnother) {
  Queue queue(4, 2);
  const Taken first = queue.take(4);
  auto other = ask(queue, 4);
  EXPECT_TRUE(waits(other));
  EXPECT_TRUE(queue.leave(*first));
  EXPECT_EQ(other.get(), (Range{0, 4}));
  EXPECT_EQ(queue.runners(), 1);
}

TEST(Queue, TheLastRunnerCannotLeaveAndKeepsItsRange) {
  Queue queue(4, 2);
  EXPECT_TRUE(queue.leave(*queue.take(2)));
  const Taken mine = queue.take(2);
  EXPECT_FALSE(queue.leave(*mine));
  EXPECT_EQ(queue.runners(), 1);
  EXPECT_EQ(queue.take(2), (Range{2, 4})) << "the refused range was not given back";
  queue.finish(), queue.finish();
  EXPECT_EQ(queue.take(2), std::nullopt) << "and was in flight until it was finished";
}

TEST(Queue, TheFirstFailureEndsAllRunnersAndIsTold) {
  Queue queue(10, 3);
  queue.take(2);
  queue.rethrow_failure();  // none yet
  EXPECT_FALSE(queue.failed());
  queue.fail(std::make_exception_ptr(std::runtime_error("first")));
  queue.fail(std::make_exception_ptr(std::runtime_error("second")));
  EXPECT_TRUE(queue.failed());
  EXPECT_EQ(queue.take(2), std::nullopt) << "though members are left";
  try {
    queue.rethrow_failure();
    FAIL() << "no failure was told";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

TEST(Queue, AFailureWakesARunnerThatWaits) {
  Queue queue(4, 2);
  queue.take(4);
  auto other = ask(queue, 4);
  EXPECT_TRUE(waits(other));
  queue.fail(std::make_exception_ptr(std::runtime_error("no more")));
  EXPECT_EQ(other.get(), std::nullopt);
}

// Takes ranges until there are none; now and then has no room for one, and takes fewer or leaves.
void work(Queue& queue, unsigned seed, std::vector<std::vector<Range>>& stepped) {
  std::mt19937 random(seed);
  std::vector<Range>& mine = stepped[seed];
  std::int64_t most = 64;
  while (const Taken range = queue.take(most)) {
    const unsigned way = random() % 8;
    if (way == 0 && range->size() > 1) {
      most = std::max<std::int64_t>(1, range->size() / 2);
      queue.give_back(*range);
    } else if (way == 1 && queue.leave(*range)) {
      return;
    } else {
      mine.push_back(*range);
      queue.finish();
    }
  }
}

TEST(Queue, EveryMemberIsSteppedOnceWhateverTheRunnersDo) {
  constexpr int runners = 6;
  for (const std::int64_t count : {1, 31, 32, 33, 127, 129, 10007}) {
    Queue queue(count, runners);
    std::vector<std::vector<Range>> stepped(runners);
    std::vector<std::thread> threads;
    for (unsigned runner = 0; runner < runners; ++runner)
      threads.emplace_back([&, runner] { work(queue, runner, stepped); });
    for (auto& thread : threads) thread.join();
    std::vector<int> times(static_cast<std::size_t>(count), 0);
    for (const auto& ranges : stepped)
      for (const Range range : ranges)
        for (std::int64_t m = range.begin; m < range.end; ++m) ++times.at(static_cast<std::size_t>(m));
    EXPECT_EQ(std::count(times.begin(), times.end(), 1), count) << count << " members";
    EXPECT_GE(queue.runners(), 1);
  }
}

}  // namespace
}  // namespace conesweep::kernels
