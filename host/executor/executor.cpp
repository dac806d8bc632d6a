#include "executor/executor.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "executor/cpu/cpu_executor.hpp"
#include "executor/cuda/cuda_executor.hpp"
#include "executor/reference/reference_executor.hpp"
#include "model/compiler.hpp"
#include "scenario/limits.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::executor {
namespace {

// Below so many member·steps a CPU has finished before a GPU has started (a context and a module take about half a
// second).
constexpr double least_gpu_work = 2e8;

}  // namespace

std::string_view to_name(Precision precision) { return precision == Precision::single ? "single" : "double"; }

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "CPU";
}

Members::Members(const scenario::Design& design, std::vector<std::int64_t> numbers) : seed_(design.ensemble.seed) {
  take(std::move(numbers));
}

void Members::take(std::vector<std::int64_t> numbers) {
  first_ = numbers.empty() ? 0 : numbers.front();
  count_ = std::ssize(numbers);
  const auto leaps = [](std::int64_t a, std::int64_t b) { return b != a + 1; };
  if (std::adjacent_find(numbers.begin(), numbers.end(), leaps) != numbers.end()) numbers_ = std::move(numbers);
}

Members Members::at(const std::vector<std::int64_t>& places) const {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t place : places) numbers.push_back(number(place));
  Members some;
  some.seed_ = seed_;
  some.take(std::move(numbers));
  return some;
}

std::int64_t count_recorded(const scenario::Setup& setup, const Chunk& chunk) {
  if (chunk.track_all) return chunk.count();
  std::int64_t recorded = 0;
  while (recorded < chunk.count() && chunk.members.number(recorded) < setup.record.members) ++recorded;
  return recorded;
}

OutcomeShape::OutcomeShape(const scenario::Problem& problem)
    : observables(count_observables(problem)), tracks(count_states(problem)), summed(summed_states(problem).size()) {}

Outcome make_outcome(const OutcomeShape& shape, const scenario::Setup& setup, const Chunk& chunk) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto members = static_cast<std::size_t>(chunk.count());
  Outcome outcome;
  outcome.observables.assign(shape.observables, std::vector<double>(members, nan));
  outcome.status.assign(members, Status::ok);
  outcome.stop_time.assign(members, nan);
  outcome.residual.assign(members, nan);
  outcome.flags.assign(members, 0);

  Trajectories& trajectories = outcome.trajectories;
  trajectories.members = count_recorded(setup, chunk);
  if (trajectories.members == 0) return outcome;
  trajectories.times = setup.recorded_times();
  const auto cells = static_cast<std::size_t>(trajectories.members * trajectories.times);
  trajectories.columns.assign(shape.tracks, std::vector<double>(cells, nan));
  trajectories.mode.assign(cells, static_cast<std::uint8_t>(Mode::flight));
  return outcome;
}

namespace {

template <class T>
void copy_into(std::span<T> place, const std::vector<T>& column) {
  if (!place.empty()) std::copy(column.begin(), column.end(), place.begin());
}

void copy_into(std::span<double> place, const std::vector<std::vector<double>>& columns) {
  for (auto to = place.begin(); const auto& column : columns)
    if (!place.empty()) to = std::copy(column.begin(), column.end(), to);
}

}  // namespace

void Model::run_in_place(const scenario::Setup& setup, const Given& given, const Places& places,
                         const Watch& watch) const {
  Chunk chunk{given.members};
  const auto members = static_cast<std::size_t>(chunk.count());
  for (std::size_t at = 0; at < given.varied.size(); at += members) {
    const auto column = given.varied.subspan(at, members);
    chunk.varied.emplace_back(column.begin(), column.end());
  }
  const Outcome outcome = run(setup, chunk, watch);
  copy_into(places.observables, outcome.observables);
  copy_into(places.status, outcome.status);
  copy_into(places.stop_time, outcome.stop_time);
  copy_into(places.residual, outcome.residual);
  copy_into(places.flags, outcome.flags);
  copy_into(places.tracks, outcome.trajectories.columns);
  copy_into(places.modes, outcome.trajectories.mode);
}

std::vector<std::string> executor_names() { return {"cuda", "cpu", "reference"}; }

namespace {

// NVRTC's time grows with the square of the varied parameters: 5 s for 1000, half a minute for 3000, more than 150 s
// for 10,000.
constexpr std::size_t most_varied_on_cuda = 4000;

std::string too_many_varied(std::size_t columns) {
  return "the cuda executor takes at most " + counted(most_varied_on_cuda) + " varied parameters, the scenario has " +
         counted(columns);
}

}  // namespace

std::int64_t most_steps_in(Precision precision) {
  return precision == Precision::single ? 1 << 24 : scenario::most_steps;
}

void demand_countable_steps(Precision precision, const scenario::Setup& setup) {
  if (precision == Precision::single && setup.steps > most_steps_in(precision))
    throw InputError(setting::precision("single") + " counts at most 16,777,216 steps, the scenario has " +
                     counted(setup.steps) + "; use double");
}

std::unique_ptr<Model> make_model(const std::string& backend, const scenario::Problem& problem,
                                  const std::vector<int>& columns, const Options& options, std::string& reason) {
  if (options.precision == Precision::single && backend == "reference")
    throw InputError(setting::precision("single") + ": the reference executor runs in double only");
  reason = "asked for";
  const auto with_notice = [&](std::unique_ptr<Model> made) {
    if (const std::string notice = made->notice(); !notice.empty()) reason += "; " + notice;
    return made;
  };
  const auto by_reference = [&] { return std::make_unique<reference::ReferenceExecutor>(problem, columns, options); };
  const auto by_cpu = [&] { return with_notice(std::make_unique<cpu::CpuExecutor>(problem, columns, options)); };
  const auto by_cuda = [&] { return with_notice(cuda::make_cuda_executor(problem, columns, options)); };
  if (backend == "reference") return by_reference();
  if (backend == "cpu") return by_cpu();
  if (backend == "cuda") {
    if (columns.size() > most_varied_on_cuda)
      throw InputError(setting::backend("cuda") + ": " + too_many_varied(columns.size()) + "; use " +
                       setting::backend("cpu"));
    return by_cuda();
  }
  if (backend != "auto") {
    std::vector<std::string> known = executor_names();
    known.insert(known.begin(), "auto");
    throw InputError("unknown backend '" + backend + "'; known: " + join_words(known));
  }
  std::string device;
  bool gpu = cuda::is_available(device);
  if (gpu && columns.size() > most_varied_on_cuda) gpu = false, device = too_many_varied(columns.size());
  const bool compiler = !model::find_host_compiler().empty();
  if (gpu && (options.work >= least_gpu_work || !compiler)) {
    reason = "a GPU is there";
    return by_cuda();
  }
  if (compiler) {
    // what is missing, without the advice
    reason = gpu ? "too little work for the GPU" : device.substr(0, device.find(';'));
    return by_cpu();
  }
  if (options.precision == Precision::single)
    throw InputError(setting::precision("single") + " needs a GPU, or a C++ compiler for the cpu executor; " +
                     model::advise_compiler());
  reason = "slow, but there is no GPU, and no C++ compiler was found for the cpu executor" + model::missing_compiler() +
           "; " + model::advise_compiler();
  return by_reference();
}

std::unique_ptr<Model> make_model(const std::string& backend, const scenario::Scenario& scenario,
                                  const Options& options, std::string& reason) {
  demand_countable_steps(options.precision, scenario);
  Options all = options;
  all.work = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps);
  return make_model(backend, scenario, varying_parameters(scenario), all, reason);
}

}  // namespace conesweep::executor
