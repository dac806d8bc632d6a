#include "support/hash.hpp"

#include <gtest/gtest.h>

namespace conesweep {
namespace {

// the published values of FNV-1a, 64 bits (draft-eastlake-fnv): names of parameters make random numbers of it, so it
// never changes
TEST(Hash, IsThePublishedOne) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(Hash, IsWrittenInSixteenDigits) {
  EXPECT_EQ(to_hex(0), "0000000000000000");
  EXPECT_EQ(to_hex(0xaf63dc4c8601ec8cu), "af63dc4c8601ec8c");
}

// published files have checksums of this kind: its numbers never change either
TEST(Checksum, IsThatOfAllBytesInWhateverPiecesTheyCome) {
  const std::string text = "what was written, in a file of more than eight bytes";
  const std::uint64_t whole = checksum(text.data(), text.size());
  EXPECT_EQ(to_hex(whole), "ffb63f24634aa899");
  for (std::size_t first = 0; first <= text.size(); ++first)
    for (std::size_t second = first; second <= text.size(); ++second) {
      Checksum sum(text.size());
      sum.add(text.data(), first);
      sum.add(text.data() + first, second - first);
      sum.add(text.data() + second, text.size() - second);
      EXPECT_EQ(sum.finish(), whole) << first << ", " << second;
    }
}

}  // namespace
}  // namespace conesweep
