#pragma once

#include <string>
#include <vector>

#include "plot/frame.hpp"

/// Two-dimensional fields: counts and means over squares of a drawing or cells of a grid.
namespace conesweep::report {

struct Bins {
  struct Cell {
    double left, right, low, high;  // in units of the axes
    double value;                   // a count, or a mean
  };
  std::vector<Cell> cells;   // those with members
  bool logarithmic = false;  // counts are coloured by their logarithm
};

/// Members in each square of the drawing; with `values` their mean.
Bins count_bins(const plot::Frame& frame, const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>* values);
Bins mean_bins(const plot::Frame& frame, const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& values);

/// The values that a column has, where they are few: the levels of a grid; else none.
std::vector<double> levels_of(const std::vector<double>& column);
/// Room for half a cell beyond the first and the last level.
void widen_to_cells(plot::Axis& axis, const std::vector<double>& levels);
Bins mean_cells(const plot::Frame& frame, const std::vector<double>& levels_x, const std::vector<double>& levels_y, const std::vector<double>& x,
                const std::vector<double>& y, const std::vector<double>& values);

/// Cells with a colour bar; rows of numbers (place, place, value) go to the sheet.
void draw_bins(plot::Frame& frame, const Bins& bins, const std::string& label, plot::Sheet& numbers);

/// Members as dots, coloured by a third column where there is one.
void draw_dots(plot::Frame& frame, const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>* colour, plot::Sheet& numbers,
               const std::string& label);

}  // namespace conesweep::report
