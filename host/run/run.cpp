#include "run/run.hpp"

#include "keep/chunk_store.hpp"
#include "keep/identity.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::runs {
namespace {

// begin_stepping and end_stepping, whatever happens between the two
class SteppingToldOf {
 public:
  SteppingToldOf(Listener& listener, std::int64_t members, std::int64_t steps) : listener_(listener) {
    listener_.begin_stepping(members, steps);
  }
  ~SteppingToldOf() { listener_.end_stepping(); }
  SteppingToldOf(const SteppingToldOf&) = delete;
  SteppingToldOf& operator=(const SteppingToldOf&) = delete;

 private:
  Listener& listener_;
};

}  // namespace

Run::Run(const scenario::Scenario& scenario, const Request& request, Listener& listener, tell::Design design)
    : request_(request),
      listener_(listener),
      design_(std::move(design)),
      place_(scenario, request, listener),
      crew_(make_crew(request)),
      chunk_(crew_->choose_chunk(model(), scenario, request.chunk, has_tracks(scenario))),
      history_(longest_history(scenario)),
      columns_(std::make_unique<KeptColumns>(open_chunks(scenario))),
      kept_(columns_.get()) {
  io::RunData& run = columns_->facts();
  run.scenario = scenario;
  run.backend = model().name();
  run.device = model().device();
  run.precision = request.precision();
  description_ = fnv1a(describe(scenario));
  if (!keeps_members(scenario))
    digest_ = std::make_unique<KeptDigest>(*columns_, count_threads(model().traits().on_device ? 0 : model().threads()),
                                           !request.goals.empty());
}

std::unique_ptr<keep::ChunkSet> Run::open_chunks(const scenario::Scenario& scenario) {
  const auto shape = io::shape_of(scenario, is_tracked());
  const auto& out = request_.folder;
  if (out.empty()) return std::make_unique<keep::ChunkMemory>(shape);
  using Store = keep::ChunkStore;
  if (!request_.resume && !request_.force) Store::refuse_unfinished(out);
  folder_ =
      std::make_unique<keep::RunFolder>(out, request_.force || (request_.resume && Store::is_begun(out)), scenario);
  const auto mode = request_.resume ? Store::Mode::resume : request_.force ? Store::Mode::replace : Store::Mode::fresh;
  auto chunks = std::make_unique<Store>(out, describe(scenario), shape, mode);
  chunks->fit(scenario.ensemble.members);
  if (request_.goals.empty() && chunks->kept_end() > scenario.ensemble.members &&
      chunks->finished_members() < chunks->kept_members())
    throw InputError("the unfinished run in " + out.string() + " has finished members up to " +
                     counted(chunks->kept_end()) + ", and " + setting::members + " asks for " +
                     counted(scenario.ensemble.members) +
                     "; ask for as many as it was begun with, or start over with " + setting::force);
  folder_->remove_leftovers();
  return chunks;
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
  const auto& scenario = facts().scenario;
  const double work = static_cast<double>(scenario.ensemble.members) * static_cast<double>(scenario.steps);
  if (work < long_work) return std::nullopt;
  return work / try_members(scenario, model(), watch()).rate / crew_->ranks();
}

// Empty where nothing is.
Sentence Run::say_kept(bool of_all) const {
  const std::int64_t kept = kept_->save();
  if (folder_ == nullptr || kept == 0) return {};
  return "; " + counted(kept, "member") + (of_all ? " of " + counted(facts().scenario.ensemble.members) : "") +
         " are kept in " + folder_->path().string() + ", go on with " + setting::resume;
}

void Run::rethrow_interrupted() const {
  const Sentence kept = say_kept(true);
  if (kept.empty()) throw Interrupted();
  throw Interrupted("interrupted" + kept);
}

void Run::rethrow_without_memory() const { throw SystemError(no_memory() + say_kept(true)); }

// In memory the chunks stay, and the columns are gathered from them.
void Run::demand_resources(const std::vector<Gap>& missing) const {
  Plan needed = plan();
  if (folder_ == nullptr) needed.memory_bytes += 2 * needed.result_bytes;
  demand_memory(needed, facts().scenario);
  if (folder_ != nullptr) io::demand_room(folder_->path(), kept_->bytes_to_come(needed, missing));
}

