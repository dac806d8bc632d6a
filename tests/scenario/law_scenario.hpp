#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace conesweep::test {

/// A scenario with laws of every kind: a wheel that rolls on a rail beside a wall, held back by a table.
inline const std::string wheel = R"~(title = "Wheel"
[model]
coordinates = ["x", "y", "phi"]
mass = ["m", "m", "J"]
force = ["0", "-m*g", "0"]
[model.parameters]
m = 2.0
J = 0.5
g = 10.0
R = 0.5
mu = 0.3
count = 20
[model.define]
rimx = "x + R*sin(phi)"
rimy = "y - R*cos(phi)"
height = "2*R"
[[model.contact]]
name = "rim"
point = ["rimx", "rimy"]
inside = "rimy >= 0"
friction = "mu"
[[model.contact]]
name = "wall"
slip = ["vy + R*vphi"]
inside = "x <= 2"
friction = "mu"
[[model.bilateral]]
name = "rail"
holds = "y = R"
[[model.bilateral]]
name = "roll"
velocity = "vx + R*vphi = 0"
[[model.resistance]]
name = "table"
slip = ["vx"]
drive = ["sin(t)"]
limit = "mu*abs(normal(rail))"
percussions = { time = "1 - 2^(-j)", size = "2^(-j)", count = "count" }
[start]
x = "0"
y = "R"
phi = "0"
[time]
end = 1.0
step = 0.01
[observe]
load = { max = "normal(rim)" }
)~";

using Replacements = std::vector<std::pair<std::string, std::string>>;

/// The wheel, with the first occurrence of each text replaced by another.
inline std::string wheel_with(const Replacements& replacements) {
  std::string text = wheel;
  for (const auto& [from, to] : replacements) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("nothing to replace: " + from);
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace conesweep::test
