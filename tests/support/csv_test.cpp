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

TEST(Csv, WritesWordsAndNumbersUnderAHead) {
  Sheet sheet{{"run", "x, m"}};
  sheet.add({"a"}, {0.1 + 0.2});
  sheet.add({"b"}, {1234567});
  EXPECT_EQ(sheet.to_csv(), "run,\"x, m\"\na,0.3\nb,1.23457e+06\n");
}

}  // namespace
}  // namespace conesweep
