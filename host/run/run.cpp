#include "run/run.hpp"

#include "keep/classes.hpp"
#include "keep/identity.hpp"
#include "run/digest_goals.hpp"
#include "run/shared_round.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::runs {
namespace {

// begin_stepping and end_stepping, whatever happens between the two
class Stepping {
 public:
  Stepping(Listener& listener, std::int64_t members, std::int64_t steps) : listener_(listener) {
    listener_.begin_stepping(members, steps);
  }
  ~Stepping() { listener_.end_stepping(); }
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;

 private:
  Listener& listener_;
};

}  // namespace

Run::Run(const scenario::Scenario& scenario, const Request& request, Listener& listener, tell::Design design)
    : request_(request), listener_(listener), design_(std::move(design)), place_(scenario, request, listener) {
  chunk_ = choose_chunk(model(), scenario, request.chunk);
  if (request.ranks() > 1 && request.chunk == 0)
    chunk_ = share_chunk(
        model(), chunk_,
        {scenario.ensemble.members, scenario.steps, request.ranks(), is_tracked() && scenario.record.members > 0});
  if (request.folder.empty())
    chunks_ = std::make_unique<keep::ChunkMemory>(io::shape_of(scenario, is_tracked()));
  else
    open_folder(scenario);
  run_ = std::make_unique<keep::StoredRun>(*chunks_);
  run_->scenario = scenario;
  run_->scenario_text = keep::resolved_text(scenario);
  run_->backend = model().name();
  run_->device = model().device();
  run_->precision = request.precision();
  description_ = fnv1a(describe(scenario));
  if (!keeps_members(scenario)) open_digests();
}

void Run::open_digests() {
  const scenario::Scenario& scenario = run_->scenario;
  digests_ = std::make_unique<keep::DigestStore>(
      scenario, count_threads(model().traits().on_device ? 0 : model().threads()),
      store_ == nullptr ? std::filesystem::path() : store_->digest_file(), chunks_->run());
  const std::int64_t begun = begun_members();
  if (request_.goals.empty() && begun > scenario.ensemble.members)
    throw InputError(
        "the unfinished run in " + request_.folder.string() + " was begun with " + counted(begun, "member") +
        ", and their statistics cannot be taken apart; ask for as many, or start over with " + setting::force);
}

// What was there as columns becomes a digest.
void Run::begin_digesting() {
  constexpr std::int64_t block = statistics::block_members;
  digests_->digests().fit();
  chunk_ = (chunk_ + block - 1) / block * block;
  if (chunks_->used().empty()) return;
  if (digests_->digests().members() == 0) digests_->take(*chunks_);
  digests_->save();
  chunks_->remove_columns();
}

std::int64_t Run::count_kept() const {
  chunks_->forget_lost();
  if (!is_digesting()) return chunks_->finished_members();
  try {
    digests_->save();
  } catch (const SystemError&) {
    // what was saved before is there
  }
  return digests_->saved_members();
}

void Run::open_folder(const scenario::Scenario& scenario) {
  const auto& out = request_.folder;
  if (!request_.resume && !request_.force) keep::ChunkStore::refuse_unfinished(out);
  folder_ = std::make_unique<keep::RunFolder>(
      out, request_.force || (request_.resume && keep::ChunkStore::is_begun(out)), scenario);
  using Mode = keep::ChunkStore::Mode;
  const Mode mode = request_.resume ? Mode::resume : request_.force ? Mode::replace : Mode::fresh;
  auto store = std::make_unique<keep::ChunkStore>(out, describe(scenario), io::shape_of(scenario, is_tracked()), mode);
  store_ = store.get();
  chunks_ = std::move(store);
  chunks_->fit(scenario.ensemble.members);
  if (request_.goals.empty() && chunks_->kept_end() > scenario.ensemble.members &&
      chunks_->finished_members() < chunks_->kept_members())
    throw InputError("the unfinished run in " + out.string() + " has finished members up to " +
                     counted(chunks_->kept_end()) + ", and " + setting::members + " asks for " +
                     counted(scenario.ensemble.members) +
                     "; ask for as many as it was begun with, or start over with " + setting::force);
  folder_->remove_leftovers();
}

