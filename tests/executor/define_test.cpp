// A scenario with definitions is the scenario written out by hand: the same bits on every executor.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "executor/agreement.hpp"

namespace conesweep::test {
namespace {

const std::string with_definitions = R"toml(title = "a ball in a bowl"
[model]
coordinates = ["x", "y"]
force = ["-k * behind - 0.3 * speed * vx", "-g + pull"]
[model.parameters]
g = 9.81
k = 3.0
tau = 0.05
mu = 0.3
[model.define]
speed = "sqrt(vx^2 + vy^2 + 1e-6)"
radius = "x^2 + y^2"
energy = "0.5 * speed^2 + g * y"
lag = "2 * tau"
behind = "delay(x * radius + vx * t, lag)"
away = "abs(x - now(x)) + 0 * radius"
slow = "speed < 1"
pull = "if(slow, -window_max(away, lag), k * 0.1)"
launch = "0.2 + 0.1 * t * k"
[[model.contact]]
inside = "radius <= 1"
friction = "if(slow, 2 * mu, mu)"
restitution = "min(0.5, 0.1 * speed)"
[start]
x = "launch"
y = "0.1 - 0.2 * t"
[time]
end = 2.0
step = 0.002
[ensemble]
members = 40
[vary]
mu = { uniform = [0.1, 0.6] }
tau = { uniform = [0.01, 0.1] }
[observe]
top = { max = "energy" }
late = { last_time = "not slow" }
drift = { final = "delay(energy, lag) - energy" }
[record]
members = 40
every = 100
)toml";

std::string replace_all(std::string text, const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [word, by] : words)
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
      text.replace(at, word.size(), by);
  return text;
}

// The same without names: each replaced by what it stands for, those that use others first.
std::string by_hand() {
  std::string text = with_definitions;
  const std::size_t first = text.find("[model.define]"), last = text.find("[[model.contact]]");
  text.erase(first, last - first);
  return replace_all(text, {{"pull", "if(slow, -window_max(abs(x - now(x)) + 0 * radius, lag), k * 0.1)"},
                            {"behind", "delay(x * radius + vx * t, lag)"},
                            {"energy", "(0.5 * speed^2 + g * y)"},
                            {"launch", "0.2 + 0.1 * t * k"},
                            {"slow", "(speed < 1)"},
                            {"lag", "2 * tau"},
                            {"radius", "(x^2 + y^2)"},
                            {"speed", "sqrt(vx^2 + vy^2 + 1e-6)"}});
}

class Definitions : public OnExecutor {};
ON_EVERY_EXECUTOR(Definitions);

TEST_P(Definitions, GiveTheBitsOfTheScenarioWrittenOutByHand) {
  const auto named = parse_scenario(with_definitions), plain = parse_scenario(by_hand());
  ASSERT_EQ(plain.definitions.size(), 0U);
  ASSERT_EQ(named.definitions.size(), 9U);
  const auto a = run_first(named, backend(), 40), b = run_first(plain, backend(), 40);
  EXPECT_TRUE(same_bits(plain, a, b));
  EXPECT_TRUE(agree(named, a, run_first(named, "reference", 40), 1e-9));
}

}  // namespace
}  // namespace conesweep::test
