// The selftest finds what is planted: a wrong answer, another bit, an engine that cannot sum, a number of the budget
// that has aged.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "selftest/known_statistics.hpp"
#include "selftest/outcome_hash.hpp"
#include "selftest/sample_set.hpp"
#include "selftest/selftest.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"

namespace conesweep::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

[[maybe_unused]] const int own_cache = setenv("CONESWEEP_CACHE", CONESWEEP_TEST_CACHE, 1);

Request on_cpu() {
  Request request;
  request.backend = "cpu";
  return request;
}

Report run(const Request& request) { return run_selftest(request, {}, {}); }

const Finding& find_part(const Report& report, const std::string& title) {
  for (const Finding& part : report.parts)
    if (part.title == title) return part;
  throw std::runtime_error("no part " + title);
}

// ---- the verdict ----

TEST(Selftest, PassesHere) {
  const Report report = run(on_cpu());
  for (const Finding& part : report.parts) EXPECT_THAT(part.wrong, ElementsAre()) << part.title;
  EXPECT_EQ(report.verdict(), TestResult::passed);
  EXPECT_THAT(report.executors, ElementsAre("cpu"));
  EXPECT_EQ(find_part(report, "exact answers").checked, static_cast<std::int64_t>(exact_cases().size()));
  EXPECT_GE(find_part(report, "published bits").checked, 12);
  EXPECT_NE(report.hash, 0U);
}

TEST(Selftest, FindsAWrongAnswer) {
  Request request = on_cpu();
  request.cases[2].expect = [](const Given&) { return std::vector<Expectation>{{"final.x", 7, 1e-3}}; };
  const Report report = run(request);
  EXPECT_EQ(report.verdict(), TestResult::differs);
  EXPECT_THAT(find_part(report, "exact answers").wrong,
              ElementsAre(::testing::MatchesRegex(
                  "E2 \\(slope, slides down a slope\\): final\\.x is .*, exact: 7 to 0\\.001")));
}

TEST(Selftest, FindsAMemberThatShouldHaveStopped) {
  Request request = on_cpu();
  for (ExactCase& exact : request.cases)
    if (exact.status != executor::Status::ok) exact.parameters = {{"v0", 0.25}};
  const Report report = run(request);
  EXPECT_THAT(find_part(report, "exact answers").wrong, ElementsAre(HasSubstr("status ok, expected non_finite")));
}

auto& published(Request& request, const std::string& sample) {
  const auto found = std::find_if(request.published.begin(), request.published.end(),
                                  [&](const auto& line) { return line.sample == sample; });
  if (found == request.published.end()) throw std::invalid_argument(sample);
  return *found;
}

TEST(Selftest, FindsAnotherBit) {
  Request request = on_cpu();
  published(request, "delayed_feedback").results ^= 1;
  published(request, "dry_friction_oscillator").steps += 1;
  std::erase_if(request.published, [](const auto& line) { return line.sample == "variable_friction"; });
  const Report report = run(request);
  EXPECT_EQ(report.verdict(), TestResult::differs);
  EXPECT_THAT(
      find_part(report, "published bits").wrong,
      ElementsAre(HasSubstr("delayed_feedback has results "), HasSubstr("dry_friction_oscillator was published with"),
                  HasSubstr("variable_friction has no published hash")));
}

TEST(Selftest, TellsAnotherLibraryFromAnotherResult) {
  Request request = on_cpu();
  published(request, "delayed_feedback").parameters ^= 1;
  const Report report = run(request);
  EXPECT_EQ(report.verdict(), TestResult::passed) << "quantiles of another C library are no fault";
  EXPECT_THAT(report.notices,
              ElementsAre(HasSubstr("the drawn parameters of delayed_feedback differ from the published ones")));
}

TEST(Selftest, KnowsItsExecutors) {
  Request request;
  request.backend = "gpu";
  EXPECT_THROW(run(request), InputError);
  request.backend = "reference";
  EXPECT_THROW(make_hashes(request, {}, {}), InputError);
  request.backend = "all";
  EXPECT_THROW(make_hashes(request, {}, {}), InputError);
}

