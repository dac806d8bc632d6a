#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keep/classes.hpp"
#include "keep/stored_run.hpp"
#include "keep/summary_pieces.hpp"
#include "sensitivity/morris.hpp"
#include "sensitivity/sobol.hpp"
#include "statistics/hypercube_error.hpp"
#include "statistics/mean_error.hpp"
#include "statistics/statistics.hpp"
#include "tell/step_check.hpp"
#include "tell/stopped.hpp"
#include "tell/sweep_summary.hpp"

namespace conesweep::tell {

struct Timing {
  double wall_seconds = 0;
  double compile_seconds = 0;
  double solve_seconds = 0;  // members being stepped, without compiling and writing
};

/// How many members ended in a status, and the first of them. summary.json has the numbers alone.
struct StatusCount {
  executor::Status status = executor::Status::ok;
  std::int64_t members = 0;
  std::int64_t first = -1;     // -1: none
  double stop_time = 0;        // of the first, if it stopped
  double residual = 0;         // of the first, if its step was not solved
  std::vector<double> varied;  // its parameters
};

/// How many members have a flag.
struct FlagCount {
  state::Flag flag = state::Flag::hyperstatic;
  std::int64_t members = 0;
};

/// One coordinate over the recorded times: over all members that are ok, and bands of quantiles over the first block.
struct TrackSummary {
  std::string name;
  std::int64_t count = 0;
  std::vector<double> mean, standard_deviation;  // [time]
  std::vector<double> quantiles;                 // [level * times + time]
};

/// At whose points the members stand, where it is not the scenario's sampler; which belong together.
struct Design {
  std::string method = {};           // saltelli, morris; empty: none
  std::string points = "ensemble";   // with all that makes the points others: chunks of two designs do not fit together
  std::int64_t members_a_group = 1;  // a base of Saltelli's design, a trajectory of Morris'
  int levels = 0;                    // of Morris' design
};

/// Who ran it, and what of.
struct RunFacts {
  std::string version, backend, device, precision;
  std::uint64_t seed = 0;
  double step = 0;
  std::int64_t steps = 0;
  int ranks = 1, threads = 1;  // processes that shared the members; CPU threads of the one that wrote the files
  std::string identity = {};   // as a short hash (identity.hpp); empty: not asked for
  keep::TableChecksums tables = {};
};

/// What a run says: computed once, for summary.json and for what is printed.
struct Summary {
  std::string title;
  std::int64_t members = 0;
  // ok, then the others that occur, by their number
  std::vector<StatusCount> status;
  // all there are; empty where only one law can act
  std::vector<FlagCount> flags;
  std::vector<std::pair<std::string, statistics::Summary>> observables;  // in the order of observable_names
  // of the scenario, then statuses that occur; empty: none asked for
  std::vector<keep::ClassCount> classes;
  // point by point; the numbers above are then of all rows
  SweepSummary sweep;
  std::vector<double> times;         // at which trajectories are recorded
  std::vector<TrackSummary> tracks;  // of each coordinate; empty: not asked for
  StepCheck steps;                   // no observables: it was not checked
  Design design;
  std::vector<std::string> parameters;  // that vary
  // what a design's sensitivities are of: observables, class.<name>, `stopped` where some member did
  std::vector<std::string> rows;
  std::vector<StoppedReach> stopped_where;       // [parameter]; of a design with members that stopped
  std::vector<sensitivity::SobolIndices> sobol;  // [row]; of Saltelli's design
  std::vector<sensitivity::MorrisEffects> morris;
  RunFacts run;
  Timing timing;

  std::int64_t stopped() const { return members - status.front().members; }
};

/// Of which members statistics are made, and what errors their means have.
struct Draws {
  std::function<bool(std::int64_t)> counts = {};  // empty: all members
  statistics::MeanError error = {};               // of those that count, numbered anew; empty: they are independent
  bool sampled = true;                            // else nothing is drawn, and there is no error of sampling
};

/// Those of an ensemble of so many members, or of one point of a sweep. Members of latin and sobol have errors of their
/// own (statistics/hypercube_error.hpp, error_by_runs); a grid has none.
Draws ensemble_draws(const scenario::Scenario& scenario);

/// That of a hypercube; null where nothing can be fitted, and members are taken as independent.
std::shared_ptr<const statistics::HypercubeError> make_hypercube_error(const scenario::Scenario& scenario);

/// What is known of a run before its statistics.
Summary describe(const io::RunData& run);

/// How many observables are gathered and sorted side by side: those of small ensembles; a large one has all threads.
std::int64_t columns_at_once(std::int64_t members, std::int64_t columns, int threads);

/// The statistics of a run; timing, step check and sensitivities are for others to add. Statuses are counted of all
/// members.
Summary summarise(const io::RunData& run, const Draws& draws, statistics::Engine& engine = statistics::cpu_engine());

/// Adds the shares of the classes, over the members that count; the rows of a sweep are no sample.
void summarise_classes(const io::RunData& run, const Draws& draws, Summary& summary);

/// Adds those of the coordinates over time.
void summarise_tracks(const keep::StoredRun& run, statistics::Engine& engine, Summary& summary);

/// One sentence about the observables whose mean is that of a few members far away (statistics::is_mean_of_few), with
/// what to do; empty if there are none.
std::string growth_warning(const Summary& summary);

/// Names of the parameters that vary, in the order of the scenario; then those that are swept.
std::vector<std::string> varied_names(const scenario::Scenario& scenario);

}  // namespace conesweep::tell
