#pragma once

#include "scenario/reading/reader.hpp"
#include "support/scenario_text.hpp"

namespace conesweep::test {

using scenario::Overrides;

/// A scenario that needs nothing more.
inline const std::string base = R"~(
[model]
coordinates = ["x", "y"]
force = ["k * (1 - delay(x, tau))", "-g"]
[model.parameters]
g = 9.81
k = 4.0
tau = 0.2
mu = 0.3
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "0"
y = "0"
[time]
end = 1.0
step = 0.01
)~";

/// The texts of all problems, without the lines they stand in
inline std::string said(const std::string& text, const Overrides& overrides = {}) {
  std::string all;
  for (const auto& problem : find_problems(text, overrides)) {
    const std::string whole = problem.to_text();
    all += "\n" + whole.substr(0, whole.find('\n'));
  }
  return all;
}

/// A scenario with such times.
inline std::string with_time(const std::string& end, const std::string& step) {
  return "[model]\ncoordinates = [\"x\"]\nforce = [\"0\"]\n[start]\nx = \"0\"\n[time]\nend = " + end +
         "\nstep = " + step + "\n";
}

/// The scenario above with three parameters that vary.
inline const std::string three =
    base +
    "[ensemble]\nmembers = 50\nsampler = 'sobol'\n[vary]\nmu = { uniform = [0.1, 0.2] }\nk = { "
    "uniform = [1, 2] }\ntau = { normal = [0.2, 0.01] }\n";

}  // namespace conesweep::test