TEST(Selftest, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  executor::Watch watch;
  watch.stop = &stop;
  EXPECT_THROW(run_selftest(on_cpu(), watch, {}), Interrupted);
}

TEST(Selftest, AFailureWeighsMoreThanADifference) {
  Report report;
  EXPECT_EQ(report.verdict(), TestResult::passed);
  report.parts.resize(3);
  report.parts[0].wrong = {"one"};
  EXPECT_EQ(report.verdict(), TestResult::differs);
  report.parts[1].skipped = "why not";
  EXPECT_EQ(report.verdict(), TestResult::differs);
  report.parts[2].failure = "the GPU refused";
  EXPECT_EQ(report.verdict(), TestResult::failed);
}

// ---- exact answers ----

TEST(ExactCases, EachToleranceDecides) {
  // an answer within the tolerance is not within it any more once the expectation moves by more than twice as much
  const SampleSet samples = read_samples(1);
  int moved = 0;
  for (const ExactCase& exact : exact_cases()) {
    const Sample& sample = find_sample(samples, exact.sample);
    std::string reason;
    const auto executor = executor::make_model("reference", sample.scenario, {}, reason);
    const executor::Chunk chunk = make_chunk(sample.scenario, {&exact});
    const auto outcome = executor->run(sample.scenario, chunk, {});
    EXPECT_THAT(find_wrong(sample.scenario, exact, chunk, outcome, 0), ElementsAre());
    for (const double direction : {-1.0, 1.0}) {
      std::size_t expectations = 0;
      ExactCase other = exact;
      other.expect = [&](const Given& given) {
        auto all = exact.expect(given);
        for (Expectation& e : all) e.value += direction * (2.001 * e.tolerance + 1e-15);
        expectations = all.size();
        return all;
      };
      const auto wrong = find_wrong(sample.scenario, other, chunk, outcome, 0);
      EXPECT_EQ(wrong.size(), expectations) << exact.name << ", " << exact.what;
      moved += static_cast<int>(wrong.size());
    }
  }
  EXPECT_GT(moved, 80);
}

// ---- hashes ----

TEST(Hashes, ReadWhatTheyWrite) {
  const std::vector<SampleHash> hashes = {{"one", 0x0123456789abcdef, 1, 64, 1500}, {"another", ~0ull, 0, 7, 3}};
  const std::string text = format_hashes(hashes);
  EXPECT_EQ(parse_hashes(text), hashes);
  EXPECT_THAT(text, HasSubstr("\n0123456789abcdef  0000000000000001  one      64  1500\n"));
  EXPECT_THAT(parse_hashes("# 12\n\nnonsense\n12 34 short\n"), ElementsAre());
}

TEST(Hashes, SeeEveryBit) {
  executor::Chunk chunk{{scenario::Design(), 0, 2}, {{1, 2}}};
  executor::Outcome outcome;
  outcome.observables = {{0.5, 1.5}, {0, 3}};
  outcome.status = {executor::Status::ok, executor::Status::non_finite};
  outcome.stop_time = {std::nan(""), 1};
  outcome.trajectories.columns = {{1, 2, 3}};
  outcome.trajectories.mode = {0, 1, 2};
  const std::uint64_t hash = hash_run(chunk, outcome);
  const auto changes = [&](double& x) {
    const double was = x;
    x = std::nextafter(x, 9);
    const bool changed = hash_run(chunk, outcome) != hash;
    x = was;
    return changed;
  };
  EXPECT_TRUE(changes(chunk.varied[0][1]));
  EXPECT_TRUE(changes(outcome.observables[1][0]));
  EXPECT_TRUE(changes(outcome.stop_time[1]));
  EXPECT_TRUE(changes(outcome.trajectories.columns[0][2]));
  outcome.stop_time[0] = -std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(hash_run(chunk, outcome), hash) << "every NaN is the same one";
  outcome.trajectories.mode[1] = 2;
  EXPECT_NE(hash_run(chunk, outcome), hash);
  outcome.trajectories.mode[1] = 1;
  outcome.status[1] = executor::Status::ok;
  EXPECT_NE(hash_run(chunk, outcome), hash);
}

