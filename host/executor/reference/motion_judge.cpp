#include "executor/reference/motion_judge.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "executor/reference/disturbance.hpp"
#include "executor/reference/stop.hpp"

namespace conesweep::executor::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double place_roundings = 4;  // of a node: where a move from it may end
// in the last place of places and times, over h: how well the velocity of a wall is known (P13)
constexpr double quotient_units = 2;

/// What the reference makes of a step, from the node or one near it.
struct Attempt {
  Status stopped = Status::ok;
  NodeRecord node;
  Standing after;
  std::optional<StepJudgement> together;
  double apart = infinity;  // its velocity from the one that is claimed

  /// From a velocity that obeys the laws.
  double distance() const {
    if (!together || together->verdict == Judged::not_persistent) return apart;
    return std::min(apart, together->residual * together->speed);
  }
};

class MotionJudge {
 public:
  MotionJudge(const scenario::Scenario& scenario, SteppedMember& member, const GivenMotion& motion,
              const Judging& judging)
      : scenario_(scenario),
        member_(member),
        motion_(motion),
        judging_(judging),
        exactness_(judging.exactness),
        may_be_joint_(is_coupled(scenario) || scenario.contacts.size() > 1),
        shown_signs_(judging.disturbed) {}

  MotionJudgement judge() {
    member_.begin();
    node_ = member_.standing();
    if (!motion_.q.empty()) judge_start();
    const auto nodes = static_cast<std::int64_t>(motion_.q.size()),
               steps = motion_.status == Status::ok ? nodes - 1 : nodes;
    for (std::int64_t i = 0; found_.wrong < 0; ++i) {
      t_ = scenario_.time(i);
      take_parts(i);
      if (i >= steps) {
        judge_end(i);
        break;
      }
      judge_step(i);
    }
    return found_;
  }

 private:
  double largest_rounding() const { return exactness_.rounding * (1 + node_.q.norm()); }

  void refuse(std::int64_t i, Judged why, double residual = 0, Status stopped = Status::ok) {
    found_.wrong = i;
    found_.why_wrong = why;
    found_.residual = residual;
    found_.stopped = stopped;
  }

  void judge_start() {
    const double apart = largest_of({motion_.q[0] - coupled::Vector(node_.q)});
    if (!(apart <= place_roundings * largest_rounding())) refuse(0, Judged::wrong_place, apart);
    node_.q = motion_.q[0];
  }

  // ---- where a motion ends ----

  void judge_end(std::int64_t i) {
    if (motion_.status != Status::ok) {
      if (!stops_at(i)) refuse(i, Judged::wrong_end);
      return;
    }
    if (i < scenario_.steps && !is_from_near([&] { return member_.is_over(i); })) return refuse(i, Judged::wrong_end);
    member_.stand(node_);
    if (judging_.visit) member_.show_last(i, last_mode_, judging_.visit);
  }

  bool stops_at(std::int64_t i) {
    if (!node_.q.allFinite()) return motion_.status == Status::non_finite;
    return is_from_near([&] {
      try {
        member_.take_step(i);
        member_.move_to_end();
        return motion_.status == Status::non_finite && !member_.standing().q.allFinite();
      } catch (const Stop& early) {
        return early.status == motion_.status;
      }
    });
  }

  // Does it hold at the node, or at one as near as rounding?
  template <class Condition>
  bool is_from_near(const Condition& condition) {
    member_.stand(node_);
    if (condition()) return true;
    for (const Disturbance& by : disturbances())
      if (from(by, condition)) return true;
    return false;
  }

  // ---- steps ----

  void judge_step(std::int64_t i) {
    const Vector claimed = motion_.v[static_cast<std::size_t>(i)];
    if (!claimed.allFinite()) return refuse(i, Judged::wrong_end);
    if (scenario_.stop && !is_from_near([&] { return !member_.is_over(i); })) return refuse(i, Judged::wrong_end);

    member_.stand(node_);
    Attempt here = attempt(i, claimed);
    speed_ = std::max({speed_, largest_of({claimed, node_.v})});
    if (here.stopped == Status::ok) speed_ = std::max(speed_, largest_of({here.node.w}));
    const double allowed = exactness_.residual * speed_;
    if (here.distance() <= allowed && has_mode(i, here, allowed)) return accept(i, claimed, here, 0);
    judge_from_near(i, claimed, here);
  }

  // (J3)
  void judge_from_near(std::int64_t i, const Vector& claimed, Attempt& here) {
    std::vector<Attempt> near;
    for (const Disturbance& by : disturbances()) near.push_back(from(by, [&] { return attempt(i, claimed); }));
    const double multiplied = find_multiplied(here, near) + rounding_of_walls();
    const double allowed = exactness_.residual * speed_ + multiplied;

    near.insert(near.begin(), here);
    const Attempt* best = &near.front();
    for (Attempt& some : near) {
      if (some.distance() < best->distance()) best = &some;
      if (some.distance() <= allowed && has_mode(i, some, allowed)) return accept(i, claimed, some, multiplied);
    }
    const double residual = best->distance() / speed_;
    if (best->distance() <= allowed) return refuse(i, Judged::wrong_mode, residual);
    const Judged why = why_unknown(i, here);
    if (is_unknown(why)) return leave_out(i, claimed, here, why);
    refuse(i, Judged::wrong, std::isfinite(residual) ? residual : 0, best->stopped);
  }

