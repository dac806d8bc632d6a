#include <algorithm>
#include <cmath>

#include "expression/calculus.hpp"
#include "expression/evaluate.hpp"
#include "expression/states.hpp"
#include "sampling/sampler.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading/bounded.hpp"
#include "scenario/reading/check.hpp"
#include "scenario/reading/dependence.hpp"
#include "scenario/reading/findings.hpp"
#include "scenario/reading/law_trial.hpp"
#include "support/text.hpp"

namespace conesweep::scenario {
namespace {

using expression::Expr;
using expression::Symbol;

// Speeds and gradients are squared without scaling them before: beyond, a square is no number that can be trusted.
constexpr double largest_square_root = 1e150;

// The first thousand members, each at its start and over its past.
class MemberTrial {
 public:
  MemberTrial(const Scenario& scenario, const Source& source, std::int64_t count, Faults& problems)
      : scenario_(scenario),
        source_(source),
        count_(std::min(count, scenario.ensemble.members)),
        problems_(problems),
        numbers_(bounded_numbers(scenario)),
        findings_(scenario),
        laws_(scenario, findings_) {
    for (const Contact& contact : scenario.contacts) {
      // with a point in space, else in the coordinates
      const Expr& g = contact.in_space ? contact.in_space : contact.g;
      const int size = contact.in_space ? static_cast<int>(contact.point.size()) : scenario.dimension();
      std::vector<Expr> gradient;
      for (int i = 0; i < size; ++i) gradient.push_back(expression::differentiate(g, {Symbol::Kind::coordinate, i}));
      gradients_.push_back(std::move(gradient));
    }
    for (const Start& start : scenario.start)
      past_rates_.push_back(expression::differentiate(start.past.tree, {Symbol::Kind::time, 0}));
    // without variation all members are the same
    if (scenario.vary.empty()) count_ = std::min(count_, sweep_points(scenario));
  }

  void run() {
    // the first members, or rows spread over the sweep
    const std::int64_t stride = scenario_.sweep.empty() ? 1 : scenario_.ensemble.members / count_;
    const auto points = sampling::make_points(scenario_);
    const auto first = sampling::draw(scenario_, *points, 0, stride == 1 ? count_ : 0);
    for (std::int64_t m = 0; m < count_; ++m) {
      member_.number = m * stride;
      std::vector<double> values;
      for (const auto& column : stride == 1 ? first : sampling::draw(scenario_, *points, member_.number, 1, 1))
        values.push_back(column[stride == 1 ? static_cast<std::size_t>(m) : 0]);
      member_.parameters = member_parameters(scenario_, values);
      try_numbers();
      try_past();
    }
    findings_.report(source_, count_, problems_);
  }

 private:
  std::vector<double> past_at(double t) const {
    std::vector<double> q;
    find_past(t, q);
    return q;
  }
  void find_past(double t, std::vector<double>& q) const {
    q.clear();
    for (const Start& s : scenario_.start)
      q.push_back(expression::evaluate<double>(s.past.tree, StartWorld{member_.parameters, StartWorld::none, t}));
  }

  // friction, restitution, delays; where they depend on the place, only if the start touches the wall
  void try_numbers() {
    const std::vector<double> q = past_at(0);
    longest_ = 0;
    for (const Bounded& number : numbers_) {
      if (!is_static(number.tree)) continue;
      if (number.contact != nullptr && !is_fixed(number.tree) &&
          !(expression::evaluate<double>(number.contact->g, StartWorld{member_.parameters, q, 0}) >= 0))
        continue;
      const double value = expression::evaluate<double>(number.tree, StartWorld{member_.parameters, q, 0});
      if (!number.allows(value))
        findings_.note(member_, *number.formula, number.span,
                       {number.name, number.status, !varies(scenario_, number.tree),
                        number.name + " is " + format_short(value) + (is_fixed(number.tree) ? "" : " at the start") +
                            "; allowed: " + number.range});
      else if (number.status == Status::bad_delay)
        longest_ = std::max(longest_, value);
    }
  }

  // finite back to the longest delay, and inside the admissible set
  void try_past() {
    constexpr int samples = 64;
    started_outside_.assign(scenario_.contacts.size(), false);
    std::vector<double> q;
    for (int k = 0; k <= samples; ++k) {
      const double t = k == 0 ? 0 : -longest_ * k / samples;
      if (k > 0 && longest_ == 0) break;
      find_past(t, q);
      bool finite = true;
      for (std::size_t i = 0; i < q.size(); ++i) {
        if (std::isfinite(q[i])) continue;
        finite = false;
        const Formula& past = scenario_.start[i].past;
        findings_.note(member_, past,
                       {"finite", Status::non_finite, !varies(scenario_, past.tree) && !lengths_vary(),
                        "the past of " + scenario_.names.coordinates[i] + " is not a number at t = " + format_short(t) +
                            "; it must be defined back to the longest delay, " + format_short(longest_)});
      }
      if (finite) try_inside(q, t);
    }
    try_velocity();
  }

