#include "conesweep/model.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "api/execution.hpp"
#include "api/scenario_parts.hpp"
#include "keep/classes.hpp"
#include "scenario/refine.hpp"
#include "support/text.hpp"

namespace conesweep {

struct api::ModelParts {
  Scenario asked;     // as it came
  Scenario compiled;  // with the columns as parameters that vary
  std::vector<std::string> columns, observables, tracks, classes;
  std::vector<int> parameters;  // [column], by their index
  std::string reason;
  std::unique_ptr<executor::Model> model;

  const scenario::Scenario& scenario() const { return *Access::parts(compiled).scenario; }
};

namespace {

using api::ModelParts;
using executor::Status;

// A parameter is a column of the model where it varies, and it does nowhere else: what is computed of it then follows.
Scenario vary_columns(const Scenario& scenario, const std::vector<std::string>& columns) {
  const auto varied = scenario.varied();
  const auto values = scenario.parameters();
  const auto is_in = [](const auto& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  Changes changes;
  for (const auto& name : varied)
    if (!is_in(columns, name)) changes.set(name, values.at(name));
  for (const auto& name : columns) {
    std::vector<std::string> known;
    for (const auto& [parameter, value] : values) known.push_back(parameter);
    if (!is_in(known, name))
      throw InputError("columns: the scenario has no parameter '" + name + "'" + suggest(name, known));
    if (std::count(columns.begin(), columns.end(), name) > 1)
      throw InputError("columns: '" + name + "' is named twice");
    if (!is_in(varied, name)) changes.vary(name, choice({values.at(name)}));
  }
  return scenario.with(changes);
}

std::vector<int> find_parameters(const scenario::Problem& problem, const std::vector<std::string>& columns) {
  std::vector<int> found;
  const auto& names = problem.names.parameters;
  for (const auto& name : columns)
    found.push_back(static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
  return found;
}

executor::Options to_options(const CompileOptions& options) {
  Execution execution;
  execution.threads = options.threads;
  execution.devices = options.devices;
  execution.precision = options.precision;
  execution.cancel = options.cancel;
  executor::Options made = api::to_options(execution);
  if (options.waiting) made.compiling.waiting = [=](double seconds, std::int64_t) { options.waiting(seconds); };
  if (options.message) made.compiling.note = options.message;
  return made;
}

void set_value(scenario::Setup& setup, const ModelParts& parts, const std::string& name, double value) {
  const auto& names = parts.scenario().names.parameters;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(about(setting::set) + "unknown parameter '" + name + "'" + suggest(name, names));
  if (std::find(parts.columns.begin(), parts.columns.end(), name) != parts.columns.end())
    throw InputError(about(setting::set) + "'" + name + "' comes as a column");
  setup.defaults[static_cast<std::size_t>(found - names.begin())] = api::finite("set " + name, value);
}

// how far, and in which steps: as the reader of a file has it
void set_time(scenario::Setup& setup, const Call& call) {
  if (!call.end && !call.step) return;
  const double end = call.end.value_or(setup.end), step = call.step.value_or(setup.step);
  for (const auto& [setting, value] : {std::pair(setting::end, end), std::pair(setting::step, step)})
    if (!(value > 0 && std::isfinite(value)))
      throw InputError(about(setting) + "must be greater than 0, got " + format_number(value));
  const std::string wrong = scenario::find_fault_of_steps(end, step);
  if (!wrong.empty()) throw InputError(about(call.step ? setting::step : setting::end) + wrong);
  setup.end = end;
  setup.step = step;
  setup.steps = static_cast<std::int64_t>(std::round(end / step));
}

scenario::Setup make_setup(const ModelParts& parts, const Call& call) {
  scenario::Setup setup = parts.scenario();
  for (const auto& [name, value] : call.set) set_value(setup, parts, name, value);
  set_time(setup, call);
  if (call.recorded < 0 || call.every < 1) throw InputError("recorded must be at least 0, and every at least 1");
  // by their number, the first members of the call
  setup.record = {call.first + std::min(call.recorded, call.count), call.every};
  return setup;
}

template <class T>
void demand_size(const char* name, std::span<T> span, std::size_t wanted, bool may_be_left_out = true) {
  if (span.size() == wanted || (may_be_left_out && span.empty())) return;
  throw InputError(std::string(name) + " has room for " + std::to_string(span.size()) +
                   " numbers; wanted: " + std::to_string(wanted));
}

void check_sizes(const ModelParts& parts, const Call& call, const scenario::Setup& setup) {
  if (call.count < 0 || call.first < 0) throw InputError("count and first must be at least 0");
  const auto members = static_cast<std::size_t>(call.count);
  const auto recorded = static_cast<std::size_t>(std::min(call.recorded, call.count));
  const std::size_t cells = recorded * static_cast<std::size_t>(setup.recorded_times());
  demand_size("parameters", call.parameters, parts.columns.size() * members, false);
  demand_size("observables", call.observables, parts.observables.size() * members);
  demand_size("status", call.status, members);
  demand_size("stop_time", call.stop_time, members);
  demand_size("residual", call.residual, members);
  demand_size("flags", call.flags, members);
  demand_size("classes", call.classes, parts.classes.empty() ? 0 : members);
  demand_size("trajectories", call.trajectories, parts.tracks.size() * cells);
  demand_size("modes", call.modes, cells);
}

std::vector<double> to_column(std::span<const double> block, std::size_t number, std::size_t members) {
  const auto column = block.subspan(number * members, members);
  return {column.begin(), column.end()};
}

// classes are found of what members left, and so of all of it
void classify(const ModelParts& parts, const Call& call, const scenario::Setup& setup) {
  scenario::Scenario scenario = parts.scenario();
  static_cast<scenario::Setup&>(scenario) = setup;
  const auto members = static_cast<std::size_t>(call.count);
  const auto variations = varying_parameters(scenario);
  keep::MemberColumns columns;
  columns.observable = [&](std::size_t o) { return to_column(call.observables, o, members); };
  columns.parameter = [&](std::size_t variation) {
    const auto at = std::find(parts.parameters.begin(), parts.parameters.end(), variations[variation]);
    return to_column(call.parameters, static_cast<std::size_t>(at - parts.parameters.begin()), members);
  };
  for (const std::uint8_t status : call.status) columns.status.push_back(static_cast<Status>(status));
  const auto codes = keep::classify(scenario, columns);
  std::copy(codes.begin(), codes.end(), call.classes.begin());
}

// a status is a byte, for users and for us
std::span<Status> as_statuses(std::span<std::uint8_t> bytes) {
  static_assert(sizeof(Status) == 1);
  return {reinterpret_cast<Status*>(bytes.data()), bytes.size()};
}

void run_members(const ModelParts& parts, const Call& call) {
  const scenario::Setup setup = make_setup(parts, call);
  check_sizes(parts, call, setup);
  if (call.count == 0) return;
  if (!call.classes.empty() && (call.observables.empty() || call.status.empty()))
    throw InputError("classes are found of observables and statuses; ask for these, too");
  executor::Watch watch;
  watch.stop = call.cancel;
  std::mutex telling;
  if (call.finished)
    watch.finished = [&](std::int64_t more) {
      const std::lock_guard guard(telling);
      call.finished(more);
    };
  executor::Places places;
  places.observables = call.observables;
  places.status = as_statuses(call.status);
  places.stop_time = call.stop_time;
  places.residual = call.residual;
  places.flags = call.flags;
  places.tracks = call.trajectories;
  places.modes = call.modes;
  const executor::Members members(call.seed.value_or(parts.scenario().ensemble.seed), call.first, call.count);
  parts.model->run_in_place(setup, {members, call.parameters}, places, watch);
  if (!call.classes.empty()) classify(parts, call, setup);
}

}  // namespace

Model compile(const Scenario& scenario, const CompileOptions& options) {
  return api::tell_plainly([&] {
    auto parts =
        std::make_shared<ModelParts>(ModelParts{scenario,
                                                options.columns ? vary_columns(scenario, *options.columns) : scenario,
                                                {},
                                                {},
                                                {},
                                                {},
                                                {},
                                                {},
                                                nullptr});
    const scenario::Scenario& compiled = parts->scenario();
    parts->columns = options.columns ? *options.columns : parts->compiled.varied();
    parts->observables = parts->compiled.observables();
    parts->classes = parts->compiled.classes();
    parts->tracks = state_names(compiled);
    parts->parameters = find_parameters(compiled, parts->columns);
    executor::Options execution = to_options(options);
    executor::demand_countable_steps(execution.precision, compiled);
    execution.work = options.work > 0
                         ? options.work
                         : static_cast<double>(compiled.ensemble.members) * static_cast<double>(compiled.steps);
    parts->model = executor::make_model(options.backend, compiled, parts->parameters, execution, parts->reason);
    return Model(std::move(parts));
  });
}

const Scenario& Model::scenario() const { return parts_->asked; }
const std::vector<std::string>& Model::columns() const { return parts_->columns; }
const std::vector<std::string>& Model::observables() const { return parts_->observables; }
const std::vector<std::string>& Model::tracks() const { return parts_->tracks; }
const std::vector<std::string>& Model::classes() const { return parts_->classes; }
std::string Model::backend() const { return parts_->model->name(); }
std::string Model::device() const { return parts_->model->device(); }
std::string Model::reason() const { return parts_->reason; }
double Model::compile_seconds() const { return parts_->model->compile_seconds(); }

std::vector<double> Model::times(const Call& call) const {
  return api::tell_plainly([&] {
    const scenario::Setup setup = make_setup(*parts_, call);
    std::vector<double> times;
    for (std::int64_t i = 0; i < setup.recorded_times(); ++i) times.push_back(setup.time(i * setup.record.every));
    return times;
  });
}

void Model::run(const Call& call) const {
  api::tell_plainly([&] { run_members(*parts_, call); });
}

Outcome Model::evaluate(Call call) const {
  Outcome outcome;
  outcome.count = call.count;
  const auto members = static_cast<std::size_t>(std::max<std::int64_t>(0, call.count));
  outcome.recorded = std::clamp<std::int64_t>(call.recorded, 0, outcome.count);
  outcome.times = outcome.recorded > 0 ? std::ssize(times(call)) : 0;
  outcome.observables.resize(parts_->observables.size() * members);
  outcome.status.resize(members);
  outcome.flags.resize(members);
  outcome.stop_time.resize(members);
  outcome.classes.resize(parts_->classes.empty() ? 0 : members);
  const auto cells = static_cast<std::size_t>(outcome.recorded * outcome.times);
  outcome.trajectories.resize(parts_->tracks.size() * cells);
  outcome.modes.resize(cells);
  call.observables = outcome.observables;
  call.status = outcome.status;
  call.flags = outcome.flags;
  call.stop_time = outcome.stop_time;
  call.classes = outcome.classes;
  call.trajectories = outcome.trajectories;
  call.modes = outcome.modes;
  run(call);
  return outcome;
}

const std::vector<std::string>& status_names() {
  static const std::vector<std::string> names = scenario::statuses.names();
  return names;
}

const std::vector<std::string>& mode_names() {
  static const std::vector<std::string> names = scenario::modes.names();
  return names;
}

const std::vector<std::string>& flag_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& row : scenario::flags) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

std::string status_advice(std::uint8_t status) {
  if (status >= status_names().size()) throw ScenarioError("there is no status " + std::to_string(status));
  return std::string(scenario::statuses[static_cast<Status>(status)].advice);
}

std::string flag_meaning(std::size_t flag) {
  if (flag >= flag_names().size()) throw ScenarioError("there is no flag " + std::to_string(flag));
  return std::string(scenario::flags[flag].meaning);
}

}  // namespace conesweep