TEST(Hashes, AreOfParametersThatTheLastPlacesOfALibraryDoNotReach) {
  for (const auto& sample : read_samples()) {
    EXPECT_EQ(sample->chunk.count(), std::min<std::int64_t>(hashed_members, sample->scenario.ensemble.members));
    for (const auto& column : sample->chunk.varied) {
      ASSERT_EQ(column.size(), static_cast<std::size_t>(sample->chunk.count()));
      for (const double x : column) EXPECT_EQ(x, static_cast<double>(static_cast<float>(x))) << sample->name;
    }
  }
}

// ---- statistics ----

/// The CPU with one fault.
class Faulty : public statistics::Engine {
 public:
  enum Fault { none, order, sum, track, band };
  explicit Faulty(Fault fault) : fault_(fault) {}
  std::string name() const override { return "faulty"; }
  void sort(std::span<double> values) override {
    cpu_.sort(values);
    if (fault_ == order && values.size() > 60) std::swap(values[30], values[50]);
  }
  std::vector<statistics::Moments> block_moments(std::span<const double> values,
                                                 std::span<const executor::Status> status, double factor) override {
    if (fault_ != sum || values.size() < 2) return cpu_.block_moments(values, status, factor);
    std::vector<double> other(values.begin(), values.end());
    for (double& x : other) x = x == 0 ? 0 : std::nextafter(x, 2 * x);
    return cpu_.block_moments(other, status, factor);
  }
  statistics::TrackMoments block_track_moments(std::span<const double> tracks, std::span<const executor::Status> status,
                                               std::int64_t times, statistics::TrackMoments begun) override {
    auto moments = cpu_.block_track_moments(tracks, status, times, begun);
    if (fault_ == track) moments.squares.back() *= 1.0001;
    return moments;
  }
  std::vector<double> track_quantiles(std::span<const double> tracks, std::span<const executor::Status> status,
                                      std::int64_t times) override {
    auto bands = cpu_.track_quantiles(tracks, status, times);
    if (fault_ == band) bands.front() += 1e-9;
    return bands;
  }

 private:
  Fault fault_;
  statistics::Engine& cpu_ = statistics::cpu_engine();
};

TEST(KnownStatistics, FindAFault) {
  Faulty whole(Faulty::none);
  EXPECT_THAT(check_known_statistics(whole).wrong, ElementsAre());
  EXPECT_THAT(compare_engines(whole, statistics::cpu_engine()).wrong, ElementsAre());
  for (const auto fault : {Faulty::order, Faulty::sum, Faulty::track, Faulty::band}) {
    Faulty engine(fault);
    EXPECT_FALSE(compare_engines(engine, statistics::cpu_engine()).wrong.empty()) << fault;
    // one last place is rounding, seen by bits alone
    EXPECT_EQ(check_known_statistics(engine).wrong.empty(), fault == Faulty::sum) << fault;
  }
}

// ---- throughput ----

// A row of a table in docs/performance.md, cell by cell: the first that begins with this name after this heading of its
// table.
std::vector<std::string> find_row(const std::string& heading, const std::string& name) {
  std::ifstream in(CONESWEEP_SOURCE "/docs/performance.md");
  std::string line;
  while (std::getline(in, line) && !line.starts_with("| " + heading)) {
  }
  while (std::getline(in, line) && !line.starts_with("| " + name + " |")) {
  }
  std::vector<std::string> cells;
  std::istringstream words(line);
  for (std::string cell; std::getline(words, cell, '|');) cells.push_back(cell);
  return cells;
}

