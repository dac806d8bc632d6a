#include "executor/reference/member.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "executor/reference/arrivals.hpp"
#include "executor/reference/coupled_stretch.hpp"
#include "executor/reference/drift.hpp"
#include "executor/reference/motion_judge.hpp"
#include "executor/reference/second_order.hpp"
#include "executor/reference/settle.hpp"
#include "executor/reference/start_checks.hpp"
#include "executor/reference/step_account.hpp"
#include "executor/reference/stop.hpp"
#include "executor/reference/touching.hpp"
#include "scenario/limits.hpp"

namespace conesweep::executor::reference {
namespace {

class Member final : public SteppedMember {
 public:
  Member(const scenario::Scenario& scenario, const std::vector<double>& parameters, const std::atomic<bool>* stop)
      : scenario_(scenario),
        parameters_(parameters),
        h_(scenario.h()),
        coupled_(is_coupled(scenario)),
        located_(scenario.impacts == scenario::Impacts::located),
        no_size_(scenario.resistances.size(), 0),
        motion_(scenario, parameters),
        present_(scenario, parameters, motion_, stop),
        active_before_(scenario.contacts.size(), false),
        touching_(scenario, parameters) {}

  MemberEnd run(const NodeVisitor& visit) {
    try {
      go(visit);
      return {Status::ok, 0, flags_, 0};
    } catch (const Stop& early) {
      return {early.status, time_, flags_, early.residual};
    }
  }

  // ---- step by step ----

  // node 0
  void begin() override {
    q_ = present_.motion().past_position(0);
    v_ = present_.motion().past_velocity(0);
    require_finite(q_), require_finite(v_);
    if (scenario_.settle) settle_start(scenario_, parameters_, q_, v_);
    present_.add_node(q_, v_);
    present_.look_from(0, q_, v_);
    require_good_start(scenario_, present_, {parameters_, q_, 0}, v_);
    percussions_.emplace(scenario_, parameters_);
  }

  // (O10) does the member end at node i?
  bool is_over(std::int64_t i) override {
    if (!scenario_.stop) return false;
    present_.look_from(static_cast<double>(i), q_, v_);
    return present_.holds(scenario_.stop->tree);
  }

  void move_to_end() override {
    if (!last_piece_.stretch.is_atom()) move(last_piece_.stretch);
  }

  void show(const NodeRecord& node, const NodeVisitor& visit) override {
    const double later = scenario_.time(node.i + 1);
    present_.look_from(static_cast<double>(node.i), node.q, node.v_before);
    present_.set_velocity(node.v);
    present_.set_slips(LawsAtPlace(scenario_, {parameters_, node.q, node.t}, {node.t, later, h_}), node.v);
    visit(node, present_);
    active_before_.assign(scenario_.contacts.size(), false);
    for (const ContactRecord& contact : node.contacts) active_before_[static_cast<std::size_t>(contact.contact)] = true;
  }

  // node N, with v_N := v_{N-1}; normal(…) and slip(…) stay those of step N - 1
  void show_last(std::int64_t i, Mode mode, const NodeVisitor& visit) override {
    time_ = scenario_.time(i);
    NodeRecord end;
    end.i = i;
    end.t = time_;
    end.q = q_;
    end.v_before = end.w = end.v = v_;
    end.mode = mode;
    end.penetration = penetration();
    end.last = true;
    present_.look_from(static_cast<double>(end.i), q_, v_);
    visit(end, present_);
  }

  Standing standing() const override { return {q_, v_, mass_, last_piece_, touching_.lost, present_.laws, flags_}; }
  void stand(const Standing& where) override {
    q_ = where.q, v_ = where.v, mass_ = where.mass, last_piece_ = where.last_piece, touching_.lost = where.lost;
    present_.laws = where.laws, flags_ = where.flags;
  }
  Present& present() override { return present_; }
  void add_node(const Vector& q, const Vector& v_before) override {
    q_ = q, v_ = v_before;
    present_.add_node(q, v_before);
  }

