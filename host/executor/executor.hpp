#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/compile_watch.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::executor {

using scenario::Mode;
using scenario::Status;
inline constexpr int status_count = static_cast<int>(scenario::statuses.size());

/// Who the members of a chunk are: their numbers in the ensemble, and its seed. What is random or chosen about a member
/// below `run` is a function of these two, and never of its place in a chunk.
class Members {
 public:
  Members() = default;  // nobody
  /// first, first + 1, …
  Members(std::uint64_t seed, std::int64_t first, std::int64_t count) : seed_(seed), first_(first), count_(count) {}
  Members(const scenario::Design& design, std::int64_t first, std::int64_t count)
      : Members(design.ensemble.seed, first, count) {}
  /// Any.
  Members(const scenario::Design& design, std::vector<std::int64_t> numbers);

  std::uint64_t seed() const { return seed_; }
  std::int64_t count() const { return count_; }
  std::int64_t number(std::int64_t place) const {
    return numbers_.empty() ? first_ + place : numbers_[static_cast<std::size_t>(place)];
  }
  std::int64_t first() const { return count_ == 0 ? first_ : number(0); }

  /// One a member; empty where they are consecutive.
  const std::vector<std::int64_t>& numbers() const { return numbers_; }

  /// Those at these places.
  Members at(const std::vector<std::int64_t>& places) const;

 private:
  void take(std::vector<std::int64_t> numbers);

  std::uint64_t seed_ = 0;
  std::int64_t first_ = 0, count_ = 0;
  std::vector<std::int64_t> numbers_;
};

/// Members of one chunk on their way in.
struct Chunk {
  Members members = {};
  std::vector<std::vector<double>> varied = {};  // [column of the model][member]
  bool track_all = false;  // trajectories of all its members, not only of those that the setup records

  std::int64_t count() const { return members.count(); }
};

/// How many of its members leave trajectories: the first ones, as long as their numbers are those that the setup
/// records.
std::int64_t count_recorded(const scenario::Setup& setup, const Chunk& chunk);

/// The same members where the caller has their parameters: nothing is copied that need not be.
struct Given {
  Members members;
  std::span<const double> varied;  // [column of the model][member]
};

/// Memory of the caller for what members leave, as Outcome has it. What is empty is not wanted.
struct Places {
  std::span<double> observables = {};  // [observable][member]
  std::span<Status> status = {};       // [member], like the next three
  std::span<double> stop_time = {}, residual = {};
  std::span<std::uint8_t> flags = {};
  std::span<double> tracks = {};       // coordinates, then velocities: [column][member * times + time]
  std::span<std::uint8_t> modes = {};  // [member * times + time]
};

/// Trajectories of the recorded members of a chunk, at nodes 0, every, 2 every, …
struct Trajectories {
  std::int64_t members = 0;
  std::int64_t times = 0;
  // [column of the state][member * times + time]; NaN after a stop
  std::vector<std::vector<double>> columns;
  std::vector<std::uint8_t> mode;  // [member * times + time]
};

/// The same members on their way out. A member that stopped has NaN in every observable.
struct Outcome {
  std::vector<std::vector<double>> observables;  // [observable][member], in the order of observable_names
  std::vector<Status> status;                    // [member]
  std::vector<double> stop_time;                 // [member], NaN for those that are ok
  std::vector<double> residual;                  // [member], of the step that was not solved (not_converged), else NaN
  std::vector<std::uint8_t> flags;               // [member], a bit a flag: what is worth knowing of its way
  Trajectories trajectories;
};

/// How many columns members leave.
struct OutcomeShape {
  explicit OutcomeShape(const scenario::Problem& problem);
  // of trajectories: all numbers of the state; the first so many of them have statistics over time
  std::size_t observables, tracks, summed;
};

/// An outcome of the right shape, filled with NaN (statuses: ok, no flag), for an executor to write into.
Outcome make_outcome(const OutcomeShape& shape, const scenario::Setup& setup, const Chunk& chunk);
inline Outcome make_outcome(const scenario::Scenario& scenario, const Chunk& chunk) {
  return make_outcome(OutcomeShape(scenario), scenario, chunk);
}

