#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "run/listener.hpp"
#include "run/request.hpp"
#include "sampling/sampler.hpp"
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

/// How far the intervals of all indices reach from their values, at most; infinite where one is not known.
double widest_interval(const sensitivity::SobolIndices& indices);

/// Members that are asked for: at which points they stand, and how many there may be in the end.
struct Task {
  const scenario::Scenario& scenario;
  const sampling::UnitPoints& points;
  tell::Design design = {};
  std::int64_t most = 0;
};

/// A run from begin to end. A run that is finished already, with `resume`, is only looked at; a rank that follows steps
/// what the leader says, and returns with nothing. Else `lead` produces the members and makes the summary of them.
///
/// A finished run that is another one than is asked for is an InputError; one that grew for its goals is the one asked
/// for if it is large enough for these, or has as many members as are allowed now.
using Lead = std::function<void(Run& run, Ended& ended)>;
Ended carry_out(const Task& task, const Request& request, Listener& listener, const Lead& lead);

}  // namespace conesweep::runs
