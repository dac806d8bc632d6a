#include "support/hash.hpp"

#include <gtest/gtest.h>

namespace conesweep {
namespace {

// the published values of FNV-1a, 64 bits (draft-eastlake-fnv): names of parameters make random numbers of it, so it never changes
TEST(Hash, IsThePublishedOne) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(Hash, IsWrittenInSixteenDigits) {
  EXPECT_EQ(to_hex(0), "0000000000000000");
  EXPECT_EQ(to_hex(0xaf63dc4c8601ec8cu), "af63dc4c8601ec8c");
}

}  // namespace
}  // namespace conesweep