/// Where a run tells how far it is, and hears that it should stop.
struct Watch {
  std::function<void(std::int64_t members)> finished = [](std::int64_t) {};  // so many more members; from any thread
  const std::atomic<bool>* stop = nullptr;                                   // Ctrl-C

  Watch without_progress() const {
    return {[](std::int64_t) {}, stop};
  }
  bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

/// double, or float throughout (sums of many steps compensated).
enum class Precision { double_, single };
std::string_view to_name(Precision precision);

struct Options {
  int threads = 0;           // 0: all cores
  std::string devices = {};  // "all", "0,1", "auto"; empty: the first
  Precision precision = Precision::double_;
  model::CompileWatch compiling = {};  // while the model compiles, and not longer
  // among the processes on this machine that share a run: "auto" gives each its devices
  int local_rank = 0, local_size = 1;
  double work = 1e18;  // member·steps that are expected of it, by which the backend "auto" chooses
};

/// Members that are being stepped at once, and the memory they take there: their history, state and columns.
struct Flight {
  std::int64_t members = 0;
  std::int64_t bytes = 0;
};

/// What those who plan a run must know of an executor, whichever it is.
struct Traits {
  bool on_device = false;  // members in flight lie in a device's memory, and the host's threads are free meanwhile
  double rate = 1e8;       // member·steps a second that a slow machine reaches
};

/// A problem that is ready to be run: a function from columns of parameters to columns of what was observed.
///
/// Made once of a problem and of which parameters come as columns; it owns what was compiled and loaded for it, its
/// threads and its memory on devices, and keeps no reference to what it was made of. Each call brings its own setup:
/// other fixed values, another end, another step or other trajectories compile nothing. Several threads may call it at
/// once.
///
/// Executors are what implements it. They differ by who runs which member, and by nothing a result shows.
class Model {
 public:
  virtual ~Model() = default;
  virtual std::string name() const = 0;    // reference, cpu, cuda: for people and files; what it can do, its traits say
  virtual std::string device() const = 0;  // what it runs on, for people; the same however many threads
  virtual Traits traits() const { return {}; }
  virtual Precision precision() const { return Precision::double_; }
  virtual int threads() const { return 1; }

  virtual double compile_seconds() const { return 0; }
  virtual std::string notice() const { return {}; }  // something the user should know; mostly nothing

  /// So many members in one chunk keep it busy.
  virtual std::int64_t busy_members() const { return 65536; }

  /// What is in flight when the longest history has so many nodes.
  virtual Flight in_flight([[maybe_unused]] std::int64_t nodes) const { return {}; }

  /// Steps all members of a chunk from the past to the end. Throws Interrupted when asked to stop.
  virtual Outcome run(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch) const = 0;

  /// The same from and into the caller's memory. Here by copies; executors that can do without have their own.
  virtual void run_in_place(const scenario::Setup& setup, const Given& given, const Places& places,
                            const Watch& watch) const;
};

/// The model of a problem whose members differ by `columns` (parameters by their index, in the order in which chunks
/// have them), by the executor called `backend`; "auto" takes what there is. `reason` says what was taken and why.
std::unique_ptr<Model> make_model(const std::string& backend, const scenario::Problem& problem,
                                  const std::vector<int>& columns, const Options& options, std::string& reason);

/// Of a scenario: its columns are those that vary, its work is that of all its members.
std::unique_ptr<Model> make_model(const std::string& backend, const scenario::Scenario& scenario,
                                  const Options& options, std::string& reason);

/// Steps of a member that it can count: float counts them one by one up to there.
std::int64_t most_steps_in(Precision precision);

/// InputError where the precision cannot count the steps.
void demand_countable_steps(Precision precision, const scenario::Setup& setup);

/// What this machine's processor calls itself.
std::string cpu_name();

/// Names of the executors this build has.
std::vector<std::string> executor_names();

}  // namespace conesweep::executor
