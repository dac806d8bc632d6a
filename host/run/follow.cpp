#include "run/follow.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

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

/// What becomes of the members that a follower stepped: the leader hears of them.
class Reports {
 public:
  explicit Reports(team::Team& team) : team_(team) {}
  virtual ~Reports() = default;
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;

  virtual void add(io::ChunkResults part, double seconds) = 0;
  virtual void end() {}  // of a round: all of them were told of

 protected:
  team::Team& team_;
};

/// A chunk each, by its bytes; by its name where this rank sees the leader's folder, and wrote it there.
class ChunkReports final : public Reports {
 public:
  ChunkReports(team::Team& team, const io::ChunkShape& shape, std::uint64_t run, std::filesystem::path folder)
      : Reports(team), shape_(shape), run_(run), folder_(std::move(folder)) {}

  void add(io::ChunkResults part, double seconds) override {
    ChunkReport report{{part.range, seconds}, io::pack_chunk(part, shape_, run_, seconds)};
    if (!folder_.empty()) {
      keep::ChunkStore::write_beside(folder_, part.range, report.bytes);
      report.bytes.clear();
    }
    team_.report(report.pack());
  }

 private:
  io::ChunkShape shape_;
  std::uint64_t run_;
  std::filesystem::path folder_;  // empty: it is not seen
};

/// Members that nobody keeps become a digest, of which the leader hears from time to time: the more ranks, the more
/// seldom, so that it has time to take all.
class DigestReports final : public Reports {
 public:
  DigestReports(team::Team& team, const scenario::Scenario& scenario, int threads)
      : Reports(team), scenario_(scenario), threads_(threads), digests_(scenario, threads_) {}

  void add(io::ChunkResults part, double seconds) override {
    digests_.add(part, seconds);
    constexpr double least_seconds = 1, seconds_a_rank = 0.1;
    const double since = std::chrono::duration<double>(std::chrono::steady_clock::now() - told_).count();
    if (since > std::max(least_seconds, seconds_a_rank * team_.place().size)) end();
  }

  void end() override {
    if (digests_.members() == 0) return;
    team_.report(ChunkReport{{{0, digests_.members()}, 0}, digests_.pack()}.pack());
    digests_ = keep::Digests(scenario_, threads_);
    told_ = std::chrono::steady_clock::now();
  }

 private:
  const scenario::Scenario& scenario_;
  int threads_;
  keep::Digests digests_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

std::unique_ptr<Reports> make_reports(const Request& request, const scenario::Scenario& scenario, const RoundJob& job,
                                      const executor::Model& model, bool tracked) {
  if (keep::is_digested(scenario))
    return std::make_unique<DigestReports>(*request.team, scenario,
                                           count_threads(model.traits().on_device ? 0 : model.threads()));
  const bool sees_folder = job.mark && keep::ChunkStore::find_mark(request.folder) == job.mark;
  return std::make_unique<ChunkReports>(*request.team, io::shape_of(scenario, tracked), job.mark ? job.mark->run : 0,
                                        sees_folder ? request.folder : std::filesystem::path());
}

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
    const executor::Model& model = *place->model;
    if (fnv1a(keep::describe_run(asked, model.name(), request.precision(), design.points)) != job.run)
      throw SystemError(
          "the scenario, its tables or the program are not those of rank 0; all ranks must see the same files and have "
          "the same version");
    scenario.ensemble.members = job.members;
    const auto reports = make_reports(request, scenario, job, model, tracked);
    step_ranges(
        {scenario, points, model, job.work.chunk(), watch, {tracked ? place->engine.get() : nullptr, {}}},
        [&] { return job.work.find(team.take()); },
        [&](io::ChunkResults part, double seconds) { reports->add(std::move(part), seconds); });
    reports->end();
    team.end_round();
  }
}

}  // namespace conesweep::runs
