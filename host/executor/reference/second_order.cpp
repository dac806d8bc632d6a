#include "executor/reference/second_order.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "executor/reference/closed_piece.hpp"
#include "executor/reference/disturbance.hpp"
#include "executor/reference/settle.hpp"
#include "executor/reference/start_checks.hpp"
#include "executor/reference/stop.hpp"

namespace conesweep::executor::reference {
namespace {

class SecondMember {
 public:
  SecondMember(const scenario::Scenario& scenario, const std::vector<double>& parameters, const std::atomic<bool>* stop)
      : scenario_(scenario),
        parameters_(parameters),
        motion_(scenario, parameters),
        present_(scenario, parameters, motion_, stop) {}

  MemberEnd run(const NodeVisitor& visit) {
    try {
      begin();
      go(visit);
      return {Status::ok, 0, flags_, 0};
    } catch (const Stop& early) {
      return {early.status, time_, flags_, early.residual};
    }
  }

  // ---- step by step, for a judge ----

  const Vector& q() const { return q_; }
  const Vector& v() const { return v_; }
  void stand(const Vector& q, const Vector& v) { q_ = q, v_ = v; }
  void disturb(double t, const Vector& past) { present_.disturb(t, past); }
  void add_node(const Vector& q, const Vector& v) {
    stand(q, v);
    present_.add_node(q, v);
  }
  // (O10) does the member end at node i?
  bool is_over(std::int64_t i) {
    time_ = scenario_.time(i);
    motion_.begin_piece(static_cast<double>(i), 1, q_, v_);
    present_.look_from(static_cast<double>(i), q_, v_);
    return scenario_.stop && present_.holds(scenario_.stop->tree);
  }

  void begin() {
    Vector q = motion_.past_position(0), v = motion_.past_velocity(0);
    if (!q.allFinite() || !v.allFinite()) throw Stop{Status::non_finite};
    if (scenario_.settle) settle_start(scenario_, parameters_, q, v);
    present_.add_node(q, v);
    motion_.begin_piece(0, 1, q, v);
    present_.look_from(0, q, v);
    require_good_start(scenario_, present_, {parameters_, q, 0}, v);
    q_ = q, v_ = v;
  }

  void go(const NodeVisitor& visit) {
    Mode mode = Mode::flight;
    std::int64_t i = 0;
    for (; i < scenario_.steps; ++i) {
      if (is_over(i)) break;
      present_.require_going_on();
      mode = step(i, visit);
      present_.add_node(q_, v_);
      present_.look_from(static_cast<double>(i + 1), time_, q_, v_);
    }
    show_last(i, mode, visit);
  }

  void show_last(std::int64_t i, Mode mode, const NodeVisitor& visit) {
    NodeRecord last = node_at(i, scenario_.time(i), q_, v_);
    last.mode = mode;
    last.last = true;
    last.penetration = penetration(last);
    visit(last, present_);
  }

  // From node i to the next one; shows node i and what lies between.
  Mode step(std::int64_t i, const NodeVisitor& visit) {
    NodeRecord node = node_at(i, time_, q_, v_);
    node.penetration = penetration(node);
    StepOnTheWay way(scenario_, parameters_, present_, motion_, i);
    way.q = q_, way.v = v_;
    walk_step(way);
    if (!way.q.allFinite() || !way.v.allFinite()) throw Stop{Status::non_finite};
    if (way.crowded) flags_ |= static_cast<std::uint8_t>(state::Flag::crowded);
    if (way.hyperstatic) flags_ |= static_cast<std::uint8_t>(state::Flag::hyperstatic);
    way.tell(node);
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p)
      present_.laws.normal[p] = way.impulse_of(p) / scenario_.h();

    motion_.begin_piece(static_cast<double>(i), 1, q_, v_);
    look(static_cast<double>(i), time_, q_, v_);
    present_.set_slips(LawsAtPlace(scenario_, {parameters_, q_, time_}, {time_, scenario_.time(i + 1), scenario_.h()}),
                       v_);
    if (visit) visit(node, present_);
    for (const PieceEnd& met : way.met) {
      NodeRecord between = node_at(i, met.t, met.q, met.before);
      between.between = true;
      between.mode = node.mode;
      for (const Vector& v : {met.before, met.after}) {
        between.v_before = between.w = between.v = v;
        look(way.steps_at(met.t), met.t, met.q, v);
        if (visit) visit(between, present_);
      }
    }
    q_ = way.q, v_ = way.v;
    time_ = scenario_.time(i + 1);
    return node.mode;
  }

 private:
  void look(double k, double t, const Vector& q, const Vector& v) { present_.look_from(k, t, q, v); }

  static NodeRecord node_at(std::int64_t i, double t, const Vector& q, const Vector& v) {
    NodeRecord node;
    node.i = i;
    node.t = t;
    node.q = q;
    node.v_before = node.w = node.v = v;
    return node;
  }

  // (O7) the deepest
  double penetration(const NodeRecord& node) const {
    const LawsAtPlace laws(scenario_, {parameters_, node.q, node.t}, {node.t, node.t, 0});
    double deepest = 0;
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) deepest = std::max(deepest, laws.penetration(p));
    return deepest;
  }

  const scenario::Scenario& scenario_;
  const std::vector<double>& parameters_;
  Parabolas motion_;
  Present present_;
  Vector q_, v_;     // at node i
  double time_ = 0;  // of it
  std::uint8_t flags_ = 0;
};