  NodeRecord take_step(std::int64_t i) override {
    present_.require_going_on();
    time_ = scenario_.time(i);
    NodeRecord node;
    node.i = i;
    node.t = time_;
    node.q = q_;
    node.v_before = v_;
    step(node);
    return node;
  }

  std::size_t count_pieces(std::int64_t i) const override { return percussions_->pieces(i).size(); }

  std::optional<StepJudgement> judge_together(std::int64_t i, const Vector& v, double accepted) override {
    last_piece_ = percussions_->pieces(i).front();
    present_.look_from(last_piece_.k, q_, v_);
    const Vector before = v_, f = present_.force();
    Beginning beginning{last_piece_.stretch, q_, before, f, touching_.find(q_, last_piece_)};
    if (!is_joint(beginning)) return std::nullopt;
    const StepJudgement judgement = judge_solved_together(beginning, v, accepted);
    mass_ = judgement.mass;
    touching_.lose(judgement.lost, time_);
    v_ = v;
    return judgement;
  }

  StepJudgement judge_parts(std::int64_t i, const std::vector<StepPart>& parts, double accepted) override {
    StepJudgement all;
    std::size_t next = 0;
    const std::vector<StepPiece> pieces = percussions_->pieces(i);
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      last_piece_ = pieces[n];
      present_.look_from(last_piece_.k, q_, v_);
      const Vector before = v_, f = last_piece_.atom != nullptr ? Vector(Vector::Zero(q_.size())) : present_.force();
      Beginning beginning{last_piece_.stretch,
                          q_,
                          before,
                          f,
                          touching_.find(q_, last_piece_),
                          last_piece_.atom != nullptr ? &last_piece_.atom->size : nullptr};
      judge_part(beginning, parts[next++].v, accepted, all);
      const Vector start = beginning.q;
      const Beginning begun{beginning.stretch, start, before, f, beginning.touching};
      Vector push;
      for (; next < parts.size() && parts[next].arrival; ++next) {
        const auto meeting = find_arrival(last_piece_);
        if (!meeting) return lead_nowhere(all);
        if (push.size() == 0) push = find_push(begun, before);
        const Vector no_force = Vector::Zero(q_.size());
        go_to(*meeting);
        const StepPiece here{last_piece_.k, {last_piece_.stretch.begin, last_piece_.stretch.begin, 0}, nullptr};
        const Vector arriving = v_;
        Beginning arrival{here.stretch, q_, arriving, no_force, touching_.find(q_, here, meeting->contact), &no_size_};
        arrival.push = &push;
        judge_part(arrival, parts[next].v, accepted, all);
      }
      if (n + 1 < pieces.size() && !last_piece_.stretch.is_atom()) move(last_piece_.stretch), require_finite(q_);
    }
    return all;
  }

 private:
  // One part, of which `all` keeps the worst; the member goes on with v.
  void judge_part(Beginning& beginning, const Vector& v, double accepted, StepJudgement& all) {
    StepJudgement one;
    if (is_joint(beginning)) {
      one = judge_solved_together(beginning, v, accepted);
      mass_ = one.mass;
      touching_.lose(one.lost, beginning.stretch.begin);
    } else {
      const Solved solved = solve(beginning);
      one.speed = largest_of({v, solved.v, solved.w, beginning.v});
      one.residual = difference(v, solved.v, one.speed);
      one.verdict = one.residual <= accepted ? Judged::right : Judged::wrong;
    }
    v_ = v;
    all.several = all.several || one.several;
    if (one.verdict != Judged::right && all.verdict == Judged::right) all.verdict = one.verdict;
    if (one.residual * one.speed >= all.residual * all.speed) all.residual = one.residual, all.speed = one.speed;
  }

  StepJudgement judge_solved_together(Beginning beginning, const Vector& v, double accepted) {
    find_meeting(beginning);
    return judge_stretch(scenario_, parameters_, present_, beginning, {v, accepted});
  }

  // An arrival that there is not.
  static StepJudgement lead_nowhere(StepJudgement all) {
    all.verdict = Judged::wrong;
    all.residual = std::numeric_limits<double>::infinity(), all.speed = 1;
    return all;
  }

