#include "support/csv.hpp"

#include <gtest/gtest.h>

namespace conesweep {
namespace {

TEST(Csv, QuotesWhatWouldBreakATable) {
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("final.x"), "final.x");
  EXPECT_EQ(csv_cell("a, b"), "\"a, b\"");
  EXPECT_EQ(csv_cell("the \"rough\" one"), "\"the \"\"rough\"\" one\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell("\r"), "\"\r\"");
}

}  // namespace
}  // namespace conesweep
