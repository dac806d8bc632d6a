#include "ensemble/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "ensemble/scales.hpp"
#include "executor/cpu/step_parts.hpp"
#include "executor/reference/motion_judge.hpp"
#include "executor/reference/observers.hpp"
#include "expression/states.hpp"
#include "sampling/sampler.hpp"
#include "support/text.hpp"
#include "support/workers.hpp"

namespace conesweep::ensemble {
namespace {

using executor::Outcome;
using executor::Status;
using executor::reference::GivenMotion;
using executor::reference::MotionJudgement;

constexpr std::int64_t numbers_at_once = 8'000'000;  // of recorded motions: 64 MB
constexpr std::int64_t most_at_once = 256;
constexpr std::uint32_t ways_to_round = 8;  // in which an observable may see its nodes
// in the last place: what an observable may lose that is a small difference of numbers of the state's size
constexpr double units_of_state = 64;

// members at any places of a chunk, or of the ensemble, with every node of theirs recorded
executor::Chunk take_some(const scenario::Scenario& scenario, const executor::Chunk* chunk,
                          const std::vector<std::int64_t>& places) {
  if (chunk == nullptr) return {{scenario, places}, sampling::draw(scenario, places), true};
  executor::Chunk some{.members = chunk->members.at(places), .track_all = true};
  for (const auto& column : chunk->varied) {
    auto& values = some.varied.emplace_back();
    for (const std::int64_t place : places) values.push_back(column[static_cast<std::size_t>(place)]);
  }
  return some;
}

GivenMotion motion_of(const scenario::Scenario& scenario, const Outcome& outcome, std::size_t m) {
  const executor::Trajectories& all = outcome.trajectories;
  const auto states = expression::state_columns(scenario.names);
  const Eigen::Index d = scenario.dimension();
  GivenMotion motion;
  motion.status = outcome.status[m];
  for (std::size_t i = 0; i < static_cast<std::size_t>(all.times); ++i) {
    const std::size_t at = m * static_cast<std::size_t>(all.times) + i;
    Eigen::VectorXd q(d), v(d);
    for (std::size_t c = 0; c < states.size(); ++c)
      (states[c].symbol.kind == expression::Symbol::Kind::velocity ? v : q)[states[c].symbol.index] =
          all.columns[c][at];
    if (q.array().isNaN().all()) break;  // after the end of one that ends early
    motion.q.push_back(q), motion.v.push_back(v);
    motion.mode.push_back(static_cast<executor::Mode>(all.mode[at]));
  }
  return motion;
}

/// What an observable is made of, and so when it can be judged.
enum class MadeOf {
  motion,    // positions, velocities and times
  impulses,  // which need not be unique
  contacts,  // whether they act, stick or slide, which a tie leaves open
};

MadeOf source_of(const scenario::Scenario& scenario, std::size_t k) {
  using scenario::Standard;
  if (k < scenario.observables.size()) {
    bool normal = false, slip = false;
    expression::for_each_node(scenario.observables[k].formula.tree, [&](const expression::Expr& node) {
      if (node->op != expression::Op::symbol) return;
      normal = normal || node->symbol.kind == expression::Symbol::Kind::normal;
      slip = slip || node->symbol.kind == expression::Symbol::Kind::slip;
    });
    const bool amount = scenario::reducers[scenario.observables[k].reducer].measure == scenario::Measure::amount;
    return amount ? (normal ? MadeOf::impulses : MadeOf::motion) : (normal || slip ? MadeOf::contacts : MadeOf::motion);
  }
  k -= scenario.observables.size();
  if (k < scenario.standard.size()) {
    const Standard standard = scenario.standard[k];
    if (standard == Standard::penetration) return MadeOf::motion;
    const bool by_active_contacts =
        standard == Standard::painleve || standard == Standard::certificate || standard == Standard::certificate_paper;
    return scenario::standard_quantities[standard].measure != scenario::Measure::amount || by_active_contacts
               ? MadeOf::contacts
               : MadeOf::impulses;
  }
  k -= scenario.standard.size();
  return k < scenario.of_laws.size() ? MadeOf::contacts : MadeOf::motion;
}

/// Judges one member after the other of an executor.
class MemberJudge {
 public:
  MemberJudge(const scenario::Scenario& scenario, const Accused& accused, const executor::Watch& watch)
      : scenario_(scenario),
        accused_(accused),
        watch_(watch),
        single_(accused.model->precision() == executor::Precision::single),
        names_(observable_names(scenario)),
        units_(names_.size(), 0) {
    for (const Discrete& discrete : find_discrete(scenario)) units_[discrete.observable] = discrete.unit;
    if (accused.outcome != nullptr) {
      scales_ = observable_scales(scenario, *accused.outcome);
      rounding_ = units_of_state * executor::reference::exactness_of(accused.model->precision()).unit *
                  state_size(scenario, *accused.outcome);
    }
    for (std::size_t k = 0; k < names_.size(); ++k) sources_.push_back(source_of(scenario, k));
  }

