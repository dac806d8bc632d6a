#include "executor/cpu/cpu_executor.hpp"

#include <algorithm>

#include <conesweep/chunk/cpu_group.hpp>

#include "executor/columns.hpp"
#include "model/history_plan.hpp"
#include "model/unit.hpp"
#include "scenario/limits.hpp"
#include "support/error.hpp"
#include "support/workers.hpp"

namespace conesweep::executor::cpu {
namespace {

static_assert(history::most_window_steps == scenario::most_window_steps);

// Member·steps below which one thread has done them before another one has woken: some ten microseconds.
constexpr std::int64_t least_shared_work = 2048;

// Members that a thread takes at once: a few groups of packs, small enough to share evenly, to show progress and to
// hear Ctrl-C; fewer where there are few.
std::int64_t choose_task(std::int64_t members, std::int64_t threads, std::int64_t group) {
  constexpr std::int64_t most = 64;
  const std::int64_t share = (members + threads - 1) / threads;
  return std::clamp((share + group - 1) / group * group, group, std::max(group, most));
}

}  // namespace

CpuExecutor::CpuExecutor(const scenario::Problem& problem, const std::vector<int>& columns, const Options& options)
    : problem_(problem),
      columns_(columns),
      shape_(problem),
      precision_(options.precision),
      threads_(count_threads(options.threads)),
      unit_(model::make_cpu_unit(problem, columns, precision_ == Precision::single), options.compiling),
      // the compiler that made the unit knew what this machine has
      group_(unit_.find<long()>("conesweep_members_in_group")()),
      ring_columns_(model::count_ring_columns(problem)) {}

Outcome CpuExecutor::run(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch) const {
  CS_ASSERT(chunk.varied.size() == columns_.size());
  const auto run_in = [&]<class Scalar>(Scalar) {
    Columns<Scalar> columns(shape_, setup, chunk);
    const auto why = step_all(columns, setup.steps, watch);
    return columns.to_outcome(setup, chunk, [&](std::int64_t m) { return why[static_cast<std::size_t>(m)]; });
  };
  return precision_ == Precision::single ? run_in(float()) : run_in(double());
}

void CpuExecutor::run_in_place(const scenario::Setup& setup, const Given& given, const Places& places,
                               const Watch& watch) const {
  CS_ASSERT(given.varied.size() == columns_.size() * static_cast<std::size_t>(given.members.count()));
  const auto run_in = [&]<class Scalar>(Scalar) {
    Columns<Scalar> columns(shape_, setup, given, places, watch);
    const auto why = step_all(columns, setup.steps, watch);
    columns.give(setup, places, [&](std::int64_t m) { return why[static_cast<std::size_t>(m)]; });
  };
  precision_ == Precision::single ? run_in(float()) : run_in(double());
}

Flight CpuExecutor::in_flight(std::int64_t nodes) const {
  const std::int64_t scalar = precision_ == Precision::single ? 4 : 8;
  const std::int64_t members = std::int64_t{threads_} * group_;
  return {members, members * nodes * ring_columns_ * scalar};
}

// Compiled when the first member has stopped; the other workers wait for it. Who is interrupted leaves it to the next
// one.
const model::CompiledUnit& CpuExecutor::diagnosis(const Watch& watch) const {
  std::call_once(stopped_, [&] {
    diagnosis_ = std::make_unique<model::CompiledUnit>(
        model::make_diagnosis_unit(problem_, columns_, precision_ == Precision::single),
        model::CompileWatch{.stop = watch.stop});
  });
  return *diagnosis_;
}

template <class Scalar>
std::vector<chunk::Diagnosis> CpuExecutor::step_all(Columns<Scalar>& columns, std::int64_t steps,
                                                    const Watch& watch) const {
  using Job = chunk::Job<Scalar>;
  const auto run_members = unit_.find<bool(const Job*, long, long)>("conesweep_run_members");
  Job job = columns.job();
  static_assert(sizeof(std::atomic<bool>) == sizeof(bool) && std::atomic<bool>::is_always_lock_free);
  job.stop = reinterpret_cast<const bool*>(watch.stop);

  const std::int64_t count = columns.count;
  std::vector<chunk::Diagnosis> why(static_cast<std::size_t>(count));
  const int threads = count * steps < least_shared_work ? 1 : threads_;
  const std::int64_t members_in_task = choose_task(count, threads, group_);
  workers_->share((count + members_in_task - 1) / members_in_task, threads, [&](std::int64_t task) {
    if (watch.stopped()) throw Interrupted();
    const std::int64_t begin = task * members_in_task, end = std::min(begin + members_in_task, count);
    bool enough_memory = run_members(&job, begin, end);
    for (std::int64_t m = begin; enough_memory && m < end; ++m) {
      const auto at = static_cast<std::size_t>(m);
      if ((columns.marks[at] & chunk::mark_stopped) == 0) continue;
      diagnosis(watch).find<void(const Job*, long, chunk::Diagnosis*)>("conesweep_diagnose")(&job, m, &why[at]);
      enough_memory = why[at].status >= 0;
    }
    if (watch.stopped()) throw Interrupted();
    if (!enough_memory)
      throw SystemError(
          "out of memory for the history of the members; shorten the longest delay, or take a larger step");
    watch.finished(end - begin);
  });
  return why;
}

}  // namespace conesweep::executor::cpu
