#pragma once

#include <string>
#include <vector>

#include "plot/chart.hpp"
#include "report/cells.hpp"
#include "sensitivity/index.hpp"

/// Drawings that several panels share: bars, curves, dots and fields, with their numbers.
namespace conesweep::report {

/// Bars with their intervals; those of one row stand together.
struct Bars {
  std::string name;
  std::vector<sensitivity::Index> rows;  // NaN: not known
};
plot::Chart bar_chart(const std::string& label, const std::vector<std::string>& rows, const std::vector<Bars>& series);

/// A line, with dots at its points, over a band, where it has one.
struct Curve {
  std::string name;  // empty: needs none
  std::vector<double> x, y;
  std::vector<double> lower = {}, upper = {};
  bool dotted = true;
};
/// Where axes are logarithmic, numbers that are not above 0 are left out.
plot::Chart curve_chart(plot::Axis x, plot::Axis y, const std::vector<Curve>& curves);

/// Members as dots; with their colours where there is a label for them.
void add_dots(plot::Chart& chart, const Cloud& cloud, const std::string& label);

/// Cells by what they have; their colours cover a range at least.
void add_field(plot::Chart& chart, const Cells& cells, const std::string& label, const plot::Range& at_least = {});

}  // namespace conesweep::report
