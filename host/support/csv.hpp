#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace conesweep {

/// A cell of CSV: in quotes where it holds a comma, a quote or a line end.
std::string csv_cell(std::string_view text);

/// Rows of cells under a head.
struct Sheet {
  std::vector<std::string> head = {};
  std::vector<std::vector<std::string>> rows = {};

  void add(std::vector<std::string> words, const std::vector<double>& numbers);  // numbers with six digits
  std::string to_csv() const;
};

}  // namespace conesweep
