#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/scenario_text.hpp"

namespace conesweep::test {

/// What the cases of messages replace some text of.
inline const std::string valid = R"~(title = "Test"
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau))", "-g"]
[model.parameters]
g = 9.81
k = 4.0
tau = 0.2
mu = 0.3
e = 0.5
[[model.contact]]
name = "floor"
inside = "y >= 0"
friction = "mu"
restitution = "e"
[start]
x = "0.5 * t"
y = "0"
[time]
end = 1.0
step = 0.01
[ensemble]
members = 100
seed = 7
sampler = "random"
[vary]
mu = { uniform = [0.1, 0.6] }
[observe]
reach = { max = "x" }
[record]
members = 4
every = 10
)~";

using Replacements = std::vector<std::pair<std::string, std::string>>;

inline std::string replaced(const Replacements& replacements) {
  std::string text = valid;
  for (const auto& [from, to] : replacements) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("nothing to replace: " + from);
    text.replace(at, from.size(), to);
  }
  return text;
}

inline void expect_problems(const Replacements& replacements, const std::string& expected) {
  std::string got;
  for (const auto& problem : find_problems(replaced(replacements))) got += "\n" + problem.to_text();
  EXPECT_EQ(got, expected) << "with " << replacements.front().second;
}

}  // namespace conesweep::test