  // From where the member stands.
  Attempt attempt(std::int64_t i, const Vector& claimed) {
    Attempt made;
    const Standing begin = member_.standing();
    try {
      made.node = member_.take_step(i);
      made.after = member_.standing();
      made.apart = largest_of({coupled::Vector(claimed - made.node.v)});
    } catch (const Stop& early) {
      made.stopped = early.status;
    }
    if (!may_be_joint_) return made;
    if (!parts_.empty() && parts_.size() > 1) return with_parts(i, begin, made);
    if (member_.is_split(i) || (made.stopped == Status::ok && !is_whole(i, made))) return made;
    member_.stand(begin);
    try {
      made.together = member_.judge_together(i, claimed, exactness_.residual);
      if (made.together && made.stopped != Status::ok) made.after = member_.standing();
    } catch (const Stop&) {
    }
    return made;
  }

  // Where its parts are told they are judged one by one, and lead to where the last one begins.
  Attempt with_parts(std::int64_t i, const Standing& begin, Attempt made) {
    member_.stand(begin);
    try {
      made.together = member_.judge_parts(i, parts_, exactness_.residual);
      Standing after = member_.standing();
      if (made.stopped == Status::ok) after.laws = made.after.laws, after.flags = made.after.flags;
      made.after = after;
    } catch (const Stop&) {
    }
    return made;
  }

  // Those of step i: its pieces, each with the arrivals that follow it.
  void take_parts(std::int64_t i) {
    parts_.clear();
    if (motion_.parts.empty()) return;
    const auto is_arrival = [&](std::size_t k) { return k < motion_.parts.size() && motion_.parts[k].arrival; };
    for (std::size_t n = 0; n < member_.count_pieces(i) && next_part_ < motion_.parts.size(); ++n) do
        parts_.push_back(motion_.parts[next_part_++]);
      while (is_arrival(next_part_));
  }

  // Was it one stretch, from node to node?
  bool is_whole(std::int64_t i, const Attempt& made) const {
    return !member_.is_split(i) && made.after.last_piece.k == static_cast<double>(i);
  }

  // (P13) the velocity of a wall that moves is a difference of places over h
  double rounding_of_walls() const {
    const bool moves = std::any_of(scenario_.contacts.begin(), scenario_.contacts.end(),
                                   [](const scenario::Contact& contact) { return contact.moves(); });
    return moves ? quotient_units * exactness_.unit * (1 + node_.q.norm() + speed_ * t_) / scenario_.h() : 0;
  }

  /// How far rounding of the node carries the step, by differences up and down: where it is smooth. A jump, to the
  /// other side of a wall or to another solution, is none of it.
  static double find_multiplied(const Attempt& here, const std::vector<Attempt>& near) {
    if (here.stopped != Status::ok) return 0;
    double all = 0;
    for (std::size_t k = 0; k + 1 < near.size() - mixed_disturbances; k += 2) {
      if (near[k].stopped != Status::ok || near[k + 1].stopped != Status::ok) continue;
      const coupled::Vector up = near[k].node.v - here.node.v, down = near[k + 1].node.v - here.node.v;
      const double each = std::min(largest_of({up}), largest_of({down}));
      if (largest_of({up + down}) <= each) all += each;
    }
    return all;
  }

  // Others may be right, where laws meet; of one contact alone nothing else is.
  Judged why_unknown(std::int64_t i, const Attempt& here) const {
    if (here.together) return here.together->verdict;
    if (may_be_joint_ && member_.is_split(i)) return Judged::not_percussions;
    if (may_be_joint_ && here.stopped == Status::ok && !is_whole(i, here)) return Judged::not_arrivals;
    return Judged::wrong;
  }

  /// May the laws share impulses between blocks in several ways? Which contacts push, and with it the mode, is then
  /// open.
  static bool has_several(const Attempt& some) {
    return (some.together && some.together->several) ||
           (some.after.flags & static_cast<std::uint8_t>(state::Flag::hyperstatic)) != 0;
  }

