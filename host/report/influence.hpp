#pragma once

#include <string>
#include <vector>

#include "report/charts.hpp"
#include "report/run_view.hpp"

namespace conesweep::report {

/// How much each parameter drives an observable: the indices of a design, of a sample Spearman's rank correlation over
/// some of the members drawn.
struct Influence {
  std::string kind;  // what the numbers are
  std::vector<std::string> series;
  std::vector<BarRow> rows = {};  // a parameter each, the one that matters most first
  std::int64_t ranked_every = 0;  // of so many members drawn one; 0: of a design
  std::string why_none = {};      // there are no numbers; a sentence
};
Influence influence_of(const RunView& run, const std::string& observable);

/// At most so many parameters, the one that an observable depends on most first.
std::vector<std::string> by_influence(const RunView& run, const std::string& observable, std::size_t most);

}  // namespace conesweep::report
