#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "run/request.hpp"
#include "support/sink.hpp"
#include "tell/summary.hpp"

namespace conesweep::runs {

/// A run as it ended.
struct Ended {
  tell::Summary summary;
  std::filesystem::path file;  // its summary.json; empty: it is in memory alone
  bool reached = true;         // the goals, if there were any
  bool was_there = false;      // it was finished before, and nothing was stepped

  /// All members ended well, and there are as many as were asked for.
  bool is_fine() const { return summary.stopped() == 0 && reached; }

  /// The text of summary.json; nothing on a rank that follows.
  void write_json(const Sink& sink) const;
  std::string json() const;
};

/// With `resume`: the run in the folder, if it is finished and the one asked for; one that grew for its goals counts if
/// it is large enough for these, or has as many members as are allowed now. InputError if a finished one is another.
std::optional<Ended> find_finished(const Request& request, const scenario::Scenario& scenario, std::int64_t most,
                                   const tell::Design& design = {});

/// How far the intervals of all indices reach from their values, at most; infinite where one is not known.
double widest_interval(const sensitivity::SobolIndices& indices);

}  // namespace conesweep::runs
