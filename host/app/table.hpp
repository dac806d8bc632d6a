#pragma once

#include <string>
#include <vector>

namespace conesweep::app {

/// How wide a table may be: what a terminal, a page and a printed line have.
inline constexpr std::size_t table_width = 100;

/// How wide aligned rows are.
std::size_t width_of(const std::vector<std::vector<std::string>>& rows);

/// Rows of cells as aligned lines: the first column to the left (of `left` columns), the others to the right. UTF-8
/// counts as people see it. Columns that do not fit into table_width go on below, after the `left` ones once more.
std::string align_columns(const std::vector<std::vector<std::string>>& rows, std::size_t left = 1);

/// A number of a table, "–" for NaN.
std::string cell(double x, int digits);

}  // namespace conesweep::app
