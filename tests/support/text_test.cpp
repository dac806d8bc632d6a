#include "support/text.hpp"

#include <gtest/gtest.h>

namespace conesweep {
namespace {

TEST(Text, CountsWithTheWordThatBelongsToTheNumber) {
  EXPECT_EQ(counted(1, "member"), "1 member");
  EXPECT_EQ(counted(0, "member"), "0 members");
  EXPECT_EQ(counted(1234567, "member"), "1,234,567 members");
  EXPECT_EQ(counted(1000), "1,000");
  EXPECT_EQ(plural(1, "chunk"), "chunk");
  EXPECT_EQ(plural(2, "chunk"), "chunks");
}

TEST(Text, IsAsWideAsItsCharacters) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("– ± µ R²"), 8u);  // two and three bytes
  EXPECT_EQ(display_width("\xF0\x9F\x8D\x8B"), 1u);
}

}  // namespace
}  // namespace conesweep