  /// Member m of a chunk that was run with every node recorded.
  JudgedMember judge(const executor::Chunk& chunk, const Outcome& outcome, std::size_t m, std::int64_t member) const {
    JudgedMember judged{
        member, {}, accused_.name, executor::reference::exactness_of(accused_.model->precision()).residual};
    const std::vector<double> parameters = parameters_of(chunk, m);
    GivenMotion motion = motion_of(scenario_, outcome, m);
    std::vector<double> seen;
    judged.found = judge_motion(parameters, motion, 0, seen);
    if ((judged.found.wrong >= 0 || judged.found.not_judged > 0) && may_have_parts()) {
      motion.parts = find_parts(chunk, static_cast<std::int64_t>(m), motion);
      if (!motion.parts.empty()) judged.found = judge_motion(parameters, motion, 0, seen);
    }
    if (judged.found.wrong >= 0 || accused_.outcome == nullptr) return judged;
    judged.other = find_other_than_in_run(outcome, m, member);
    if (judged.other.empty() && motion.status == Status::ok)
      judged.other = find_not_following(parameters, motion, judged.found, observables_of(outcome, m), {seen});
    return judged;
  }

 private:
  bool may_have_parts() const {
    const auto strikes = [](const scenario::Resistance& resistance) { return resistance.percussions.has_value(); };
    return scenario_.impacts == scenario::Impacts::located ||
           std::any_of(scenario_.resistances.begin(), scenario_.resistances.end(), strikes);
  }

  // The parts of the member's steps, as the cpu executor makes them; none if another one's motion is not the same to
  // the bit. All threads share one unit.
  std::vector<executor::StepPart> find_parts(const executor::Chunk& chunk, std::int64_t m,
                                             const GivenMotion& motion) const {
    std::call_once(asked_, [&] {
      parts_ = std::make_unique<executor::cpu::StepParts>(scenario_, varying_parameters(scenario_),
                                                          accused_.model->precision());
    });
    std::vector<executor::StepPart> parts = parts_->find(scenario_, chunk, m);
    auto from = parts.begin();
    const auto is_told = [&](const Eigen::VectorXd& v) {
      from = std::find_if(from, parts.end(), [&](const executor::StepPart& part) { return part.v == v; });
      return from != parts.end();  // a velocity that does not change may be found where it was
    };
    const bool same = std::all_of(motion.v.begin(), motion.v.end(), is_told);
    return same ? parts : std::vector<executor::StepPart>();
  }

  std::vector<double> parameters_of(const executor::Chunk& chunk, std::size_t m) const {
    std::vector<double> varied;
    for (const auto& column : chunk.varied) varied.push_back(column[m]);
    std::vector<double> all = member_parameters(scenario_, varied);
    if (single_)
      for (double& parameter : all) parameter = static_cast<float>(parameter);
    return all;
  }

  // `seen` receives what the reference makes of the nodes, where it is shown all
  MotionJudgement judge_motion(const std::vector<double>& parameters, const GivenMotion& motion,
                               std::uint32_t disturbed, std::vector<double>& seen) const {
    executor::reference::Observers observers(scenario_, parameters);
    const auto see = [&](const executor::reference::NodeRecord& node,
                         const executor::reference::NodeExpressions& expressions) { observers.see(node, expressions); };
    const MotionJudgement found = executor::reference::judge_motion(
        scenario_, parameters, motion, {executor::reference::exactness_of(accused_.model->precision()), see, disturbed},
        watch_.stop);
    if (found.wrong < 0 && motion.status == Status::ok) seen = observers.values();
    return found;
  }

