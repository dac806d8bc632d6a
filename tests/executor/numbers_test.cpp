// A member is a function of the ensemble's seed and of its number, wherever it stands in a chunk: members picked here
// and there do what they do in a crowd, and the code that steps them knows who they are.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <conesweep/chunk/diagnose.hpp>

#include "choose_devices.hpp"
#include "compile_ptx.hpp"
#include "device_model.hpp"
#include "executor/agreement.hpp"
#include "executor/columns.hpp"
#include "model/compiler.hpp"
#include "model/unit.hpp"
#include "wave_runner.hpp"

namespace conesweep::test {
namespace {

const char* const block = R"toml(
[model]
coordinates = ["x", "y"]
force = ["-k * delay(x, tau)", "-9.81"]
[model.parameters]
k = 4.0
tau = 0.2
mu = 0.3
[[model.contact]]
inside = "y >= 0"
friction = "mu"
[start]
x = "1 + t"
y = "0.05"
[time]
end = 1.0
step = 0.01
[ensemble]
members = 1000
seed = 7
[vary]
k = { uniform = [1, 9] }
tau = { uniform = [0, 0.4] }
mu = { uniform = [-0.1, 0.8] }
[record]
members = 20
every = 10
)toml";

// in no order, across packs and warps, some of those that are recorded first
std::vector<std::int64_t> scattered() {
  std::vector<std::int64_t> numbers = {3, 17, 4};
  for (std::int64_t k = 0; k < 70; ++k) numbers.push_back(20 + (k * 389 + 211) % 980);
  return numbers;
}

TEST(Members, HaveTheirNumbers) {
  scenario::Design design;
  design.ensemble.seed = 42;
  const executor::Members row(design, 100, 5), some(design, {5, 6, 9, 2}), same(design, {5, 6, 7});
  EXPECT_EQ(row.number(3), 103);
  EXPECT_TRUE(row.numbers().empty());
  EXPECT_EQ(some.count(), 4);
  EXPECT_EQ(some.number(2), 9);
  EXPECT_EQ(some.first(), 5);
  EXPECT_EQ(some.seed(), 42u);
  EXPECT_TRUE(same.numbers().empty()) << "they are consecutive";
  EXPECT_EQ(same.number(2), 7);
  const executor::Members fewer = some.at({3, 0});
  EXPECT_EQ(fewer.number(0), 2);
  EXPECT_EQ(fewer.number(1), 5);
  EXPECT_EQ(fewer.seed(), 42u);
  EXPECT_EQ(executor::Members(design, std::vector<std::int64_t>()).count(), 0);
}

class Scattered : public OnExecutor {};
ON_EVERY_EXECUTOR(Scattered);

// some stop (their friction is below 0), some are recorded
TEST_P(Scattered, MembersDoWhatTheyDoInTheWholeEnsemble) {
  const auto scenario = parse_scenario(block);
  const auto model = make(scenario, backend());
  const auto numbers = scattered();
  const executor::Outcome all = run_some(scenario, *model, 0, scenario.ensemble.members);
  const executor::Outcome some = model->run(scenario, {{scenario, numbers}, sampling::draw(scenario, numbers)}, {});
  EXPECT_TRUE(same_bits(scenario, take(all, numbers), without_trajectories(some)));
  EXPECT_GT(std::count(some.status.begin(), some.status.end(), executor::Status::bad_angle), 0);

  // the first three are among those that leave trajectories
  const auto times = static_cast<std::size_t>(scenario.recorded_times());
  ASSERT_EQ(some.trajectories.members, 3);
  for (std::size_t c = 0; c < some.trajectories.columns.size(); ++c)
    for (std::size_t place = 0; place < 3; ++place)
      for (std::size_t k = 0; k < times; ++k) {
        const auto number = static_cast<std::size_t>(numbers[place]);
        const double in_crowd = all.trajectories.columns[c][number * times + k],
                     alone = some.trajectories.columns[c][place * times + k];
        EXPECT_TRUE(alone == in_crowd || (std::isnan(alone) && std::isnan(in_crowd))) << c << ", " << place;
      }
}

/// A particle that nothing pushes; `numbered` makes a model of it whose force is who the member is.
const char* const nothing = R"toml(
[model]
coordinates = ["x", "y"]
force = ["0", "0"]
[start]
x = "0"
y = "0"
[time]
end = 1.0
step = 0.25
[ensemble]
members = 5000
seed = 123456789
)toml";

constexpr std::int64_t unlucky = 4711;  // this one has no force

