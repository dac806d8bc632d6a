#include "support/text.hpp"

#include <gtest/gtest.h>

#include "support/markup.hpp"

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

TEST(Text, CutsBetweenCharacters) {
  EXPECT_EQ(cut("µµµ", 3), "µµµ");
  EXPECT_EQ(cut("µµµµ", 3), "µµ…");
}

TEST(Text, WritesNumbersAsPeopleDo) {
  EXPECT_EQ(written(0.25, 5), "0.25");
  EXPECT_EQ(written(-1.5, 5), "−1.5");
  EXPECT_EQ(written(7.7e-5, 2), "7.7·10⁻⁵");
  EXPECT_EQ(written(-1.234e64, 3), "−1.23·10⁶⁴");
  EXPECT_EQ(written(1e64, 3), "10⁶⁴");
  EXPECT_EQ(written(-1e-9, 3), "−1·10⁻⁹");
  EXPECT_EQ(power_of_ten(-12), "10⁻¹²");
}

TEST(Text, IsEscapedForMarkup) { EXPECT_EQ(escape("a < \"b\" & c\x01>"), "a &lt; &quot;b&quot; &amp; c�&gt;"); }

}  // namespace
}  // namespace conesweep
