#include "run/follow.hpp"

#include "run/identity.hpp"
#include "run/shared_round.hpp"
#include "run/workplace.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "team/team.hpp"

namespace conesweep::runs {

void follow(const scenario::Scenario& asked, const Request& request, Listener& listener, const Design& design, const sampling::UnitPoints& points) {
  team::Team& team = *request.team;
  std::unique_ptr<Workplace> place;  // made when the leader has one: what it compiled is there then
  scenario::Scenario scenario = asked;
  const bool tracked = design.method.empty();
  executor::Watch watch;
  watch.stop = listener.stop;
  while (const auto words = team.hear()) {
    const RoundJob job = RoundJob::unpack(*words);
    if (place == nullptr) place = std::make_unique<Workplace>(asked, request, listener);
    const std::uint64_t run = fnv1a(describe_run(asked, place->executor->name(), request.precision(), design.points));
    if (run != job.run)
      throw SystemError("the scenario, its tables or the program are not those of rank 0; all ranks must see the same files and have the same version");
    scenario.ensemble.members = job.members;
    const io::ChunkShape shape = io::shape_of(scenario, tracked);
    const bool sees_folder = job.mark && ChunkStore::find_mark(request.folder) == job.mark;
    const auto keep = [&](const Part& part, double seconds) {
      ChunkReport report{{part.range, seconds}, io::pack_chunk(part, shape, job.mark ? job.mark->run : 0, seconds)};
      if (sees_folder) {
        ChunkStore::write_beside(request.folder, part.range, report.bytes);
        report.bytes.clear();
      }
      team.report(report.pack());
    };
    step_ranges(
        scenario, points, *place->executor, [&] { return job.work.find(team.take()); }, job.work.chunk(), watch, keep,
        Onlookers{tracked ? place->engine.get() : nullptr});
    team.end_round();
  }
}

}  // namespace conesweep::runs
