#pragma once

#include <string>
#include <vector>

namespace conesweep::app {

/// Rows of cells as aligned lines: the first column to the left (of `left` columns), the others to the right. UTF-8 counts as people see it.
std::string align_columns(const std::vector<std::vector<std::string>>& rows, std::size_t left = 1);

/// A number of a table, "–" for NaN.
std::string cell(double x, int digits);

}  // namespace conesweep::app