// In the text that the generator writes: the word that asks for a member's number, and a force that tells it.
std::string numbered(std::string text) {
  const auto insert_after = [&](const std::string& place, const std::string& words) {
    const auto at = text.find(place);
    EXPECT_NE(at, std::string::npos) << place;
    text.insert(at + place.size(), words);
  };
  insert_after("struct Model {\n", "  using Numbered = void;\n");
  insert_after("static CS_INLINE void force(const Node& n, Real* f, const Done& done = {}) {\n",
               "    f[0] = f[1] = Real(ScalarOf<Real>(n.identity().seed));\n"
               "    for (int l = 0; l < RealTraits<Real>::lanes; ++l)\n"
               "      set_lane(f[0], l, ScalarOf<Real>(n.identity().number[l]));\n"
               "    f[0] = select(f[0] == Real(ScalarOf<Real>(" +
                   std::to_string(unlucky) + ")), Real(infinity<Real>()), f[0]);\n    return;\n");
  return text;
}

class Numbered : public OnExecutor {
 protected:
  executor::Outcome run(const executor::Members& members) const {
    const executor::Chunk chunk{.members = members};
    executor::Columns<double> columns(executor::OutcomeShape(scenario_), scenario_, chunk);
    std::vector<chunk::Diagnosis> diagnoses(static_cast<std::size_t>(members.count()));
    if (backend() == "cpu")
      run_on_cpu(columns, diagnoses);
    else
      run_on_device(columns, diagnoses);
    return columns.to_outcome(scenario_, chunk,
                              [&](std::int64_t place) { return diagnoses[static_cast<std::size_t>(place)]; });
  }

  // as the executors do, which have no word for it yet
  void run_on_cpu(executor::Columns<double>& columns, std::vector<chunk::Diagnosis>& diagnoses) const {
    using Job = chunk::Job<double>;
    const model::CompiledUnit unit(numbered(model::make_cpu_unit(scenario_, {}, false))),
        diagnosis(numbered(model::make_diagnosis_unit(scenario_, {}, false)));
    const Job job = columns.job();
    ASSERT_TRUE(unit.find<bool(const Job*, long, long)>("conesweep_run_members")(&job, 0, columns.count));
    for (long m = 0; m < columns.count; ++m)
      if ((columns.marks[static_cast<std::size_t>(m)] & chunk::mark_stopped) != 0)
        diagnosis.find<void(const Job*, long, chunk::Diagnosis*)>("conesweep_diagnose")(
            &job, m, &diagnoses[static_cast<std::size_t>(m)]);
  }

  // in waves of any length, so that places in a wave are not those in the chunk
  void run_on_device(executor::Columns<double>& columns, std::vector<chunk::Diagnosis>& diagnoses) const {
    const model::CudaUnit unit = model::make_cuda_unit(scenario_, {}, false);
    const kernels::Device device = kernels::choose_devices({}).front();
    const kernels::DeviceModel model(device,
                                     kernels::compile_ptx(numbered(unit.text), device.major, device.minor, {}).ptx);
    model.make_current();
    const executor::OutcomeShape shape(scenario_);
    kernels::WaveRunner<double> runner(model, {0, shape.observables, shape.tracks, shape.summed, unit.ring_columns});
    for (std::int64_t begin = 0; begin < columns.count; begin += 41) {
      runner.load(columns, {begin, std::min(begin + 41, columns.count)});
      runner.run(columns, diagnoses, [] { return true; });
    }
  }

  static void expect_who(const executor::Outcome& outcome, const executor::Members& members) {
    const auto& vx = outcome.observables[outcome.observables.size() - 2];
    for (std::int64_t place = 0; place < members.count(); ++place) {
      const auto at = static_cast<std::size_t>(place);
      if (members.number(place) == unlucky) {
        EXPECT_EQ(outcome.status[at], executor::Status::non_finite);
        continue;
      }
      EXPECT_EQ(outcome.status[at], executor::Status::ok);
      EXPECT_EQ(vx[at], static_cast<double>(members.number(place))) << "place " << place;
      EXPECT_EQ(outcome.observables.back()[at], 123456789) << "the seed, place " << place;
    }
  }

  const scenario::Scenario scenario_ = parse_scenario(nothing);
};
ON_FAST_EXECUTORS(Numbered);

TEST_P(Numbered, MembersKnowWhoTheyAreWhereverTheyStand) {
  auto numbers = scattered();
  numbers[50] = unlucky;
  for (const executor::Members& members :
       {executor::Members(scenario_, numbers), executor::Members(scenario_, 4700, 129)})
    expect_who(run(members), members);
}

}  // namespace
}  // namespace conesweep::test
