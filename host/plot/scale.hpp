#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace conesweep::plot {

/// From the least to the largest of some numbers, those that are not finite left out.
struct Range {
  double least = INFINITY, most = -INFINITY;

  void add(double value);
  void add(const std::vector<double>& values);
  double length() const { return most - least; }

  /// One that can be drawn, with a margin of a share of its length. Numbers that are all equal, or none, get room around them.
  Range widened(double margin) const;
};

/// From numbers to places on a drawing, linear or logarithmic.
struct Scale {
  Range range = {0, 1};  // not empty; above 0 where logarithmic
  bool logarithmic = false;
  double from = 0, to = 1;  // where its ends lie on the drawing

  double operator()(double value) const;
};

/// Round numbers within a range, about so many: 1, 2, 2.5 or 5 times a power of ten apart; of a logarithmic one powers of ten.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
  int power = 0;  // labels are of values / 10^power: large and small numbers have it beside the axis
};
Ticks make_ticks(const Scale& scale, int about);

/// A number's text with a minus sign, which is as wide as a plus sign, for its hyphen.
std::string with_minus(std::string text);

/// 10⁻⁶
std::string power_of_ten(int power);

}  // namespace conesweep::plot