TEST(RateModel, HasTheNumbersOfTheBudget) {
  const std::vector<std::string> cells = find_row("problem (double; sm_80 / 90 / 120)", "slider");
  ASSERT_EQ(cells.size(), 14U);
  const auto numbers = [](const std::string& cell) {
    std::vector<int> all;
    const std::regex number("[0-9]+");
    for (std::sregex_iterator k(cell.begin(), cell.end(), number), end; k != end; ++k)
      all.push_back(std::stoi(k->str()));
    all.resize(3, all.at(0));  // one number: the same for all
    return all;
  };
  const auto instructions = numbers(cells[4]), arithmetic = numbers(cells[6]), bytes = numbers(cells[13]);
  ASSERT_EQ(step_costs().size(), 4U);
  for (std::size_t k = 0; k < 3; ++k) {
    const StepCost& cost = step_costs()[k + 1];  // the first one is of sm_75
    EXPECT_EQ(cost.instructions, instructions[k]) << cost.architecture;
    EXPECT_EQ(cost.arithmetic, arithmetic[k]) << cost.architecture;
    EXPECT_EQ(cost.bytes, bytes[k]) << cost.architecture;
  }
}

// tools/gpu_rate.py made the table: one formula, one set of numbers
TEST(RateModel, GivesTheRatesOfTheTool) {
  const std::vector<std::string> cells = find_row("10⁹ member·steps/s, a model", "slider");
  ASSERT_EQ(cells.size(), 5U);
  const RateModel rates[] = {model_rate({"A100 80GB SXM", 8, 0, 108, 1.41e9, 2039e9, 2}),
                             model_rate({"H100 SXM", 9, 0, 132, 1.98e9, 3350e9, 2}),
                             model_rate({"RTX 5090", 12, 0, 170, 2.407e9, 1792e9, 64})};
  for (std::size_t k = 0; k < 3; ++k) {
    const double told = std::stod(cells[k + 2]);
    EXPECT_NEAR(rates[k].rate / 1e9, told, 0.006 * told) << cells[k + 2];
    const std::string limit = rates[k].limit == "issue of instructions"    ? "issue"
                              : rates[k].limit == "double-precision units" ? "double"
                                                                           : "memory";
    EXPECT_NE(cells[k + 2].find("(" + limit + ")"), std::string::npos) << cells[k + 2] << limit;
  }
}

TEST(RateModel, FollowsTheDevice) {
  const auto cost = [](int architecture) {
    StepCost found = step_costs()[0];
    for (const StepCost& known : step_costs())
      if (known.architecture <= architecture) found = known;
    return found;
  };
  // few double-precision units: 64 / 32 of them
  const RateModel turing = model_rate({"T", 7, 5, 40, 1.59e9, 320e9, 32});
  EXPECT_EQ(turing.limit, "double-precision units");
  EXPECT_DOUBLE_EQ(turing.rate, 40 * 1.59e9 * 2 / cost(75).arithmetic);
  // many: the memory, if it is slow, and the schedulers, if it is not
  const RateModel slow = model_rate({"A", 8, 0, 108, 1.41e9, 160e9, 2});
  EXPECT_EQ(slow.limit, "memory bandwidth");
  EXPECT_DOUBLE_EQ(slow.rate, 1e10);
  const RateModel many = model_rate({"A", 9, 0, 132, 1.7e9, 1e15, 0.5});
  EXPECT_EQ(many.limit, "issue of instructions");
  EXPECT_DOUBLE_EQ(many.rate, 132 * 1.7e9 * 128 / cost(90).instructions);
  EXPECT_EQ(model_rate({"?", 9, 0, 132, 0, 1e12, 2}).rate, 0);
  EXPECT_TRUE((executor::cuda::DeviceFacts{"ptxrun CPU emulation (sm_75)"}.emulated()));
  EXPECT_FALSE((executor::cuda::DeviceFacts{"NVIDIA A100-SXM4-40GB"}.emulated()));
}

}  // namespace
}  // namespace conesweep::selftest
