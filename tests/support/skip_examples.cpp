// Cases that skip, fail and pass, for skips_test.py; not a test by itself.
#include <gtest/gtest.h>

namespace conesweep::test {
namespace {

TEST(Example, Skips) { GTEST_SKIP() << "this machine forbids it"; }
TEST(Example, Passes) {}
TEST(Example, Fails) { EXPECT_EQ(1, 2); }
TEST(Example, FailsBeforeItSkips) {
  EXPECT_EQ(1, 2);
  GTEST_SKIP() << "too late";
}

}  // namespace
}  // namespace conesweep::test