  /// Is the step's mode the one that is told? A contact that pushes, or slides, by no more than is allowed is a tie,
  /// and so are impulses that are open: then the record is made what is told.
  bool has_mode(std::int64_t i, Attempt& some, double allowed) {
    NodeRecord& node = some.node;
    const auto at = static_cast<std::size_t>(i);
    if (at >= motion_.mode.size() || motion_.mode[at] == node.mode) return true;
    const Mode told = motion_.mode[at];
    bool tie = false;
    if (has_several(some))
      tie = true;
    else if (told == Mode::flight)
      tie = std::all_of(node.contacts.begin(), node.contacts.end(),
                        [&](const ContactRecord& contact) { return contact.pressed <= allowed; });
    else if (node.mode == Mode::slip)
      tie =
          !node.contacts.empty() && std::all_of(node.contacts.begin(), node.contacts.end(),
                                                [&](const ContactRecord& contact) { return contact.slip <= allowed; });
    else
      tie = node.mode == Mode::stick;  // it slips by no more than its velocity is off
    if (!tie || (told == Mode::flight && node.contacts.empty())) return false;
    if (told == Mode::flight) node.contacts.clear();
    node.mode = told;
    ++found_.ties;
    return true;
  }

  void accept(std::int64_t i, const Vector& claimed, const Attempt& some, double multiplied) {
    found_.residual = std::max(found_.residual, std::max(0.0, some.distance() - multiplied) /
                                                    std::max(speed_, std::numeric_limits<double>::min()));
    if (has_several(some) && found_.several++ == 0) found_.first_several = i;
    const double allowed = exactness_.residual * speed_ + multiplied;
    for (const ContactRecord& contact : some.node.contacts)
      if (contact.pressed <= allowed) ++found_.ties;
    member_.stand(some.after);
    show(i, claimed, some.node);
    go_on(i, claimed, some.after, is_whole(i, some), allowed);
  }

  // Nothing is known of the step; the next one begins where the motion says.
  void leave_out(std::int64_t i, const Vector& claimed, const Attempt& here, Judged why) {
    if (found_.not_judged++ == 0) found_.first_unjudged = i, found_.why_unjudged = why;
    const bool whole = here.together.has_value() && why != Judged::not_persistent;
    go_on(i, claimed, here.after, whole, whole ? exactness_.residual * speed_ : infinity);
  }

  // (P5), (B5) to the next node
  void go_on(std::int64_t i, const Vector& claimed, Standing end, bool whole, double allowed) {
    if (whole) end.q = node_.q, end.v = claimed;
    member_.stand(end);
    member_.move_to_end();
    const auto next = static_cast<std::size_t>(i + 1);
    const Vector place = member_.standing().q;
    const Vector given = next < motion_.q.size() ? Vector(motion_.q[next]) : place;
    const double apart = largest_of({coupled::Vector(given - place)});
    if (!(apart <= scenario_.h() * allowed + place_roundings * largest_rounding()) && next < motion_.q.size())
      return refuse(i, Judged::wrong_place, apart);
    node_ = end;
    node_.q = given, node_.v = claimed, node_.flags = 0;
    member_.add_node(given, claimed);
  }

  void show(std::int64_t i, const Vector& claimed, NodeRecord node) {
    last_mode_ = node.mode;
    if (!judging_.visit) return;
    node.i = i;
    node.t = t_;
    node.q = node_.q, node.v_before = node_.v, node.v = claimed;
    if (judging_.disturbed != 0) {
      const Disturbance by = disturb_all(node_.q.size(), roundings(), shown_signs_);
      node.q += by.q, node.v += by.v;
      member_.present().disturb(by.t, by.past);
    }
    member_.show(node, judging_.visit);
    member_.present().disturb(0, {});
  }

  // ---- nodes as near as rounding ----

  Roundings roundings() const {
    return {largest_rounding(), exactness_.rounding * speed_, exactness_.rounding * (1 + t_)};
  }

  std::vector<Disturbance> disturbances() const { return find_disturbances(node_.q.size(), roundings()); }

  template <class What>
  std::invoke_result_t<const What&> from(const Disturbance& by, const What& what) {
    Standing near = node_;
    near.q += by.q, near.v += by.v;
    member_.stand(near);
    member_.present().disturb(by.t, by.past);
    const auto result = what();
    member_.present().disturb(0, {});
    return result;
  }

  const scenario::Scenario& scenario_;
  SteppedMember& member_;
  const GivenMotion& motion_;
  const Judging& judging_;
  const Exactness exactness_;
  const bool may_be_joint_;
  MotionJudgement found_;
  Standing node_;     // where the step begins
  double t_ = 0;      // when
  double speed_ = 0;  // the largest velocity so far
  Mode last_mode_ = Mode::flight;
  Signs shown_signs_;
  std::vector<StepPart> parts_;  // of the step, where they are told
  std::size_t next_part_ = 0;    // of the motion's
};

}  // namespace

MotionJudgement judge_steps(const scenario::Scenario& scenario, SteppedMember& member, const GivenMotion& motion,
                            const Judging& judging) {
  return MotionJudge(scenario, member, motion, judging).judge();
}

MotionJudgement judge_no_start(const GivenMotion& motion, Status status) {
  MotionJudgement found;
  if (motion.q.empty() && motion.status == status) return found;
  found.wrong = 0;
  found.stopped = status;
  return found;
}

}  // namespace conesweep::executor::reference