  // the left velocity at 0: given, or the derivative of the past
  void try_velocity() {
    member_.q = past_at(0);
    member_.v.clear();
    for (std::size_t i = 0; i < scenario_.start.size(); ++i) {
      const Start& start = scenario_.start[i];
      const Formula& formula = start.velocity ? *start.velocity : start.past;
      // said already
      if (!std::isfinite(expression::evaluate<double>(start.past.tree, StartWorld{member_.parameters, {}, 0})))
        continue;
      const double v = expression::evaluate<double>(start.velocity ? formula.tree : past_rates_[i],
                                                    StartWorld{member_.parameters, {}, 0});
      member_.v.push_back(v);
      const std::string name = expression::velocity_of(scenario_.names.coordinates[i]);
      if (std::fabs(v) > largest_square_root && std::isfinite(v))
        findings_.note(member_, formula,
                       {"large", Status::ok, !varies(scenario_, formula.tree),
                        "the start velocity " + name + " is " + format_short(v) +
                            "; friction takes the square of speeds, which must stay below 1e150: choose other units"});
      if (std::isfinite(v)) continue;
      findings_.note(
          member_, formula,
          {"velocity", Status::non_finite, !varies(scenario_, formula.tree),
           "the start velocity " + name + " is " + format_short(v) +
               (start.velocity ? "" : ", the derivative of the past at t = 0; give " + name + " in [start]")});
    }
    const auto is_finite = [](double x) { return std::isfinite(x); };
    if (member_.v.size() == member_.q.size() && std::all_of(member_.q.begin(), member_.q.end(), is_finite) &&
        std::all_of(member_.v.begin(), member_.v.end(), is_finite))
      laws_.try_member(member_);
  }

  void try_inside(const std::vector<double>& q, double t) {
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
      const Contact& contact = scenario_.contacts[p];
      const StartWorld world{member_.parameters, q, t};
      const double g = expression::evaluate<double>(contact.g, world);
      if (t != 0 && !(g > 0)) continue;  // most places of most members
      const double steepness = steepness_of(p, world);
      if (t == 0 && std::isfinite(steepness) && steepness > 0 &&
          !(steepness > 1 / largest_square_root && steepness < largest_square_root))
        findings_.note(member_, contact.inside,
                       {"steepness", Status::ok, !start_varies(scenario_),
                        "the gradient of inside is " + format_short(steepness) +
                            " at the start; its square is taken, so it must lie between 1e-150 and 1e150: multiply " +
                            "both sides by a number"});
      const double outside = g / steepness;
      double size = 0;
      for (const double x : q) size = std::hypot(size, x);
      if (!(g > 0) || outside <= start_tolerance * (1 + size) || started_outside_[p]) continue;
      if (t == 0) started_outside_[p] = true;  // its past is then no news
      const double depth = g / scale_of(scenario_, contact, steepness);
      if (t == 0 && scenario_.settle && is_within_settling(depth, size)) continue;
      const bool certain = !varies(scenario_, contact.g);
      if (t == 0)
        findings_.note(member_, contact.inside,
                       {"start", Status::start_outside, certain,
                        "the start lies outside '" + contact.name + "' by " + format_short(depth) +
                            describe_allowed(scenario_, depth, size, 'q')});
      else
        findings_.note(member_, contact.inside,
                       {"past", Status::ok, certain && !lengths_vary(),
                        "the past leaves '" + contact.name + "' at t = " + format_short(t) + " by " +
                            format_short(depth) + "; the theory wants it inside (delays still see it)"});
    }
  }

  double steepness_of(std::size_t contact, const StartWorld& world) const {
    std::vector<double> place;
    for (const Formula& entry : scenario_.contacts[contact].point)
      place.push_back(expression::evaluate<double>(entry.tree, world));
    const StartWorld there{world.parameters, place.empty() ? world.coordinates : place, world.t};
    double steepness = 0;
    for (const Expr& partial : gradients_[contact])
      steepness = std::hypot(steepness, expression::evaluate<double>(partial, there));
    return steepness;
  }

  bool lengths_vary() const {
    return std::any_of(numbers_.begin(), numbers_.end(),
                       [&](const Bounded& n) { return n.status == Status::bad_delay && varies(scenario_, n.tree); });
  }

  const Scenario& scenario_;
  const Source& source_;
  std::int64_t count_;
  Faults& problems_;
  std::vector<Bounded> numbers_;
  std::vector<std::vector<Expr>> gradients_;  // [contact][coordinate, or direction of the point's space]
  std::vector<Expr> past_rates_;              // derivatives of the past, [coordinate]
  TriedMember member_;
  double longest_ = 0;                 // delay or window of this member
  std::vector<bool> started_outside_;  // [contact], of this member
  Findings findings_;
  LawTrial laws_;
};

}  // namespace

void try_members(const Scenario& scenario, const Source& source, std::int64_t count, Faults& problems) {
  MemberTrial(scenario, source, count, problems).run();
}

}  // namespace conesweep::scenario
