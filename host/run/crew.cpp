#include "run/crew.hpp"

namespace conesweep::runs {
namespace {

class Alone final : public Crew {
 public:
  int ranks() const override { return 1; }
  std::int64_t choose_chunk(const executor::Model& model, const scenario::Scenario& scenario, std::int64_t asked,
                            bool) const override {
    return runs::choose_chunk(model, scenario, asked);
  }
  void step(const Stepping& members, std::vector<Gap> missing, const Keep& keep, const Sharing&) override {
    step_ranges(members, missing, keep);
  }
};

class Leader final : public Crew {
 public:
  explicit Leader(team::Team& team) : team_(team) {}

  int ranks() const override { return team_.place().size; }

  std::int64_t choose_chunk(const executor::Model& model, const scenario::Scenario& scenario, std::int64_t asked,
                            bool whole_blocks) const override {
    const std::int64_t chunk = runs::choose_chunk(model, scenario, asked);
    return asked != 0 ? chunk
                      : share_chunk(model, chunk, {scenario.ensemble.members, scenario.steps, ranks(), whole_blocks});
  }

  void step(const Stepping& members, std::vector<Gap> missing, const Keep& keep, const Sharing& sharing) override {
    const scenario::Scenario& scenario = members.scenario;
    const RoundJob job{sharing.run, scenario.ensemble.members,
                       sharing.folder.empty() ? std::nullopt : keep::ChunkStore::find_mark(sharing.folder),
                       WorkList(std::move(missing), {members.chunk, least_chunk(members.model, scenario.steps), ranks(),
                                                     sharing.whole_blocks})};
    team::Round round(team_, job.pack(), [&](const std::string& bytes) { sharing.take(ChunkReport::unpack(bytes)); });
    step_ranges(
        members, [&] { return job.work.find(team_.take()); }, keep);
    round.end();
  }

 private:
  team::Team& team_;
};

}  // namespace

std::unique_ptr<Crew> make_crew(const Request& request) {
  if (request.ranks() == 1) return std::make_unique<Alone>();
  return std::make_unique<Leader>(*request.team);
}

}  // namespace conesweep::runs