  void go(const NodeVisitor& visit) {
    begin();
    Mode mode = Mode::flight;
    std::int64_t i = 0;
    for (; i < scenario_.steps && !is_over(i); ++i) {
      const NodeRecord node = take_step(i);
      show(node, visit);
      mode = node.mode;

      // (P5), (B5) the way to the next node ends there
      time_ = scenario_.time(i + 1);
      move_to_end();
      require_finite(q_);
      present_.add_node(q_, v_);
    }
    show_last(i, mode, visit);
  }

  // ---- the scheme ----

  // From q_i, v_{i-1} to v_i; q_ stays where the last piece of the step begins.
  void step(NodeRecord& node) {
    node.penetration = penetration();
    StepAccount account(scenario_, active_before_, v_);
    const std::vector<StepPiece> pieces = percussions_->pieces(node.i);
    for (std::size_t n = 0; n < pieces.size(); ++n) {
      const StepPiece& piece = pieces[n];
      present_.look_from(piece.k, q_, v_);
      const Vector f = piece.atom != nullptr ? Vector(Vector::Zero(q_.size())) : present_.force();
      if (piece.atom == nullptr && node.f.size() == 0) node.f = f;
      Beginning beginning{
          piece.stretch, q_, v_, f, touching_.find(q_, piece), piece.atom != nullptr ? &piece.atom->size : nullptr};
      const Solved solved = solve(beginning);
      require_finite(solved.v);
      touching_.lose(solved.lost, piece.stretch.begin);
      account.add(solved);
      const Vector before = v_;
      v_ = solved.v;
      mass_ = solved.mass;
      last_piece_ = piece;
      if (located_ && !piece.stretch.is_atom()) meet_walls(beginning, before, account);
      if (n + 1 < pieces.size() && !piece.stretch.is_atom()) move(last_piece_.stretch), require_finite(q_);
    }
    account.tell(node);
    node.lost = touching_.lost;
    if (account.hyperstatic()) flags_ |= static_cast<std::uint8_t>(state::Flag::hyperstatic);
    for (std::size_t law = 0; law < present_.laws.normal.size(); ++law)
      present_.laws.normal[law] = account.normal_impulse()[law] / h_;
  }

  // (I1) … (I4): along the straight way of the newest piece, which began with v_before, to the last wall that is met;
  // leaves in last_piece_ what is left of it.
  void meet_walls(const Beginning& beginning, const Vector& v_before, StepAccount& account) {
    Vector push;
    for (int found = 0;; ++found) {
      const auto next = find_arrival(last_piece_);
      if (next && found == most_arrivals) flags_ |= static_cast<std::uint8_t>(state::Flag::crowded);
      if (!next || found == most_arrivals) return;
      if (found == 0) push = find_push(beginning, v_before);
      const double t = go_to(*next);
      const StepPiece here{last_piece_.k, {t, t, 0}, nullptr};
      const Vector no_force = Vector::Zero(q_.size());
      Beginning arrival{here.stretch, q_, v_, no_force, touching_.find(q_, here, next->contact), &no_size_};
      arrival.push = &push;
      const Solved solved = solve(arrival);
      require_finite(solved.v);
      touching_.lose(solved.lost, t);
      account.add_arrival(solved, t);
      v_ = solved.v;
    }
  }

  // To where a wall is met, and when; leaves in last_piece_ what is left of it.
  double go_to(const Meeting& meeting) {
    const Stretch way = last_piece_.stretch;
    const double t = way.begin + meeting.after;
    move({way.begin, t, meeting.after});
    require_finite(q_);
    last_piece_.k += meeting.after / h_;
    last_piece_.stretch = {t, way.end, way.h - meeting.after};
    present_.look_from(last_piece_.k, q_, v_);
    return t;
  }

  std::optional<Meeting> find_arrival(const StepPiece& piece) const {
    std::vector<std::size_t> open;
    const std::vector<std::size_t> touching = touching_.find(q_, piece);
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p)
      if (std::find(touching.begin(), touching.end(), p) == touching.end()) open.push_back(p);
    return find_first_meeting(scenario_, parameters_, {q_, v_, piece.stretch}, open);
  }