void Run::follow(const tell::Draws& draws) {
  if (request_.watched) running_.emplace(facts().scenario, *request_.watched, draws);
}

// What is kept of an ensemble of so many members, and what is missing of it.
std::vector<Gap> Run::fit(std::int64_t members) {
  constexpr std::int64_t block = statistics::block_members;
  io::RunData& run = columns_->facts();
  run.scenario.ensemble.members = members;
  run.scenario_text = keep::resolved_text(run.scenario);
  run.identity = keep::identify_run(describe(run.scenario));
  if (digest_ != nullptr && keep::is_digested(run.scenario)) kept_ = digest_.get();
  std::vector<Gap> missing = kept_->fit();
  if (kept_->takes_blocks()) chunk_ = (chunk_ + block - 1) / block * block;
  if (running_) {
    running_->begin(members);
    kept_->show(*running_);
    if (running_->estimate().members > 0) listener_.estimate(running_->estimate());
  }
  return missing;
}

void Run::step(const sampling::UnitPoints& points, std::vector<Gap> missing) {
  Stepping members{facts().scenario, points, model(), chunk_, watch()};
  members.watch.finished = [&](std::int64_t more) { listener_.finish_members(more); };
  if (is_tracked()) members.onlookers.tracks = &engine();
  if (running_)
    members.onlookers.see = [&](const executor::Chunk& stepped, const executor::Outcome& outcome) {
      const std::lock_guard guard(keeping_);
      running_->add(stepped.members.first(), {[&](std::size_t o) { return outcome.observables[o]; },
                                              [&](std::size_t v) { return stepped.varied[v]; }, outcome.status});
      listener_.estimate(running_->estimate());
    };
  const auto keep = [&](io::ChunkResults part, double seconds) {
    const std::lock_guard guard(keeping_);
    kept_->add(std::move(part), seconds);
  };
  const auto take = [&](ChunkReport report) {
    const std::lock_guard guard(keeping_);
    const std::int64_t more = kept_->take(std::move(report), running_ ? &*running_ : nullptr);
    if (running_) listener_.estimate(running_->estimate());
    members.watch.finished(more);
  };
  crew_->step(members, std::move(missing), keep,
              {description_, request_.folder, kept_->takes_blocks() || has_tracks(facts().scenario), take});
}

void Run::produce(const sampling::UnitPoints& points, std::int64_t members) {
  std::vector<Gap> missing = fit(members);
  std::int64_t left = 0;
  for (const Gap& gap : missing) left += gap.range.count;
  if (left == 0) return kept_->settle();
  demand_resources(missing);
  try {
    const SteppingToldOf stepping(listener_, left, facts().scenario.steps);
    step(points, std::move(missing));
  } catch (const SystemError& error) {
    const Sentence kept = error.sentence().mentions(setting::resume) ? Sentence() : say_kept(false);
    if (kept.empty()) throw;
    throw SystemError(error.sentence() + kept);
  } catch (const std::bad_alloc&) {
    rethrow_without_memory();
  } catch (const Interrupted&) {
    rethrow_interrupted();
  }
  kept_->settle();
}

std::filesystem::path Run::finish(tell::Summary& summary) {
  summary.design = design_;
  summary.run.identity = data().identity;
  summary.run.ranks = crew_->ranks();
  summary.run.threads = count_threads(request_.execution.threads);
  summary.timing = {std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(),
                    model().compile_seconds(), kept_->seconds() / crew_->ranks()};
  if (folder_ == nullptr) return {};
  try {
    folder_->finish(data(), [&](const Sink& sink) { tell::write_json(summary, sink); });
  } catch (const SystemError& error) {
    const bool all = kept_->save() == facts().scenario.ensemble.members;
    throw SystemError(error.sentence() +
                      (all ? "; all members are kept, go on with " + setting::resume + " when that is mended" : ""));
  }
  columns_->chunks().remove();
  if (folder_->has_foreign_report())
    listener_.note("report.html in " + folder_->path().string() +
                   " is not from conesweep and was left as it is; it does not tell of this run");
  return folder_->path() / keep::summary_name;
}

}  // namespace conesweep::runs
