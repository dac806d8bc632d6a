#include "executor/executor.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "executor/cpu/cpu_executor.hpp"
#include "executor/cuda/cuda_executor.hpp"
#include "executor/reference/reference_executor.hpp"
#include "model/compiler.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::executor {
namespace {

// Below so many member·steps a CPU has finished before a GPU has started (a context and a module take about half a second).
constexpr double least_gpu_work = 2e8;

}  // namespace

std::string_view to_name(Precision precision) { return precision == Precision::single ? "single" : "double"; }

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "CPU";
}

std::int64_t count_recorded(const scenario::Scenario& scenario, const Chunk& chunk) {
  return chunk.track_all ? chunk.count : std::clamp<std::int64_t>(scenario.record.members - chunk.first, 0, chunk.count);
}

Outcome make_outcome(const scenario::Scenario& scenario, const Chunk& chunk) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto members = static_cast<std::size_t>(chunk.count);
  Outcome outcome;
  outcome.observables.assign(observable_names(scenario).size(), std::vector<double>(members, nan));
  outcome.status.assign(members, Status::ok);
  outcome.stop_time.assign(members, nan);
  outcome.residual.assign(members, nan);
  outcome.flags.assign(members, 0);

  Trajectories& trajectories = outcome.trajectories;
  trajectories.members = count_recorded(scenario, chunk);
  if (trajectories.members == 0) return outcome;
  trajectories.times = scenario.steps / scenario.record.every + 1;
  const auto cells = static_cast<std::size_t>(trajectories.members * trajectories.times);
  trajectories.columns.assign(2 * static_cast<std::size_t>(scenario.dimension()), std::vector<double>(cells, nan));
  trajectories.mode.assign(cells, static_cast<std::uint8_t>(Mode::flight));
  return outcome;
}

std::vector<std::string> executor_names() { return {"cuda", "cpu", "reference"}; }

namespace {

// NVRTC's time grows with the square of the varied parameters: 5 s for 1000, half a minute for 3000, more than 150 s for 10,000.
constexpr std::size_t most_varied_on_cuda = 4000;

std::string too_many_varied(const scenario::Scenario& scenario) {
  return "the cuda executor takes at most " + counted(most_varied_on_cuda) + " varied parameters, the scenario has " +
         counted(varying_parameters(scenario).size());
}

}  // namespace

std::unique_ptr<Executor> make_executor(const std::string& backend, const scenario::Scenario& scenario, const Options& options, std::string& reason) {
  // float counts steps one by one up to 2^24
  if (options.precision == Precision::single && scenario.steps > (1 << 24))
    throw InputError("--precision single counts at most 16,777,216 steps, the scenario has " + counted(scenario.steps) + "; use double");
  if (options.precision == Precision::single && backend == "reference") throw InputError("--precision single: the reference executor runs in double only");
  reason = "asked for";
  if (backend == "reference") return std::make_unique<reference::ReferenceExecutor>(scenario, options);
  const auto with_notice = [&](std::unique_ptr<Executor> made) {
    if (const std::string notice = made->notice(); !notice.empty()) reason += "; " + notice;
    return made;
  };
  const auto make_cpu_executor = [&] { return with_notice(std::make_unique<cpu::CpuExecutor>(scenario, options)); };
  const auto make_cuda_executor = [&] { return with_notice(cuda::make_cuda_executor(scenario, options)); };
  if (backend == "cpu") return make_cpu_executor();
  if (backend == "cuda") {
    if (varying_parameters(scenario).size() > most_varied_on_cuda) throw InputError("--backend cuda: " + too_many_varied(scenario) + "; use --backend cpu");
    return make_cuda_executor();
  }
  if (backend != "auto") {
    std::vector<std::string> known = executor_names();
    known.insert(known.begin(), "auto");
    throw InputError("unknown backend '" + backend + "'; known: " + join_words(known));
  }
  std::string device;
  bool gpu = cuda::is_available(device);
  if (gpu && varying_parameters(scenario).size() > most_varied_on_cuda) gpu = false, device = too_many_varied(scenario);
  const bool compiler = !model::find_host_compiler().empty();
  const double work = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps);
  if (gpu && (work >= least_gpu_work || !compiler)) {
    reason = "a GPU is there";
    return make_cuda_executor();
  }
  if (compiler) {
    reason = gpu ? "too little work for the GPU" : device.substr(0, device.find(';'));  // what is missing, without the advice
    return make_cpu_executor();
  }
  if (options.precision == Precision::single) throw InputError("--precision single needs a GPU, or a C++ compiler for the cpu executor; install g++");
  reason = "slow, but there is no GPU, and no C++ compiler was found for the cpu executor" + model::missing_compiler() + "; install g++";
  return std::make_unique<reference::ReferenceExecutor>(scenario, options);
}

}  // namespace conesweep::executor