  // Is it the member that was run?
  std::string find_other_than_in_run(const Outcome& outcome, std::size_t m, std::int64_t member) const {
    const Outcome& run = *accused_.outcome;
    const auto at = static_cast<std::size_t>(member);
    if (run.status[at] != outcome.status[m])
      return "ends with " + std::string(to_name(run.status[at])) + ", and with " +
             std::string(to_name(outcome.status[m])) + " where its nodes are kept";
    for (std::size_t k = 0; k < names_.size(); ++k) {
      const double was = run.observables[k][at], is = outcome.observables[k][m];
      if (was != is && !(std::isnan(was) && std::isnan(is)))
        return names_[k] + " is " + format_number(was) + ", and " + format_number(is) + " where its nodes are kept";
    }
    return {};
  }

  bool is_judged(std::size_t k, const MotionJudgement& found) const {
    if (found.several > 0) return sources_[k] == MadeOf::motion;
    return found.ties == 0 || sources_[k] != MadeOf::contacts;
  }

  double tolerance_of(std::size_t k) const {
    return units_[k] > 0 ? units_[k] / 2 : accused_.tolerance * scales_[k] + rounding_;
  }

  static std::vector<double> observables_of(const Outcome& outcome, std::size_t m) {
    std::vector<double> told;
    for (const auto& column : outcome.observables) told.push_back(column[m]);
    return told;
  }

  // Do observables follow from the nodes? What rounding decides may be decided otherwise, so there are several `seen`;
  // the first is as it is.
  std::string find_not_following(const std::vector<double>& parameters, const GivenMotion& motion,
                                 const MotionJudgement& found, const std::vector<double>& told,
                                 std::vector<std::vector<double>> seen) const {
    if (seen.front().empty()) return {};
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (!is_judged(k, found) || follows(k, told[k], seen)) continue;
      for (std::uint32_t way = 1; way <= ways_to_round && seen.size() <= ways_to_round; ++way) {
        seen.emplace_back();
        judge_motion(parameters, motion, 2654435761u * way, seen.back());
        if (seen.back().empty()) seen.pop_back();
      }
      if (!follows(k, told[k], seen))
        return names_[k] + " is " + format_number(told[k]) + ", and " + format_number(seen.front()[k]) +
               " by its own nodes";
    }
    return {};
  }

  bool follows(std::size_t k, double told, const std::vector<std::vector<double>>& seen) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& values : seen) {
      if (std::isnan(told) ? std::isnan(values[k]) : told == values[k]) return true;
      low = std::fmin(low, values[k]), high = std::fmax(high, values[k]);
    }
    return told >= low - tolerance_of(k) && told <= high + tolerance_of(k);
  }

  const scenario::Scenario& scenario_;  // with every node recorded
  const Accused& accused_;
  const executor::Watch& watch_;
  bool single_;
  std::vector<std::string> names_;
  std::vector<double> units_;   // of counts and times; 0: an amount
  std::vector<double> scales_;  // of amounts
  double rounding_ = 0;         // of the state
  std::vector<MadeOf> sources_;
  mutable std::once_flag asked_;
  // once a member has a step that is not known to be right without them
  mutable std::unique_ptr<executor::cpu::StepParts> parts_;
};

}  // namespace

std::vector<JudgedMember> judge_members(const scenario::Scenario& scenario, const Accused& accused,
                                        const executor::Watch& watch) {
  if (accused.members.empty()) return {};  // and no model is compiled for them
  scenario::Scenario recorded = scenario;
  recorded.record = {1, 1};
  const std::int64_t numbers = static_cast<std::int64_t>(count_states(scenario)) * (scenario.steps + 1);
  const auto batch = static_cast<std::size_t>(std::clamp<std::int64_t>(numbers_at_once / numbers, 1, most_at_once));
  const MemberJudge judge(recorded, accused, watch);

  std::vector<JudgedMember> judged;
  for (std::size_t first = 0; first < accused.members.size(); first += batch) {
    const auto begin = accused.members.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<std::int64_t> some(
        begin, begin + static_cast<std::ptrdiff_t>(std::min(batch, accused.members.size() - first)));
    const auto count = static_cast<std::int64_t>(some.size());
    const executor::Chunk chunk = take_some(scenario, accused.chunk, some);
    const Outcome outcome = accused.model->run(recorded, chunk, {.stop = watch.stop});

    std::vector<JudgedMember> found(some.size());
    share_work(count, accused.model->threads(), [&](std::int64_t m) {
      const auto at = static_cast<std::size_t>(m);
      found[at] = judge.judge(chunk, outcome, at, some[at]);
      watch.finished(1);
    });
    judged.insert(judged.end(), found.begin(), found.end());
  }
  return judged;
}

}  // namespace conesweep::ensemble
