// Blocks of text with places to fill, and functions that are chosen by a number.
#include "model/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error.hpp"

namespace conesweep::model {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Text, FillsEveryPlace) {
  EXPECT_EQ(fill("int @name@[] = @list@;\n", {{"list", "{1}"}, {"name", "lags"}}), "int lags[] = {1};\n");
  EXPECT_EQ(fill("@a@@b@@a@", {{"a", "1"}, {"b", ""}}), "11");
  EXPECT_EQ(fill("no place", {}), "no place");
  EXPECT_EQ(fill("", {}), "");
}

TEST(Text, DoesNotLookAtWhatItFilledIn) { EXPECT_EQ(fill("@a@ @b@", {{"a", "@b@"}, {"b", "2"}}), "@b@ 2"); }

TEST(Text, APlaceWithoutAFillingIsOurMistake) {
  EXPECT_THROW(fill("@a@ @b@", {{"a", "1"}}), InternalError);
  EXPECT_THROW(fill("@a@ @", {{"a", "1"}}), InternalError);
}

TEST(Text, AListHasOneEntryAtLeast) {
  EXPECT_EQ(number_list({}), "{0}");
  EXPECT_EQ(number_list({3}), "{3}");
  EXPECT_EQ(number_list({3, -1, 0}), "{3, -1, 0}");
  EXPECT_EQ(name_list({"a::b", "a::c"}), "{a::b, a::c}");
}

TEST(Text, ChoosesABodyByItsNumber) {
  EXPECT_EQ(choose_by_number("Real length(const Real* c)", {"      return c[0];\n", "      return c[1];\n"}),
            "  template <int K, class Real>\n"
            "  static CS_INLINE Real length(const Real* c) {\n"
            "    using Scalar = ScalarOf<Real>;\n"
            "    if constexpr (K == 0) {\n"
            "      return c[0];\n"
            "    } else if constexpr (K == 1) {\n"
            "      return c[1];\n"
            "    }\n"
            "  }\n\n");
  EXPECT_EQ(choose_by_number_at_node("friction(const Node& n)", {"      return Real(0);\n"}),
            "  template <int K, class Node>\n"
            "  static CS_INLINE auto friction(const Node& n) {\n"
            "    using Real = typename Node::Number;\n"
            "    using Scalar = ScalarOf<Real>;\n"
            "    (void)n;\n"
            "    if constexpr (K == 0) {\n"
            "      return Real(0);\n"
            "    }\n"
            "  }\n\n");
}

TEST(Text, ManyBodiesAreChosenByHalves) {
  EXPECT_THAT(choose_by_number("Real f()", std::vector<std::string>(16, "")), Not(HasSubstr("K <")));
  const std::string text = choose_by_number("Real f()", std::vector<std::string>(33, ""));
  for (const char* middle : {"(K < 16)", "(K < 24)"})
    EXPECT_THAT(text, HasSubstr(middle)) << "0 … 15; 16 … 23; 24 … 32";
  for (int k = 0; k < 33; ++k) EXPECT_THAT(text, HasSubstr("(K == " + std::to_string(k) + ")"));
}

}  // namespace
}  // namespace conesweep::model
