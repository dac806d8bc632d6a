#include "executor/reference/second_order.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "executor/reference/closed_piece.hpp"
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

 private:
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
      time_ = scenario_.time(i);
      motion_.begin_piece(static_cast<double>(i), 1, q_, v_);
      present_.look_from(static_cast<double>(i), q_, v_);
      if (scenario_.stop && present_.holds(scenario_.stop->tree)) break;
      present_.require_going_on();
      mode = step(i, visit);
    }
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
    visit(node, present_);
    for (const PieceEnd& met : way.met) {
      NodeRecord between = node_at(i, met.t, met.q, met.before);
      between.between = true;
      between.mode = node.mode;
      for (const Vector& v : {met.before, met.after}) {
        between.v_before = between.w = between.v = v;
        look(way.steps_at(met.t), met.t, met.q, v);
        visit(between, present_);
      }
    }
    q_ = way.q, v_ = way.v;
    time_ = scenario_.time(i + 1);
    present_.add_node(q_, v_);
    look(static_cast<double>(i + 1), time_, q_, v_);
    return node.mode;
  }

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

}  // namespace

MemberEnd run_second_order(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                           const NodeVisitor& visit, const std::atomic<bool>* stop) {
  return SecondMember(scenario, parameters, stop).run(visit);
}

}  // namespace conesweep::executor::reference
