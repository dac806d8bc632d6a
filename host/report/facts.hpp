#pragma once

#include <string>
#include <vector>

#include "report/run_view.hpp"

/// What a report says in words and tables, as HTML.
namespace conesweep::report {

using Runs = std::vector<RunView>;

/// Fixed and varied parameters, with their distributions drawn; at most so many of each.
std::string html_parameters(const RunView& run, std::size_t most);

/// Version, executor, device, precision, seed, step, members by status, time, rate; one column a run.
std::string html_how(const Runs& runs, Spelling spelling);

/// An observable in a sentence: mean with its errors, median, quantiles.
std::string describe(const RunView& run, const std::string& observable);

/// Observables, at most so many: mean with its errors, deviation, quantiles, count.
std::string html_statistics(const RunView& run, std::size_t most);

/// What a reader must know before believing a number; empty where there is nothing.
std::vector<Sentence> find_warnings(const RunView& run);

}  // namespace conesweep::report