std::string Run::describe(const scenario::Scenario& scenario) const {
  return keep::describe_run(scenario, model().name(), request_.precision(), design_.points);
}

executor::Watch Run::watch() const {
  executor::Watch watch;
  watch.stop = listener_.stop;
  return watch;
}

std::optional<double> Run::estimate() const {
  constexpr double long_work = 1e10;  // member·steps: half a minute on a core
  const auto& scenario = run_->scenario;
  const double work = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps);
  if (work < long_work) return std::nullopt;
  return work / try_members(scenario, model(), watch()).rate / request_.ranks();
}

void Run::rethrow_interrupted() const {
  const std::int64_t kept = count_kept();
  if (folder_ == nullptr || kept == 0) throw Interrupted();
  throw Interrupted("interrupted; " + counted(kept, "member") + " of " + counted(run_->scenario.ensemble.members) +
                    " are kept in " + folder_->path().string() + ", go on with " + setting::resume);
}

void Run::rethrow_without_memory() const {
  const std::int64_t kept = count_kept();
  if (folder_ == nullptr || kept == 0) throw SystemError(no_memory());
  throw SystemError(no_memory() + "; " + counted(kept, "member") + " of " + counted(run_->scenario.ensemble.members) +
                    " are kept in " + folder_->path().string() + ", go on with " + setting::resume);
}

// In memory the chunks stay, and the columns are gathered from them.
void Run::demand_resources(const std::vector<io::Range>& missing) const {
  Plan needed = plan();
  if (folder_ == nullptr) needed.memory_bytes += 2 * needed.result_bytes;
  demand_memory(needed, run_->scenario);
  if (folder_ != nullptr)
    io::demand_room(folder_->path(),
                    is_digesting() ? needed.disk_bytes : missing_bytes(run_->scenario, missing, is_tracked()));
}

void Run::follow(const tell::Draws& draws) {
  if (request_.watched) running_.emplace(run_->scenario, *request_.watched, draws);
}

// Members that are there count, whoever stepped them.
void Run::look_at(const keep::ChunkSet::Chunk& chunk) {
  if (!running_) return;
  const auto column_of = [&](io::Kind kind) {
    return [this, &chunk, kind](std::size_t index) {
      std::vector<double> column;
      chunks_->append(chunk, kind, index, column);
      return column;
    };
  };
  keep::MemberColumns columns{column_of(io::Kind::observable), column_of(io::Kind::parameter), {}};
  chunks_->append(chunk, io::Kind::status, 0, columns.status);
  running_->add(chunk.range.first, columns);
  listener_.estimate(running_->estimate());
}

void Run::look_at_kept() {
  if (running_) running_->begin(run_->scenario.ensemble.members);
  if (running_ && is_digesting() && digests_->digests().members() > 0) {
    running_->add(digests_->digests().members(), moments_of(digest(), running_->quantity()));
    listener_.estimate(running_->estimate());
  }
  for (const keep::ChunkSet::Chunk& chunk : chunks_->used()) look_at(chunk);
}

void Run::take_digest(const std::string& bytes, const executor::Watch& watch) {
  keep::Digests more = keep::Digests::unpack(run_->scenario, 1, bytes);
  const std::int64_t members = more.members();
  if (running_) {
    running_->add(members, moments_of(more.total(), running_->quantity()));
    listener_.estimate(running_->estimate());
  }
  digests_->digests().add(std::move(more));
  digests_->save_in_time();
  watch.finished(members);
}

