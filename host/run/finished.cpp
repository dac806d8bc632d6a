#include "run/finished.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/files.hpp"
#include "io/seal.hpp"
#include "io/version.hpp"
#include "keep/chunk_store.hpp"
#include "keep/identity.hpp"
#include "keep/ownership.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/summary_file.hpp"

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

std::optional<Ended> find_finished(const Request& request, const scenario::Scenario& scenario, std::int64_t most,
                                   const tell::Design& design) {
  const std::filesystem::path& out = request.folder;
  if (!request.resume || keep::ChunkStore::is_begun(out) || !io::is_there(out / keep::summary_name))
    return std::nullopt;
  const Sentence again = "; start over with " + setting::force + ", or choose another folder with " + setting::out;
  Ended found;
  found.was_there = true;
  found.summary = tell::read_summary(out / keep::summary_name, tell::Points::skip);
  const tell::Summary& summary = found.summary;
  const tell::RunFacts& run = summary.run;

  scenario::Scenario grown = scenario;
  if (!request.goals.empty()) grown.ensemble.members = std::max(scenario.ensemble.members, summary.members);
  if (!io::is_there(out / keep::scenario_name) ||
      io::read_bytes(out / keep::scenario_name) != keep::resolved_text(grown))
    throw InputError(out.string() + " holds a finished run of another scenario" + again);
  const std::string& held = summary.design.points;
  if (held != design.points)
    throw InputError(out.string() + " holds a finished run of other points (" + held + "), and this is " +
                     design.points + again);
  const auto compare = [&](const std::string& name, const std::string& then, const std::string& now) {
    if (then != now)
      throw InputError(out.string() + " holds a finished run with " + name + " " + then + ", and this is " + now +
                       again);
  };
  compare("version", run.version, io::version());
  compare("precision", run.precision, request.precision());
  // tables and arithmetic have no other trace
  const std::string backend =
      request.backend == "reference" || (request.backend == "auto" && run.backend == "reference") ? "reference" : "cpu";
  if (run.identity != keep::identify_run(keep::describe_run(grown, backend, request.precision(), design.points)))
    throw InputError(out.string() + " holds a finished run of another executor, or of tables that have changed since" +
                     again);
  if (io::check_seal(out / keep::results_name) != run.identity)
    throw InputError((out / keep::results_name).string() + " is of another run than " + keep::summary_name + again);

  for (const auto& goal : request.goals)
    // the numbers of the file are rounded once more
    found.reached = found.reached && error_of(summary, goal) / goal.share <= 1 + 1e-12;
  if (!found.reached && grown.ensemble.members < most)
    throw InputError(out.string() + " holds a finished run of " + counted(grown.ensemble.members, "member") +
                     ", too few for what " + setting::until + " asks for" + again);
  keep::ChunkStore::sweep(out);
  found.file = out / keep::summary_name;
  return found;
}

}  // namespace conesweep::runs
