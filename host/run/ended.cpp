#include "run/ended.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <optional>

#include "io/files.hpp"
#include "keep/chunk_store.hpp"
#include "run/follow.hpp"
#include "run/run.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/finished.hpp"

namespace conesweep::runs {
namespace {

// The error that a goal is about: of the mean as a share of it, or of the indices of a design. NaN where it is not
// known.
double error_of(const tell::Summary& summary, const Goal& goal) {
  for (std::size_t row = 0; row < summary.sobol.size(); ++row)
    if (summary.rows[row] == goal.name) return widest_interval(summary.sobol[row]);
  if (!summary.design.method.empty()) return std::numeric_limits<double>::quiet_NaN();
  for (const keep::ClassCount& one : summary.classes)
    if (goal.of_class && scenario::class_row(one.name) == goal.name) return one.interval.half_width();
  for (const auto& [name, statistics] : summary.observables)
    if (!goal.of_class && name == goal.name) return statistics.standard_error / std::fabs(statistics.mean);
  return std::numeric_limits<double>::quiet_NaN();
}

// The run in the folder, if it is to be gone on with and is finished: then it is the one asked for.
std::optional<Ended> find_finished(const Task& task, const Request& request) {
  const std::filesystem::path& out = request.folder;
  if (!request.resume || keep::ChunkStore::is_begun(out) || !io::is_there(out / keep::summary_name))
    return std::nullopt;
  Ended found;
  found.was_there = true;
  found.file = out / keep::summary_name;
  found.summary = tell::read_summary(found.file, tell::Points::skip);

  scenario::Scenario grown = task.scenario;
  if (!request.goals.empty()) grown.ensemble.members = std::max(grown.ensemble.members, found.summary.members);
  tell::demand_same_run(out, found.summary, grown, {request.backend, request.precision(), task.design.points});

  for (const auto& goal : request.goals)
    // the numbers of the file are rounded once more
    found.reached = found.reached && error_of(found.summary, goal) / goal.share <= 1 + 1e-12;
  if (!found.reached && grown.ensemble.members < task.most)
    throw InputError(out.string() + " holds a finished run of " + counted(grown.ensemble.members, "member") +
                     ", too few for what " + setting::until + " asks for; start over with " + setting::force +
                     ", or choose another folder with " + setting::out);
  keep::ChunkStore::sweep(out);
  return found;
}

}  // namespace

void Ended::write_json(const Sink& sink) const {
  if (summary.status.empty()) return;  // on a rank that follows
  if (file.empty()) return tell::write_json(summary, sink);
  io::read_stretch(file, 0, std::numeric_limits<std::uint64_t>::max(), sink);
}

std::string Ended::json() const {
  std::string text;
  write_json([&](std::string_view piece) { text += piece; });
  return text;
}

double widest_interval(const sensitivity::SobolIndices& indices) {
  double widest = 0;
  for (const auto* kind : {&indices.first, &indices.total, &indices.second})
    for (const sensitivity::Index& index : *kind) {
      const double reach = std::max(index.upper - index.value, index.value - index.lower);
      widest = std::max(widest, reach == reach ? reach : std::numeric_limits<double>::infinity());
    }
  return widest;
}

Ended carry_out(const Task& task, const Request& request, Listener& listener, const Lead& lead) {
  if (request.follows()) {
    follow(task.scenario, request, listener, task.design, task.points);
    return {};
  }
  if (auto finished = find_finished(task, request)) return std::move(*finished);
  Run run(task.scenario, request, listener, task.design);
  listener.introduce(run);
  Ended ended;
  try {
    lead(run, ended);
    listener.complete(run.data());
    ended.file = run.finish(ended.summary);
  } catch (const std::bad_alloc&) {
    run.rethrow_without_memory();
  }
  return ended;
}

}  // namespace conesweep::runs
