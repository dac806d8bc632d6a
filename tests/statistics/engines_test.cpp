// Moments of parts, merged in one order, and engines: the same bits in every way.
#include <gtest/gtest.h>

#include "statistics/merge_tree.hpp"
#include "support/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "noise.hpp"
#include "statistics/statistics.hpp"

namespace conesweep::statistics {
namespace {

using executor::Status;

// ---- bits ----

TEST(Moments, OfChunksMergeToTheBitsOfTheWhole) {
  const auto values = noise(100'003, 3, 2);
  auto status = all_ok(values.size());
  for (std::size_t i = 0; i < status.size(); i += 97) status[i] = Status::non_finite;
  const Summary whole = summarise(values, status);

  // whoever computes the blocks, in whichever order
  for (const std::size_t blocks_a_chunk : {1u, 2u, 3u, 7u, 25u}) {
    const std::size_t chunk = blocks_a_chunk * block_members;
    std::vector<std::vector<Moments>> chunks((values.size() + chunk - 1) / chunk);
    for (std::size_t c = chunks.size(); c-- > 0;)
      for (std::size_t at = c * chunk; at < std::min(values.size(), (c + 1) * chunk); at += block_members) {
        const std::size_t count = std::min<std::size_t>(block_members, values.size() - at);
        chunks[c].push_back(block_moments(std::span(values).subspan(at, count), std::span(status).subspan(at, count)));
      }
    std::vector<Moments> blocks;
    for (const auto& some : chunks) blocks.insert(blocks.end(), some.begin(), some.end());
    const Moments merged = merge_blocks(blocks);
    EXPECT_EQ(merged.count, whole.count);
    EXPECT_EQ(merged.mean, whole.mean);
    EXPECT_EQ(std::sqrt(merged.squares / static_cast<double>(merged.count - 1)), whole.standard_deviation);
    EXPECT_EQ(merged.min, whole.min);
    EXPECT_EQ(merged.max, whole.max);
  }
}

TEST(Moments, MergeInTheTreeThatTheHeaderPromises) {
  std::vector<Moments> b;
  for (std::size_t i = 0; i < 7; ++i) {
    const auto values = noise(100 + i, static_cast<double>(i), 1);
    b.push_back(block_moments(values, all_ok(values.size())));
  }
  const Moments seven = merge(merge(merge(b[0], b[1]), merge(b[2], b[3])), merge(merge(b[4], b[5]), b[6]));
  EXPECT_EQ(merge_blocks(b), seven);
  const Moments five = merge(merge(merge(b[0], b[1]), merge(b[2], b[3])), b[4]);
  EXPECT_EQ(merge_blocks({b.begin(), b.begin() + 5}), five);
  EXPECT_EQ(merge_blocks({b[0]}), b[0]);
  EXPECT_EQ(merge_blocks({}), Moments{});

  // the order is no idle promise: from left to right the bits are others
  Moments serial;
  for (const auto& block : b) serial = merge(serial, block);
  EXPECT_NE(merge_blocks(b), serial);
}

TEST(Moments, MergeWithNobodyChangesNothing) {
  const std::vector<double> values = {3, 5};
  const Moments two = block_moments(values, all_ok(2));
  EXPECT_EQ(merge(two, Moments{}), two);
  EXPECT_EQ(merge(Moments{}, two), two);
  EXPECT_EQ(two, (Moments{2, 4, 2, 0, 3, 5}));
}

/// The tree as the header words it, with the list at hand.
template <class T>
T merge_levels(std::vector<T> blocks) {
  if (blocks.empty()) return {};
  while (blocks.size() > 1) {
    std::vector<T> next;
    for (std::size_t i = 0; i + 1 < blocks.size(); i += 2) next.push_back(merge(blocks[i], blocks[i + 1]));
    if (blocks.size() % 2 == 1) next.push_back(blocks.back());
    blocks = std::move(next);
  }
  return blocks.front();
}

/// Its merging is written down.
struct Word {
  std::string text;
  bool operator==(const Word&) const = default;
};
Word merge(const Word& a, const Word& b) { return {"(" + a.text + " " + b.text + ")"}; }

TEST(MergeTree, IsTheTreeOfTheLevels) {
  MergeTree<Word> words;
  MergeTree<Moments> moments;
  std::vector<Word> all_words;
  std::vector<Moments> all_moments;
  for (std::size_t n = 0; n <= 300; ++n) {
    EXPECT_EQ(words.finish(), merge_levels(all_words)) << n;
    EXPECT_EQ(moments.finish(), merge_levels(all_moments)) << n;
    const auto values = noise(5 + n % 7, static_cast<double>(n % 13), 1);
    all_words.push_back({std::to_string(n)});
    all_moments.push_back(block_moments(values, all_ok(values.size())));
    for (const auto& word : all_words) words.add(word);
    for (const auto& block : all_moments) moments.add(block);
    EXPECT_EQ(words.count(), static_cast<std::int64_t>(n + 1));
  }
}

// ---- engines ----

void expect_same(const Summary& a, const Summary& b) {
  const auto numbers = [](const Summary& s) {
    std::vector<double> all = {s.mean, s.standard_deviation, s.standard_error, s.skewness, s.min, s.max};
    all.insert(all.end(), s.quantiles.begin(), s.quantiles.end());
    all.insert(all.end(), s.histogram.edges.begin(), s.histogram.edges.end());
    std::vector<std::uint64_t> bits;
    for (const double x : all) bits.push_back(std::bit_cast<std::uint64_t>(x));
    return bits;
  };
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(numbers(a), numbers(b));
  EXPECT_EQ(a.histogram.counts, b.histogram.counts);
}

TEST(Engine, HasTheSameBitsOnAnyNumberOfThreads) {
  for (const std::size_t count : {0u, 1u, 31u, 4097u, 10'007u, 300'001u}) {
    auto values = noise(count, 3, 2);
    auto status = all_ok(count);
    for (std::size_t i = 0; i < count; i += 97) status[i] = Status::non_finite;
    for (std::size_t i = 5; i < count; i += 101) values[i] = nan;
    for (std::size_t i = 7; i < count; i += 103) values[i] = -0.0;
    const Summary one = summarise(values, status, *make_cpu_engine(1));
    for (const int threads : {2, 3, 7, 16}) expect_same(summarise(values, status, *make_cpu_engine(threads)), one);
    expect_same(summarise(values, status), one);
    expect_same(summarise_and_discard(std::vector(values), status), one);
  }
}

TEST(Engine, SortsAsTheStandardLibraryDoes) {
  for (const std::size_t count : {1u, 2u, 1000u, 100'003u}) {
    auto values = noise(count, 0, 1e-3);
    for (std::size_t i = 0; i < count; i += 11) values[i] = i % 2 == 0 ? infinity : -largest;
    auto expected = values;
    std::sort(expected.begin(), expected.end());
    cpu_engine().sort(values);
    EXPECT_EQ(values, expected);
  }
}

TEST(Engine, OfAGpuSaysWhatIsMissing) {
  try {
    make_cuda_engine(0, "/nowhere/libconesweep_statistics_cuda.so");
    FAIL() << "a plugin from nowhere";
  } catch (const SystemError& error) {
    EXPECT_NE(
        std::string(error.what()).find("need the plugin /nowhere/libconesweep_statistics_cuda.so, which does not load"),
        std::string::npos)
        << error.what();
  }
}

TEST(Engine, OfAGpuOrTheCpuGivesTheSummaryAnyway) {
  std::vector<std::string> reports;
  const auto engine = make_cuda_or_cpu_engine([&](const std::string& text) { reports.push_back(text); });
  const auto values = noise(10'007, 3, 2);
  expect_same(summarise(values, all_ok(values.size()), *engine), summarise_ok(values));
  expect_same(summarise(values, all_ok(values.size()), *engine), summarise_ok(values));
  EXPECT_EQ(reports.size(), engine->name() == "cpu" ? 1u : 0u);
}

}  // namespace
}  // namespace conesweep::statistics
