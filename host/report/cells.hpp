#pragma once

#include <vector>

#include "plot/chart.hpp"

/// Members in the cells of a plane.
namespace conesweep::report {

/// Members by two numbers, and by a third.
struct Cloud {
  const std::vector<double>&x, &y;
  const std::vector<double>* colour = nullptr;
};

/// Steps along an axis: so many of one size on the drawing; around the levels of a grid, half a distance beyond its ends.
struct Steps {
  std::vector<double> edges, places;  // one more than places
};
Steps even_steps(const plot::Axis& axis, int count);
Steps steps_around(std::vector<double> levels, bool logarithmic);

struct Cells {
  Steps x, y;
  std::vector<double> values;  // [row * columns + column]; NaN where no member is
  bool are_counts = false;     // of members, else means of the third number
};
Cells fill_cells(const Cloud& cloud, Steps x, Steps y);

/// The values that a column has, where they are few: the levels of a grid; else none.
std::vector<double> levels_of(const std::vector<double>& column);

}  // namespace conesweep::report
