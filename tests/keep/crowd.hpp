#pragma once

#include <cstdint>
#include <string>

namespace conesweep::keep {

/// A scenario of so many members, of which some stop and some are recorded.
inline std::string make_crowd(std::int64_t members) {
  return R"toml(
[model]
coordinates = ["x", "y"]
force = ["-k*x + 1/(k - 0.5)^2*0", "sin(3*t)"]
[model.parameters]
k = 1.0
[start]
x = "1"
y = "k*t"
[time]
end = 0.5
step = 0.1
[vary]
k = { uniform = [0, 2] }
[observe]
reach = { max = "x" }
[record]
members = 37
every = 2
[ensemble]
members = )toml" +
         std::to_string(members) + "\n";
}

}  // namespace conesweep::keep
