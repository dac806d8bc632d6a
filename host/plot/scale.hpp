#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace conesweep::plot {

/// From the least to the largest of some numbers, those that are not finite left out.
struct NumberRange {
  double least = INFINITY, most = -INFINITY;

  void add(double value);
  void add(const std::vector<double>& values);
  double length() const { return most - least; }  // of numbers over all doubles infinite: share_of does without
  bool is_empty() const { return !(least <= most); }

  /// How far from the least to the largest a number lies: 0 … 1.
  double share_of(double value) const;

  /// Are its numbers one to a drawing? They differ by less than 1e-9 of their size, or by less than 1e-300, where
  /// doubles have few digits or none.
  bool is_point() const;

  /// One that can be drawn: finite, and longer than a point, with a margin of a share of its length. A point, or no
  /// number, gets room around it.
  NumberRange widened(double margin) const;
};

/// One axis: its numbers, and where they lie on a drawing.
struct Axis {
  std::string label = {};
  NumberRange range = {};  // empty: that of the marks, widened by the margin
  double margin = 0.04;
  bool logarithmic = false;             // its numbers are above 0
  std::vector<std::string> names = {};  // instead of numbers: one place a name, 0, 1, … from the left or top
  std::vector<double> levels = {};      // the points of a grid: few of them have the ticks
  double from = 0, to = 1;              // where its ends lie

  double operator()(double value) const;  // from numbers to places on the drawing …
  double at(double place) const;          // … and back

  void end_at(NumberRange numbers);  // with its margin
  /// Ends an axis that is open where some numbers end. Where a few lie a thousand times further away than the others,
  /// as of members that grow without bound, it ends near the others; returns whether it does.
  bool fit(std::vector<double> numbers);
};

/// Names or round numbers within a range, about so many: 1, 2 or 5 times a power of ten apart; of many decades powers
/// of ten.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
  int power = 0;  // labels are of values / 10^power: large and small numbers have it beside the axis
};
Ticks make_ticks(const Axis& axis, int about);

}  // namespace conesweep::plot
