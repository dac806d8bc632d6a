#include "ensemble/judge.hpp"

#include <algorithm>

#include "executor/reference/member.hpp"
#include "sampling/sampler.hpp"
#include "support/workers.hpp"

namespace conesweep::ensemble {
namespace {

using executor::reference::GivenMotion;

constexpr std::int64_t numbers_at_once = 8'000'000;  // of recorded motions: 64 MB
constexpr std::int64_t most_at_once = 256;

// [variation][member] of any members
std::vector<std::vector<double>> draw_some(const scenario::Scenario& scenario, const std::vector<std::int64_t>& members) {
  std::vector<std::vector<double>> all;
  for (const std::int64_t m : members) {
    const auto one = sampling::draw(scenario, m, 1);
    all.resize(one.size());
    for (std::size_t k = 0; k < one.size(); ++k) all[k].push_back(one[k].front());
  }
  return all;
}

GivenMotion motion_of(const executor::Trajectories& all, std::int64_t m) {
  const auto d = static_cast<Eigen::Index>(all.columns.size() / 2);
  GivenMotion motion;
  for (std::int64_t i = 0; i < all.times; ++i) {
    const auto at = static_cast<std::size_t>(m * all.times + i);
    Eigen::VectorXd q(d), v(d);
    for (Eigen::Index c = 0; c < d; ++c) {
      q[c] = all.columns[static_cast<std::size_t>(c)][at];
      v[c] = all.columns[static_cast<std::size_t>(d + c)][at];
    }
    motion.q.push_back(q), motion.v.push_back(v);
  }
  return motion;
}

std::vector<double> parameters_of(const scenario::Scenario& scenario, const executor::Chunk& chunk, std::int64_t m) {
  std::vector<double> varied;
  for (const auto& column : chunk.varied) varied.push_back(column[static_cast<std::size_t>(m)]);
  return member_parameters(scenario, varied);
}

}  // namespace

bool may_have_several_solutions(const scenario::Scenario& scenario) { return is_coupled(scenario) || scenario.contacts.size() > 1; }

std::vector<JudgedMember> judge_members(const scenario::Scenario& scenario, const Accused& accused, const executor::Watch& watch) {
  scenario::Scenario recorded = scenario;
  recorded.record = {1, 1};
  std::string reason;
  const auto executor = executor::make_executor(accused.backend, recorded, accused.options, reason);
  const std::int64_t numbers = 2 * scenario.dimension() * (scenario.steps + 1);
  const auto batch = static_cast<std::size_t>(std::clamp<std::int64_t>(numbers_at_once / numbers, 1, most_at_once));

  std::vector<JudgedMember> judged;
  for (std::size_t first = 0; first < accused.members.size(); first += batch) {
    const auto begin = accused.members.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<std::int64_t> some(begin, begin + static_cast<std::ptrdiff_t>(std::min(batch, accused.members.size() - first)));
    const auto count = static_cast<std::int64_t>(some.size());
    const executor::Chunk chunk{0, count, draw_some(scenario, some), true};
    const executor::Outcome outcome = executor->run(chunk, {.stop = watch.stop});

    std::vector<JudgedMember> found(some.size());
    share_work(count, count_threads(accused.options.threads), [&](std::int64_t m) {
      const auto at = static_cast<std::size_t>(m);
      found[at].member = some[at];
      if (outcome.status[at] == executor::Status::ok)
        found[at].found = judge_motion(recorded, parameters_of(scenario, chunk, m), motion_of(outcome.trajectories, m), watch.stop);
      watch.finished(1);
    });
    for (std::size_t at = 0; at < some.size(); ++at)
      if (outcome.status[at] == executor::Status::ok) judged.push_back(found[at]);
  }
  return judged;
}

}  // namespace conesweep::ensemble
