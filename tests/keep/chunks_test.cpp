// Chunks on disk may hold any range of members: results and statistics do not depend on how a run was cut, killed and
// gone on with.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "io/sample_run.hpp"
#include "keep/chunk_store.hpp"
#include "keep/crowd.hpp"
#include "keep/stored_run.hpp"
#include "run/step_ranges.hpp"
#include "support/scenario_text.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::keep {
namespace {

namespace fs = std::filesystem;

// a block and a half
const std::string crowd = make_crowd(6000);

class Chunks : public io::InFolder {
 protected:
  Chunks() {
    std::string reason;
    executor = executor::make_model("reference", scenario, {.threads = 1}, reason);
    fs::create_directory(folder / "run");
  }

  std::unique_ptr<ChunkStore> open(ChunkStore::Mode mode = ChunkStore::Mode::resume) const {
    return std::make_unique<ChunkStore>(folder / "run", "a run", io::shape_of(scenario, true), mode);
  }

  // Steps what is missing of so many members, and returns how many that were.
  std::int64_t produce(ChunkSet& store, std::int64_t members, std::int64_t chunk) {
    store.fit(members);
    std::vector<runs::Gap> gaps;
    std::int64_t left = 0;
    for (const auto& range : store.missing()) gaps.push_back({range, store.begun(range.first)}), left += range.count;
    scenario::Scenario part = scenario;
    part.ensemble.members = members;
    runs::step_ranges({part, *sampling::make_points(part), *executor, chunk, {}, {&statistics::cpu_engine(), {}}}, gaps,
                      [&](io::ChunkResults made, double) { store.write(std::move(made), 1); });
    return left;
  }

  std::string summarise(const ChunkSet& store) const {
    ColumnsRun run(store);
    run.scenario = scenario;
    auto summary = tell::summarise(run, tell::ensemble_draws(scenario));
    tell::summarise_tracks(run, statistics::cpu_engine(), summary);
    EXPECT_EQ(summary.tracks.size(), 2u);
    EXPECT_EQ(run.trajectory(0).size(), 37u * 3u);
    summary.timing = {1, 1, 1};
    return tell::to_json_text(summary);
  }

  scenario::Scenario scenario = test::parse_scenario(crowd);
  std::unique_ptr<executor::Model> executor;
};

TEST_F(Chunks, OfAnySizeGiveTheSameBits) {
  std::string whole;
  for (const std::int64_t chunk : {8192, 4096, 1000, 37, 5000}) {
    const auto store = open(ChunkStore::Mode::replace);
    produce(*store, 6000, chunk);
    const std::string now = summarise(*store);
    if (whole.empty()) whole = now;
    EXPECT_EQ(now, whole) << "chunks of " << chunk;
    store->remove();
  }
}

TEST_F(Chunks, ThatWereLostAreDoneAgainAndNoOthers) {
  auto store = open(ChunkStore::Mode::fresh);
  produce(*store, 6000, 8192);
  const std::string whole = summarise(*store);
  store->remove();
  store = open();
  produce(*store, 300, 300);   // a run that grows
  produce(*store, 6000, 700);  // 300 … 1000 … 1700 … 2400 …
  store = nullptr;
  for (const char* name : {"300-1000.chunk", "3800-4500.chunk", "5900-6000.chunk"})
    ASSERT_TRUE(fs::remove(folder / "run" / "chunks" / name)) << name;
  store = open();
  EXPECT_EQ(produce(*store, 6000, 64), 700 + 700 + 100);
  EXPECT_EQ(summarise(*store), whole);
}

// the step check takes them from the run
TEST_F(Chunks, GiveSomeMembersAsTheExecutorDid) {
  const executor::Outcome whole = executor->run(scenario, {{scenario, 0, 6000}, sampling::draw(scenario, 0, 6000)}, {});
  const std::unique_ptr<ChunkSet> on_disk = open(ChunkStore::Mode::fresh),
                                  in_memory = std::make_unique<ChunkMemory>(io::shape_of(scenario, true));
  for (ChunkSet* chunks : {on_disk.get(), in_memory.get()}) {
    produce(*chunks, 6000, 700);
    const ColumnsRun run(*chunks);
    for (const std::vector<std::int64_t>& members :
         {std::vector<std::int64_t>{0}, tell::spread_members(6000), {699, 700, 701, 5999}}) {
      const SomeMembers found = run.some(members);
      const executor::Outcome& some = found.outcome;
      EXPECT_EQ(found.varied, sampling::draw(scenario, members));
      ASSERT_EQ(some.status.size(), members.size());
      ASSERT_EQ(some.observables.size(), whole.observables.size());
      for (std::size_t k = 0; k < members.size(); ++k) {
        const auto member = static_cast<std::size_t>(members[k]);
        EXPECT_EQ(some.status[k], whole.status[member]);
        for (std::size_t o = 0; o < some.observables.size(); ++o)
          EXPECT_EQ(std::memcmp(&some.observables[o][k], &whole.observables[o][member], sizeof(double)), 0) << o;
      }
    }
  }
}

TEST_F(Chunks, InMemoryGiveTheSameBits) {
  const auto store = open(ChunkStore::Mode::fresh);
  produce(*store, 6000, 8192);
  for (const std::int64_t chunk : {8192, 1000, 37}) {
    ChunkMemory memory(io::shape_of(scenario, true));
    produce(memory, 300, chunk);  // a run that grows
    EXPECT_EQ(produce(memory, 6000, chunk), 5700);
    EXPECT_EQ(summarise(memory), summarise(*store)) << "chunks of " << chunk;
  }
}

TEST_F(Chunks, OfLongMembersAreSmall) {
  scenario.steps = 10;
  EXPECT_EQ(runs::choose_chunk(*executor, scenario) % statistics::block_members, 0);
  scenario.steps = 100'000'000;
  EXPECT_EQ(runs::choose_chunk(*executor, scenario), 1);
  scenario.steps = 1'000'000;
  EXPECT_EQ(runs::choose_chunk(*executor, scenario), 20);  // ten seconds at two million steps a second
}

}  // namespace
}  // namespace conesweep::keep
