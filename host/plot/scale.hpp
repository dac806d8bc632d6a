#pragma once

#include <string>
#include <utility>
#include <vector>

namespace conesweep::plot {

/// From numbers to places on a drawing, linear or logarithmic.
struct Scale {
  double lower = 0, upper = 1;  // of the numbers, lower < upper; above 0 where logarithmic
  bool logarithmic = false;
  double from = 0, to = 1;  // where they lie on the drawing

  double operator()(double value) const;
};

/// A range that can be drawn: of some finite numbers, with a margin of a share of its length. Numbers that are all equal, or none, get room around them.
std::pair<double, double> make_range(double least, double most, double margin = 0.04);

/// Round numbers within a range, about so many: 1, 2, 2.5 or 5 times a power of ten apart; of a logarithmic one powers of ten.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
  int power = 0;  // labels are of values / 10^power: large and small numbers have it beside the axis
};
Ticks make_ticks(const Scale& scale, int about);

/// 10⁻⁶
std::string power_of_ten(int power);

}  // namespace conesweep::plot
