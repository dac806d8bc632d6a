// Work that ranks share: pieces cover all members once, and the results have the bits of one process. Threads stand in
// the place of ranks; tests/mpi has processes.
#include <gtest/gtest.h>

#include <filesystem>

#include "ensemble/converge.hpp"
#include "ensemble/drag.hpp"
#include "ensemble/mlmc.hpp"
#include "io/sample_run.hpp"
#include "keep/crowd.hpp"
#include "run/design_run.hpp"
#include "run/ensemble_run.hpp"
#include "run/shared_round.hpp"
#include "support/bytes.hpp"
#include "support/scenario_text.hpp"
#include "support/thread_team.hpp"

namespace conesweep::runs {
namespace {

constexpr std::int64_t block = statistics::block_members;

// All pieces, in order.
std::vector<Gap> pieces_of(const WorkList& work) {
  std::vector<Gap> pieces;
  for (std::int64_t k = 0; k < work.size(); ++k) pieces.push_back(*work.find(k));
  EXPECT_FALSE(work.find(work.size()));
  return pieces;
}

// Do the pieces of some gaps, in order, cover each member once?
void expect_covered(const std::vector<Gap>& gaps, const std::vector<Gap>& pieces) {
  auto piece = pieces.begin();
  for (const Gap& gap : gaps)
    for (std::int64_t at = gap.range.first; at < gap.range.end(); at = piece->range.end(), ++piece) {
      ASSERT_NE(piece, pieces.end());
      EXPECT_EQ(piece->range.first, at);
      ASSERT_GT(piece->range.count, 0);
    }
  EXPECT_EQ(piece, pieces.end());
}

TEST(WorkList, CoversEveryMemberOnce) {
  const std::vector<Gap> gaps = {
      {{0, 1}}, {{10, 9990}}, {{3 * block, block}}, {{5 * block - 7, 8}}, {{100'000'000'000, 12345}}};
  for (const std::int64_t chunk : {std::int64_t{1000}, std::int64_t{37}, block, 2 * block, 3 * block + 5})
    for (const bool whole : {false, true}) {
      for (const int ranks : {1, 3, 50}) expect_covered(gaps, pieces_of(WorkList(gaps, {chunk, 100, ranks, whole})));
    }
}

TEST(WorkList, OfWholeBlocksBeginsThemNowhereElse) {
  const std::vector<Gap> gaps = {{{10, 30000}, {statistics::TrackMoments{10, {1.5}, {2.5}}}}};
  for (const std::int64_t chunk : {std::int64_t{37}, block, block + 1}) {
    const auto pieces = pieces_of(WorkList(gaps, {chunk, 100, 3, true}));
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      EXPECT_EQ(pieces[k].begun.size(), k == 0 ? 1u : 0u);
      EXPECT_TRUE(k == 0 || pieces[k].range.first % block == 0) << k;
    }
  }
}

TEST(WorkList, HasSmallerPiecesTowardsTheEnd) {
  const auto pieces = pieces_of(WorkList({{{0, 100 * block}}}, {8 * block, block, 3, false}));
  EXPECT_EQ(pieces.front().range.count, 8 * block);
  EXPECT_EQ(pieces.back().range.count, block);
  for (std::size_t k = 1; k < pieces.size(); ++k) {
    EXPECT_LE(pieces[k].range.count, pieces[k - 1].range.count);
    EXPECT_LE(pieces[k].range.count, std::max<std::int64_t>(block, (100 * block - pieces[k].range.first) / 12)) << k;
  }
}

TEST(WorkList, TravelsAsBytes) {
  const std::vector<Gap> gaps = {{{10, 30000}, {statistics::TrackMoments{10, {1.5, -0.0}, {2.5, 7}}}}, {{50000, 3}}};
  const RoundJob job{17, 60000, keep::ChunkStore::Mark{1, 2, 3, 4}, WorkList(gaps, {5000, 4096, 3, true})};
  const RoundJob again = RoundJob::unpack(job.pack());
  EXPECT_EQ(again.pack(), job.pack());
  EXPECT_EQ(again.run, 17u);
  EXPECT_EQ(again.members, 60000);
  EXPECT_EQ(again.mark, job.mark);
  EXPECT_EQ(again.work.find(0)->begun.front().squares, (std::vector<double>{2.5, 7}));
  EXPECT_EQ(pieces_of(again.work).size(), pieces_of(job.work).size());
}

TEST(Bytes, ThatAreTooFewAreRefused) {
  const std::string bytes = ByteWriter().put(std::int64_t{1} << 60).take();
  EXPECT_THROW(ByteReader(bytes).get_all<double>(), InternalError);
  EXPECT_THROW(ByteReader("abc").get<int>(), InternalError);
}

// an executor of which only the traits count
struct Blank final : executor::Model {
  std::string name() const override { return "blank"; }
  std::string device() const override { return "none"; }
  int threads() const override { return 4; }
  executor::Outcome run(const scenario::Setup&, const executor::Chunk&, const executor::Watch&) const override {
    return {};
  }
};

TEST(SharedChunk, LeavesEveryRankSeveral) {
  const Blank executor;
  // many members: as one process would
  EXPECT_EQ(share_chunk(executor, 16 * block, {100'000'000, 1000, 4}), 16 * block);
  EXPECT_EQ(share_chunk(executor, 16 * block, {10 * block * 8 * 3, 10'000, 3}), 10 * block);  // fewer: eight a rank
  EXPECT_EQ(share_chunk(executor, 16 * block, {1600, 1'000'000, 5}), 40);                     // long members
  // whose blocks are summed from first to last
  EXPECT_EQ(share_chunk(executor, 16 * block, {1600, 1'000'000, 5, true}), block);
  EXPECT_EQ(share_chunk(executor, 300, {1600, 1'000'000, 5, true}), 300);
  EXPECT_EQ(share_chunk(executor, 16 * block, {100, 10, 5}), 16 * block);  // a millisecond: not worth a chunk each
}

const std::string crowd = keep::make_crowd(20000);

class SharedRun : public io::InFolder {
 protected:
  Request request(const std::string& out) const {
    Request asked;
    if (!out.empty()) asked.folder = folder / out;
    asked.backend = "reference";
    asked.execution.threads = 1;
    asked.chunk = block;
    return asked;
  }

  // What one process leaves, and what several ranks do. Columns and statistics are in the summary's text, and in
  // results.h5.
  template <class Body>
  void expect_same(const Body& body, bool in_folder) {
    const std::string alone = body(request(in_folder ? "alone" : ""));
    ASSERT_FALSE(alone.empty());
    for (const int ranks : {2, 3, 5}) {
      test::ThreadTeam team(ranks);
      std::string shared;
      const std::string out = in_folder ? "shared" + std::to_string(ranks) : "";
      team.run([&](team::Team& mine) {
        Request asked = request(out);
        asked.team = &mine;
        const std::string text = body(asked);
        EXPECT_EQ(text.empty(), !mine.leads());
        if (mine.leads()) shared = text;
      });
      EXPECT_EQ(shared, alone) << ranks << " ranks";
      if (in_folder) {
        EXPECT_EQ(io::read_bytes(folder / out / "results.h5"), io::read_bytes(folder / "alone" / "results.h5"))
            << ranks << " ranks";
      }
    }
  }

  // All but `run` and `timing`, which tell who computed it.
  static std::string results_of(const std::string& json) { return json.substr(0, json.find("\"run\": {")); }

  scenario::Scenario scenario = test::parse_scenario(crowd);
};

TEST_F(SharedRun, HasTheBitsOfOneProcess) {
  for (const bool in_folder : {true, false})
    expect_same(
        [&](const Request& asked) {
          Listener listener;
          const std::string json = run_ensemble(scenario, asked, listener).json();
          if (!json.empty()) {
            EXPECT_NE(json.find("\"ranks\": " + std::to_string(asked.ranks()) + ", \"threads\": 1"), std::string::npos);
          }
          return results_of(json);
        },
        in_folder);
}

TEST_F(SharedRun, GrowsAlike) {
  expect_same(
      [&](Request asked) {
        Listener listener;
        scenario::Scenario few = scenario;
        few.ensemble.members = block;
        asked.goals = parse_goals("reach:0.5%", few);
        return results_of(run_ensemble(few, asked, listener).json());
      },
      true);
}

TEST_F(SharedRun, OfADesign) {
  expect_same(
      [&](const Request& asked) {
        Listener listener;
        return results_of(run_sobol(scenario, asked, listener, false).json());
      },
      true);
}

TEST_F(SharedRun, OfAnotherScenarioIsRefused) {
  scenario::Scenario other = scenario;
  other.ensemble.seed = 99;
  test::ThreadTeam team(2);
  try {
    team.run([&](team::Team& mine) {
      Request asked = request("shared");
      asked.team = &mine;
      Listener listener;
      run_ensemble(mine.leads() ? scenario : other, asked, listener);
    });
    FAIL() << "two scenarios in one run";
  } catch (const SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("not those of rank 0"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace conesweep::runs

namespace conesweep::ensemble {
namespace {

TEST(SharedLevels, OfConvergeHaveTheBitsOfOneProcess) {
  const auto scenario = test::drag(8, 20000);
  const Convergence alone = run_converge(scenario, {}, test::cpu(1), {});
  test::ThreadTeam team(3);
  team.run([&](team::Team& mine) {
    ConvergeRequest request;
    request.chunk = 1000;
    request.team = &mine;
    const Convergence shared = run_converge(scenario, request, test::cpu(1), {});
    if (!mine.leads()) return;
    ASSERT_EQ(shared.lines.size(), alone.lines.size());
    for (std::size_t k = 0; k < alone.lines.size(); ++k) {
      EXPECT_EQ(shared.lines[k].values, alone.lines[k].values);
      EXPECT_EQ(shared.lines[k].differences, alone.lines[k].differences);
    }
  });
}

TEST(SharedLevels, OfMlmcHaveTheBitsOfOneProcess) {
  const auto scenario = test::drag(4, 1000);
  MlmcRequest request;
  request.observable = "speed";
  request.rmse = 2e-3;
  const MlmcResult alone = run_mlmc(scenario, request, test::cpu(1), {});
  for (const int ranks : {2, 4}) {
    test::ThreadTeam team(ranks);
    team.run([&](team::Team& mine) {
      MlmcRequest asked = request;
      asked.team = &mine;
      const MlmcResult shared = run_mlmc(scenario, asked, test::cpu(1), {});
      if (!mine.leads()) return;
      EXPECT_EQ(shared.estimate, alone.estimate);
      EXPECT_EQ(shared.standard_error, alone.standard_error);
      EXPECT_EQ(shared.cost, alone.cost);
      ASSERT_EQ(shared.levels.size(), alone.levels.size());
      for (std::size_t l = 0; l < alone.levels.size(); ++l)
        EXPECT_EQ(shared.levels[l].correction.mean, alone.levels[l].correction.mean) << l;
    });
  }
}

}  // namespace
}  // namespace conesweep::ensemble
