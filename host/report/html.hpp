#pragma once

#include <string>
#include <vector>

#include "plot/figure.hpp"
#include "support/markup.hpp"

namespace conesweep::report {

/// A table that may be wider than a telephone: it scrolls by itself. Cells are HTML; the first column is a row's head.
std::string html_table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                       const std::string& style = {});

/// A figure with its title, its note, its numbers in a folded table of at most so many rows, and a link that saves all
/// of them.
std::string html_figure(const plot::Figure& figure, bool with_numbers = true);

/// A link that saves a text, which it carries.
std::string csv_link(const std::string& csv, const std::string& file);

std::string cell_of(double number, int digits = 5);

}  // namespace conesweep::report