// As MotionJudge, of steps that are one piece or several.
class SecondOrderJudge {
 public:
  SecondOrderJudge(const scenario::Scenario& scenario, SecondMember& member, const GivenMotion& motion,
                   const Judging& judging)
      : scenario_(scenario), member_(member), motion_(motion), judging_(judging) {}

  MotionJudgement judge() {
    member_.begin();
    const auto nodes = static_cast<std::int64_t>(motion_.q.size());
    if (nodes > 0 && !(largest_of({motion_.q[0] - coupled::Vector(member_.q())}) <= 64 * rounding(member_.q()))) {
      found_.wrong = 0;
      found_.why_wrong = Judged::wrong_place;
      return found_;
    }
    const std::int64_t steps = motion_.status == Status::ok ? nodes - 1 : nodes;
    std::int64_t i = 0;
    for (; i < steps && found_.wrong < 0; ++i) {
      q_ = motion_.q[static_cast<std::size_t>(i)], v_ = motion_.v[static_cast<std::size_t>(i)];
      if (i > 0) member_.add_node(q_, v_);
      speed_ = std::max(speed_, largest_of({v_}));
      // of one that stops the last step leads nowhere
      if (i + 1 < nodes) judge_step(i);
    }
    if (found_.wrong < 0) judge_end(std::max<std::int64_t>(i - (motion_.status == Status::ok ? 0 : 1), 0));
    return found_;
  }

 private:
  double rounding(const Vector& q) const { return judging_.exactness.rounding * (1 + q.norm()); }

  // what holds from the node, or from one as near as rounding
  template <class Condition>
  bool is_from_near(const Condition& condition) {
    member_.stand(q_, v_);
    if (condition()) return true;
    const double unit = judging_.exactness.rounding;
    for (const Disturbance& by :
         find_disturbances(q_.size(), {rounding(q_), unit * (1 + speed_), unit * (1 + scenario_.end)})) {
      member_.stand(q_ + by.q, v_ + by.v);
      member_.disturb(by.t, by.past);
      const bool holds = condition();
      member_.disturb(0, {});
      if (holds) return true;
    }
    return false;
  }

  // a step may multiply rounding, at an arrival that grazes most of all
  bool leads_on(std::int64_t i) {
    const auto next = static_cast<std::size_t>(i + 1);
    if (member_.is_over(i)) return false;
    try {
      mode_ = member_.step(i, {});
    } catch (const Stop& early) {
      found_.stopped = early.status;
      return false;
    }
    const double size = std::max(speed_, largest_of({member_.v()})),
                 apart = std::max(difference(motion_.v[next], member_.v(), size),
                                  difference(motion_.q[next], member_.q(), 1 + largest_of({member_.q()})));
    found_.residual = apart;
    return apart <= judging_.exactness.residual;
  }

  void judge_step(std::int64_t i) {
    if (!motion_.v[static_cast<std::size_t>(i + 1)].allFinite() || !is_from_near([&] { return leads_on(i); })) {
      found_.wrong = i;
      found_.why_wrong = Judged::wrong;
      return;
    }
    if (!judging_.visit) return;
    Vector q = q_, v = v_;
    if (judging_.disturbed != 0) {
      const double unit = judging_.exactness.rounding;
      const Disturbance by = disturb_all(q_.size(), {rounding(q_), unit * speed_, unit}, signs_);
      q += by.q, v += by.v;
    }
    member_.stand(q, v);
    try {
      member_.is_over(i);
      member_.step(i, judging_.visit);
    } catch (const Stop&) {
    }
  }

  void judge_end(std::int64_t i) {
    const auto last = static_cast<std::size_t>(i);
    if (motion_.status == Status::ok) {
      q_ = motion_.q[last], v_ = motion_.v[last];
      member_.add_node(q_, v_);
    }
    const bool right = motion_.status == Status::ok ? i == scenario_.steps || is_from_near([&] { return end_at(i); })
                                                    : is_from_near([&] { return stops_at(i); });
    if (!right) {
      found_.wrong = i;
      found_.why_wrong = Judged::wrong_end;
    } else if (motion_.status == Status::ok && judging_.visit) {
      member_.stand(q_, v_);
      member_.is_over(i);
      member_.show_last(i, mode_, judging_.visit);
    }
  }
  bool end_at(std::int64_t i) { return member_.is_over(i); }
  bool stops_at(std::int64_t i) {
    try {
      member_.step(i, {});
      return motion_.status == Status::non_finite && !member_.q().allFinite();
    } catch (const Stop& early) {
      return early.status == motion_.status;
    }
  }

  const scenario::Scenario& scenario_;
  SecondMember& member_;
  const GivenMotion& motion_;
  const Judging& judging_;
  MotionJudgement found_;
  Vector q_, v_;      // the node where the step begins
  double speed_ = 0;  // the largest so far
  Mode mode_ = Mode::flight;
  Signs signs_{judging_.disturbed == 0 ? 1 : judging_.disturbed};
};

}  // namespace

MotionJudgement judge_second_order(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                                   const GivenMotion& motion, const Judging& judging, const std::atomic<bool>* stop) {
  SecondMember member(scenario, parameters, stop);
  return SecondOrderJudge(scenario, member, motion, judging).judge();
}

MemberEnd run_second_order(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                           const NodeVisitor& visit, const std::atomic<bool>* stop) {
  return SecondMember(scenario, parameters, stop).run(visit);
}

}  // namespace conesweep::executor::reference
