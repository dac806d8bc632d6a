#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "support/sink.hpp"
#include "tell/sweep_summary.hpp"

/// The points of a sweep in the text of summary.json: a map has a million of them, so they are written and read one by
/// one, and the text is never whole.
namespace conesweep::tell {

/// All of them as they stand in the file, brackets included. `sweep` must live as long.
LongText points_text(const SweepSummary& sweep);

/// About how long the text of one point is, to a fifth: what its numbers are nobody knows before.
double bytes_a_point(const scenario::Scenario& scenario);

}  // namespace conesweep::tell
