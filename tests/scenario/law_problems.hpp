#pragma once

#include <gtest/gtest.h>

#include "law_scenario.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {

inline void expect_problems(const Replacements& replacements, const std::string& expected) {
  std::string got;
  for (const auto& problem : find_problems(wheel_with(replacements))) got += "\n" + problem.to_text();
  EXPECT_EQ(got, expected) << "with " << replacements.front().second;
}

}  // namespace conesweep::test
