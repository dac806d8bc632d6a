#pragma once

#include <string>
#include <string_view>

namespace conesweep {

/// A cell of CSV: in quotes where it holds a comma, a quote or a line end.
std::string csv_cell(std::string_view text);

}  // namespace conesweep
