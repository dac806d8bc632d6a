#include "run/follow.hpp"

#include <algorithm>
#include <chrono>

#include "keep/digests.hpp"
#include "keep/identity.hpp"
#include "run/shared_round.hpp"
#include "run/workplace.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/workers.hpp"
#include "team/team.hpp"

namespace conesweep::runs {
namespace {

/// Members that nobody keeps become a digest, of which the leader hears from time to time: the more ranks, the more
/// seldom, so that it has time to take all.
class DigestReports {
 public:
  DigestReports(const scenario::Scenario& scenario, const executor::Model& model, team::Team& team)
      : scenario_(scenario),
        threads_(count_threads(model.traits().on_device ? 0 : model.threads())),
        team_(team),
        digests_(scenario, threads_) {}

  void add(const io::Part& part, double seconds) {
    digests_.add(part, seconds);
    constexpr double least_seconds = 1, seconds_a_rank = 0.1;
    const double since = std::chrono::duration<double>(std::chrono::steady_clock::now() - told_).count();
    if (since > std::max(least_seconds, seconds_a_rank * team_.place().size)) report();
  }

  void report() {
    if (digests_.members() == 0) return;
    team_.report(ChunkReport{{{0, digests_.members()}, 0}, digests_.pack()}.pack());
    digests_ = keep::Digests(scenario_, threads_);
    told_ = std::chrono::steady_clock::now();
  }

 private:
  const scenario::Scenario& scenario_;
  int threads_;
  team::Team& team_;
  keep::Digests digests_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

}  // namespace

void follow(const scenario::Scenario& asked, const Request& request, Listener& listener, const tell::Design& design,
            const sampling::UnitPoints& points) {
  team::Team& team = *request.team;
  std::unique_ptr<Workplace> place;  // made when the leader has one: what it compiled is there then
  scenario::Scenario scenario = asked;
  const bool tracked = design.method.empty();
  executor::Watch watch;
  watch.stop = listener.stop;
  while (const auto words = team.hear()) {
    const RoundJob job = RoundJob::unpack(*words);
    if (place == nullptr) place = std::make_unique<Workplace>(asked, request, listener);
    const std::uint64_t run =
        fnv1a(keep::describe_run(asked, place->model->name(), request.precision(), design.points));
    if (run != job.run)
      throw SystemError(
          "the scenario, its tables or the program are not those of rank 0; all ranks must see the same files and have "
          "the same version");
    scenario.ensemble.members = job.members;
    const io::ChunkShape shape = io::shape_of(scenario, tracked);
    const bool sees_folder = job.mark && keep::ChunkStore::find_mark(request.folder) == job.mark;
    const bool digests_them = keep::is_digested(scenario);
    DigestReports digests(scenario, *place->model, team);
    const auto keep = [&](const io::Part& part, double seconds) {
      if (digests_them) return digests.add(part, seconds);
      ChunkReport report{{part.range, seconds}, io::pack_chunk(part, shape, job.mark ? job.mark->run : 0, seconds)};
      if (sees_folder) {
        keep::ChunkStore::write_beside(request.folder, part.range, report.bytes);
        report.bytes.clear();
      }
      team.report(report.pack());
    };
    step_ranges(
        scenario, points, *place->model, [&] { return job.work.find(team.take()); }, job.work.chunk(), watch, keep,
        Onlookers{tracked ? place->engine.get() : nullptr});
    digests.report();
    team.end_round();
  }
}

}  // namespace conesweep::runs
