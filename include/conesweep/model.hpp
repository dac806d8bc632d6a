#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conesweep/scenario.hpp"

/// A scenario as a function from columns of parameters to columns of what is observed: for calibration, optimisation,
/// or designs of one's own.
///
///   const Model model = compile(scenario);
///   Call call;
///   call.count = 10;
///   call.parameters = x;      // [column][member]
///   call.observables = y;     // [observable][member]
///   call.status = status;     // [member]
///   model.run(call);
namespace conesweep {

namespace api {
struct ModelParts;
}  // namespace api

struct CompileOptions {
  std::string backend = "auto";      // auto, cuda, cpu, reference
  std::string precision = "double";  // or single
  int threads = 0;                   // 0: all cores
  std::string devices;               // GPUs: "all", "0,1"; empty: the first
  // parameters that come as columns; left out: those that vary
  std::optional<std::vector<std::string>> columns;
  // member·steps that calls bring together, by which "auto" chooses; 0: those of the scenario
  double work = 0;

  // meanwhile: compiling takes seconds, of large models minutes
  std::function<void(double seconds)> waiting;
  std::function<void(const std::string&)> message;  // what a user should know: a sentence, now and then
  const std::atomic<bool>* cancel = nullptr;        // once it is true, compile ends with Cancelled
};

/// One call of a model: members, their parameters, and where results go. Spans are the caller's memory: it is read and
/// written where it is, in double precision without a copy on the cpu. An output that is left empty is not wanted.
struct Call {
  std::int64_t count = 0;              // members
  std::span<const double> parameters;  // [column][member], columns in the order of Model::columns

  // what is to be different from the scenario
  std::map<std::string, double> set;  // parameters that are no column; what is computed of them follows
  std::optional<double> end, step;
  std::optional<std::uint64_t> seed;
  std::int64_t first = 0;  // number of the first member
  // the first so many members of the call leave trajectories, at every so many steps
  std::int64_t recorded = 0;
  std::int64_t every = 1;

  // results; NaN: an event that never came, or a member that stopped
  std::span<double> observables;    // [observable][member], in the order of Model::observables
  std::span<std::uint8_t> status;   // [member]: 0 ok, others by status_names
  std::span<double> stop_time;      // [member]: NaN for those that are ok
  std::span<double> residual;       // [member]: of the step that was not solved (not_converged), else NaN
  std::span<std::uint8_t> flags;    // [member]: a bit for each of flag_names
  std::span<std::uint8_t> classes;  // [member]: codes by Model::classes; only of a scenario that has classes
  std::span<double> trajectories;   // [coordinates, then velocities][recorded member][time]; NaN after a stop
  std::span<std::uint8_t> modes;    // [recorded member][time]: by mode_names

  std::function<void(std::int64_t members)> finished;  // so many more; from any thread, one at a time
  const std::atomic<bool>* cancel = nullptr;           // once it is true, the call ends with Cancelled
};

/// What a call leaves, in memory of its own.
struct Outcome {
  std::int64_t count = 0;
  std::vector<double> observables;  // [observable][member]
  std::vector<std::uint8_t> status, flags, classes;
  std::vector<double> stop_time;
  std::int64_t recorded = 0, times = 0;
  std::vector<double> trajectories;  // [coordinates, then velocities][recorded member][time]
  std::vector<std::uint8_t> modes;   // [recorded member][time]

  /// One observable of all members.
  std::span<const double> observable(std::size_t number) const {
    return std::span(observables).subspan(number * static_cast<std::size_t>(count), static_cast<std::size_t>(count));
  }
};

/// A scenario that is compiled. It owns what was compiled and loaded, its threads and its memory on devices; several
/// threads may call it at once. It never changes, and copies of it share all that.
class Model {
 public:
  const Scenario& scenario() const;
  const std::vector<std::string>& columns() const;      // parameters that calls bring
  const std::vector<std::string>& observables() const;  // in the order of results
  const std::vector<std::string>& tracks() const;       // coordinates, then velocities: x, y, vx, vy
  const std::vector<std::string>& classes() const;      // names of classes' codes; empty: the scenario has none

  std::string backend() const;  // cuda, cpu, reference
  std::string device() const;   // for people
  std::string reason() const;   // why this backend
  double compile_seconds() const;

  /// Nodes at which a call with this end and step records: their times. (`set` and others do not matter.)
  std::vector<double> times(const Call& call) const;

  /// Steps all members. ScenarioError where spans have other sizes than the call asks for, or a value is out of range
  /// for all members; what is out of range for one member stops that member, and its status says why.
  void run(const Call& call) const;

  /// The same into memory of its own; the spans of results stay as they are.
  Outcome evaluate(Call call) const;

 private:
  friend Model compile(const Scenario&, const CompileOptions&);
  explicit Model(std::shared_ptr<const api::ModelParts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const api::ModelParts> parts_;
};

Model compile(const Scenario& scenario, const CompileOptions& options = {});

// what the bytes of results mean
const std::vector<std::string>& status_names();  // by their number
const std::vector<std::string>& mode_names();    // flight, slip, stick
const std::vector<std::string>& flag_names();    // flag k is bit 1 << k
std::string status_advice(std::uint8_t status);  // what a user can do, in a sentence
std::string flag_meaning(std::size_t flag);      // what it says, in a sentence

}  // namespace conesweep
