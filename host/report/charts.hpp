#pragma once

#include <string>
#include <vector>

#include "plot/chart.hpp"
#include "sensitivity/index.hpp"

/// Drawings that several panels share: bars, lines, dots and cells, with their numbers.
namespace conesweep::report {

/// A bar with its interval for each series; those of one row stand together. NaN: not known.
struct BarRow {
  std::string name;
  std::vector<sensitivity::Index> bars;  // [series]
};
plot::Chart bar_chart(const plot::Words& words, const std::string& label, const std::vector<std::string>& series,
                      const std::vector<BarRow>& rows);

/// Rows of numbers under one name; a row of NaN interrupts what is drawn.
struct Series {
  std::string name;  // empty: needs none
  std::vector<std::vector<double>> rows = {};
};

/// What of the rows is drawn: a line of one column over another, over bands between two.
struct Lines {
  std::vector<std::string> head;  // of the columns
  std::size_t across = 0, line = 1;
  std::vector<std::pair<std::size_t, std::size_t>> bands = {};
  std::string style = "line";  // empty: none
  bool dotted = true;          // at the points
  std::size_t every = 1;       // of so many rows one is in the table
};
/// Where the axis is logarithmic, numbers that are not above 0 are left out.
plot::Chart line_chart(const plot::Words& words, plot::Axis x, plot::Axis y, const Lines& how,
                       const std::vector<Series>& series);

/// An axis for a column, with the levels of a grid where it has few values.
plot::Axis axis_over(const std::string& label, const std::vector<double>& column, double margin,
                     bool logarithmic = false);

/// Members by two numbers, and by a third.
struct Cloud {
  const std::vector<double>&x, &y;
  const std::vector<double>* colour = nullptr;
};
void add_dots(plot::Chart& chart, const Cloud& cloud, const std::string& label);
/// In cells: around the levels of an axis, else so many across. Coloured by the mean of the third number, whose range
/// is one at least; without one by counts.
void add_cells(plot::Chart& chart, const Cloud& cloud, const std::string& label, int across,
               plot::NumberRange range = {});

}  // namespace conesweep::report