  // (I3) what forces, firm rows and resistances would change of the velocity in a whole step
  Vector find_push(const Beginning& beginning, const Vector& v_before) {
    const Beginning free{beginning.stretch, beginning.q, v_before, beginning.f, {}};
    const LawValues laws = present_.laws;
    Vector v;
    try {
      v = solve(free).v;
    } catch (const Stop&) {
      v = v_before + beginning.stretch.h * beginning.f;
    }
    present_.laws = laws;
    return (v - v_before) * (h_ / beginning.stretch.h);
  }

  // One wall alone stops a particle in closed form, and walls that it leaves do nothing; everything else is solved
  // together.
  Solved solve(Beginning beginning) {
    if (is_joint(beginning)) {
      find_meeting(beginning);
      return solve_stretch(scenario_, parameters_, present_, beginning);
    }
    if (beginning.touching.size() > 1) beginning.touching.clear();
    return solve_particle(scenario_, parameters_, present_, beginning);
  }

  // what has to be known where laws are solved together
  void find_meeting(Beginning& beginning) const {
    beginning.persists = touching_.find_persisting(beginning.touching);
    beginning.meeting = &touching_.meeting();
  }

  bool is_joint(const Beginning& beginning) const {
    return coupled_ || (beginning.touching.size() > 1 && is_closing(beginning));
  }

  // Does a particle approach one of the walls it touches?
  bool is_closing(const Beginning& beginning) const {
    const LawsAtPlace laws(scenario_, {parameters_, beginning.q, beginning.stretch.begin}, beginning.stretch);
    const Vector w = beginning.v + beginning.stretch.h * beginning.f;
    return std::any_of(beginning.touching.begin(), beginning.touching.end(),
                       [&](std::size_t p) { return !(laws.contact(p).velocities(w)[0] >= 0); });
  }

  // (P5), (B5)
  void move(const Stretch& stretch) {
    q_ = q_ + stretch.h * v_;
    const std::vector<std::size_t> held = touching_.held();
    if (!scenario_.bilaterals.empty() || !held.empty())
      q_ = without_drift(scenario_, {parameters_, q_, stretch.end}, mass_, held);
  }

  // (O7) the deepest
  double penetration() const {
    const LawsAtPlace laws(scenario_, {parameters_, q_, time_}, {time_, time_, 0});
    double deepest = 0;
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) deepest = std::max(deepest, laws.penetration(p));
    return deepest;
  }

  static void require_finite(const Vector& x) {
    if (!x.allFinite()) throw Stop{Status::non_finite};
  }

  const scenario::Scenario& scenario_;
  const std::vector<double>& parameters_;
  double h_;
  bool coupled_;
  bool located_;
  std::vector<double> no_size_;  // of the percussions at an arrival
  Motion motion_;
  Present present_;
  std::optional<Percussions> percussions_;  // once the start is known to be good
  std::vector<bool> active_before_;         // contacts at the node before
  Touching touching_;                       // which of them take part, and which were lost
  Vector q_, v_;                            // where the member is
  coupled::Matrix mass_;                    // of the newest piece
  StepPiece last_piece_;                    // of the step
  double time_ = 0;                         // of the node; a member that stops stops there
  std::uint8_t flags_ = 0;
};

}  // namespace

MemberEnd run_member(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                     const NodeVisitor& visit, const std::atomic<bool>* stop) {
  try {
    if (scenario.order == 2) return run_second_order(scenario, parameters, visit, stop);
    return Member(scenario, parameters, stop).run(visit);
  } catch (const Stop& early) {
    return {early.status, 0, 0, early.residual};  // before the first step
  }
}

MotionJudgement judge_motion(const scenario::Scenario& scenario, const std::vector<double>& parameters,
                             const GivenMotion& motion, const Judging& judging, const std::atomic<bool>* stop) {
  try {
    if (scenario.order == 2) return judge_second_order(scenario, parameters, motion, judging, stop);
    Member member(scenario, parameters, stop);
    return judge_steps(scenario, member, motion, judging);
  } catch (const Stop& early) {
    return judge_no_start(motion, early.status);
  }
}

}  // namespace conesweep::executor::reference