// With all ranks of the team, or alone.
void Run::share(const sampling::UnitPoints& points, std::vector<Gap> gaps, const executor::Watch& watch) {
  const auto keep = [&](const io::Part& part, double seconds) {
    const std::lock_guard guard(keeping_);
    if (!is_digesting()) return chunks_->write(part, seconds);
    digests_->digests().add(part, seconds);
    digests_->save_in_time();
  };
  Onlookers onlookers;
  if (is_tracked()) onlookers.tracks = &engine();
  if (running_)
    onlookers.see = [&](const executor::Chunk& stepped, const executor::Outcome& outcome) {
      const std::lock_guard guard(keeping_);
      running_->add(stepped.first, {[&](std::size_t o) { return outcome.observables[o]; },
                                    [&](std::size_t v) { return stepped.varied[v]; }, outcome.status});
      listener_.estimate(running_->estimate());
    };
  if (request_.ranks() == 1) return step_ranges(run_->scenario, points, model(), gaps, chunk_, watch, keep, onlookers);

  team::Team& team = *request_.team;
  const RoundJob job{
      description_, run_->scenario.ensemble.members,
      folder_ == nullptr ? std::nullopt : keep::ChunkStore::find_mark(folder_->path()),
      WorkList(std::move(gaps), {chunk_, least_chunk(model(), run_->scenario.steps), request_.ranks(),
                                 is_digesting() || (is_tracked() && run_->scenario.record.members > 0)})};
  team::Round round(team, job.pack(), [&](const std::string& bytes) {
    ChunkReport report = ChunkReport::unpack(bytes);
    const std::lock_guard guard(keeping_);
    if (is_digesting()) return take_digest(report.bytes, watch);
    if (report.bytes.empty())
      chunks_->take_new(report.chunk);
    else
      chunks_->write_packed(report.chunk, std::move(report.bytes));
    look_at(report.chunk);
    watch.finished(report.chunk.range.count);
  });
  step_ranges(
      run_->scenario, points, model(), [&] { return job.work.find(team.take()); }, chunk_, watch, keep, onlookers);
  round.end();
}

void Run::produce(const sampling::UnitPoints& points, std::int64_t members) {
  run_->scenario.ensemble.members = members;
  run_->scenario_text = keep::resolved_text(run_->scenario);
  chunks_->fit(members);
  if (is_digesting()) begin_digesting();
  look_at_kept();
  const auto missing = is_digesting() ? digests_->digests().missing() : chunks_->missing();
  std::vector<Gap> gaps;
  std::int64_t left = 0;
  for (const auto& range : missing) {
    gaps.push_back({range, is_digesting() ? std::vector<statistics::TrackMoments>() : chunks_->begun(range.first)});
    left += range.count;
  }
  if (left == 0) return;
  demand_resources(missing);

  executor::Watch watching = watch();
  watching.finished = [&](std::int64_t more) { listener_.finish_members(more); };
  try {
    const Stepping stepping(listener_, left, run_->scenario.steps);
    share(points, std::move(gaps), watching);
  } catch (const SystemError& error) {
    const std::int64_t kept = count_kept();
    if (folder_ == nullptr || kept == 0 || error.sentence().mentions(setting::resume)) throw;
    throw SystemError(error.sentence() + "; " + counted(kept, "member") + " are kept in " + folder_->path().string() +
                      ", go on with " + setting::resume);
  } catch (const std::bad_alloc&) {
    rethrow_without_memory();
  } catch (const Interrupted&) {
    rethrow_interrupted();
  }
}

void Run::classify() {
  if (!run_->scenario.classes.empty() && !is_digesting())
    run_->classes = keep::classify(run_->scenario, keep::columns_of(*run_));
}

std::filesystem::path Run::finish(tell::Summary& summary) {
  run_->identity = keep::identify_run(describe(run_->scenario));
  summary.design = design_;
  summary.run.identity = run_->identity;
  summary.run.ranks = request_.ranks();
  summary.run.threads = count_threads(request_.execution.threads);
  summary.timing = {std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(),
                    model().compile_seconds(),
                    (is_digesting() ? digests_->digests().seconds() : chunks_->solve_seconds()) / request_.ranks()};
  if (folder_ == nullptr) return {};
  try {
    folder_->finish(*run_, [&](const Sink& sink) { tell::write_json(summary, sink); });
  } catch (const SystemError& error) {
    const bool all = count_kept() == run_->scenario.ensemble.members;
    throw SystemError(error.sentence() +
                      (all ? "; all members are kept, go on with " + setting::resume + " when that is mended" : ""));
  }
  store_->remove();
  if (folder_->has_foreign_report())
    listener_.note("report.html in " + folder_->path().string() +
                   " is not from conesweep and was left as it is; it does not tell of this run");
  return folder_->path() / keep::summary_name;
}

}  // namespace conesweep::runs
