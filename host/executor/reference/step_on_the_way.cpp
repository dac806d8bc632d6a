#include "executor/reference/step_on_the_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "executor/reference/coupled_stretch.hpp"
#include "executor/reference/meeting_laws.hpp"
#include "executor/reference/stop.hpp"

namespace conesweep::executor::reference {
namespace {

bool uses_velocity(const scenario::Formula& formula) {
  return expression::any_node(formula.tree, [](const expression::Node& n) {
    return n.op == expression::Op::symbol && n.symbol.kind == expression::Symbol::Kind::velocity;
  });
}

}  // namespace

StepOnTheWay::StepOnTheWay(const scenario::Scenario& scenario, const std::vector<double>& parameters, Present& present,
                           Parabolas& motion, std::int64_t i)
    : t(scenario.time(i)),
      begin(t),
      end(scenario.time(i + 1)),
      h(scenario.h()),
      f(Vector::Zero(scenario.dimension())),
      scenario_(scenario),
      parameters_(parameters),
      present_(present),
      motion_(motion),
      forces_use_velocity_(std::any_of(scenario.force.begin(), scenario.force.end(), uses_velocity)),
      i_(i),
      impulse_(scenario.contacts.size(), 0),
      active_(scenario.contacts.size(), false),
      sticks_(scenario.contacts.size(), false),
      struck_(scenario.contacts.size(), false) {}

double StepOnTheWay::steps_at(double time) const {
  return time == end ? static_cast<double>(i_ + 1) : static_cast<double>(i_) + (time - begin) / h;
}

void StepOnTheWay::look(double when, const Vector& place, const Vector& velocity, double length) {
  motion_.begin_piece(steps_at(t), length / h, q, v);
  present_.look_from(steps_at(when), when, place, velocity);
}

Vector StepOnTheWay::force(double when, const Vector& place, const Vector& velocity, double length) {
  look(when, place, velocity, length);
  return present_.force();
}

double StepOnTheWay::gap(std::size_t p, double when, const Vector& place) const {
  return value_at(contact(p).g, {parameters_, place, when});
}

WallAt StepOnTheWay::wall(std::size_t p, double when, const Vector& place) const {
  const Place there{parameters_, place, when};
  const Vector outward = slope_by_coordinates(contact(p).g, there).gradient;
  WallAt wall;
  wall.steepness = outward.norm();
  if (!(wall.steepness > 0) || !std::isfinite(wall.steepness)) throw Stop{Status::singular_gradient};
  wall.n = -outward / wall.steepness;
  wall.c = Vector::Zero(place.size());
  if (!contact(p).moves()) return wall;
  for (std::size_t k = 0; k < contact(p).belt.size(); ++k)
    wall.c[static_cast<Eigen::Index>(k)] = value_at(contact(p).belt[k].tree, there);
  const double rise = slope_by_time(contact(p).g, there) / wall.steepness;
  wall.c += (rise - wall.c.dot(wall.n)) * wall.n;
  return wall;
}

double StepOnTheWay::closing_speed(std::size_t p, double when, const Vector& place, const Vector& velocity) const {
  const Place there{parameters_, place, when};
  return slope_by_coordinates(contact(p).g, there).gradient.dot(velocity) + slope_by_time(contact(p).g, there);
}

// by differences along the flight: it is compared with, and no more
double StepOnTheWay::closing_acceleration(std::size_t p, const Vector& velocity) const {
  const double s = 1e-5 * h;
  const auto speed = [&](double by) {
    return closing_speed(p, t + by, q + by * velocity + by * by / 2 * f, velocity + by * f);
  };
  return (speed(s) - speed(-s)) / (2 * s);
}

Vector StepOnTheWay::on_wall(std::size_t p, double when, Vector place) const {
  for (int round = 0; round < 2; ++round) {
    const double g = gap(p, when, place);
    const WallAt there = wall(p, when, place);
    if (!(std::fabs(g) > 8.9e-16 * (1 + place.lpNorm<1>()) * there.steepness)) break;
    place += g / there.steepness * there.n;
  }
  return place;
}

double StepOnTheWay::place_tolerance() const { return 1e-12 * (1 + q.norm()); }

double StepOnTheWay::velocity_tolerance(std::size_t p) const {
  double tolerance = 1e-12 * (1 + v.norm());
  if (contact(p).moves())  // 4 ulp(t)|ċ|
    tolerance += 8.9e-16 * std::fabs(t) * (wall(p, end, q).c - wall(p, t, q).c).norm() / h;
  return tolerance;
}

// One wall alone in closed form, several together; no length, no force.
Solved StepOnTheWay::solve(const std::vector<std::size_t>& touching, const std::vector<bool>& rests) {
  const Vector none = Vector::Zero(q.size()), push = h * f;
  const std::vector<double> no_size(scenario_.resistances.size(), 0);
  const Stretch here{t, t, 0};
  Beginning given{here, q, v, none, touching, &no_size};
  given.push = &push;
  given.rests = &rests;
  const bool closing =
      std::any_of(touching.begin(), touching.end(), [&](std::size_t p) { return wall(p, t, q).along(v) < 0; });
  if (touching.size() < 2 || !closing) {
    if (touching.size() > 1) given.touching.clear();
    return solve_particle(scenario_, parameters_, present_, given);
  }
  const MeetingLaws meeting(scenario_);
  given.persists.assign(touching.size(), false);
  given.meeting = &meeting;
  return solve_stretch(scenario_, parameters_, present_, given);
}

void StepOnTheWay::strike(std::optional<std::size_t> arrived) {
  look(t, q, v, end - t);
  std::vector<std::size_t> touching;
  for (std::size_t p = 0; p < contacts(); ++p)
    if (p == arrived || gap(p, t, q) >= -place_tolerance() * wall(p, t, q).steepness) touching.push_back(p);
  std::vector<bool> rests(contacts(), false);
  Solved solved = solve(touching, rests);
  // the stop rule: where the flight after it would be shorter than a step, there is none
  bool some = false;
  for (const ContactPart& part : solved.contacts) {
    const auto p = static_cast<std::size_t>(part.record.contact);
    const double e = restitution_of(contact(p), present_);
    if (!part.acts || e == 0 || e == 1) continue;
    const WallAt there = wall(p, t, q);
    const double back = closing_acceleration(p, solved.v) / there.steepness;
    if (back > 0 && 2 * e * std::fabs(there.along(v)) <= h * back) some = rests[p] = true;
  }
  if (some) solved = solve(touching, rests);
  if (!solved.v.allFinite()) throw Stop{Status::non_finite};

  for (const ContactPart& part : solved.contacts) {
    if (!part.acts) continue;
    const auto p = static_cast<std::size_t>(part.record.contact);
    active_[p] = true;
    sticks_[p] = part.record.mode == Mode::stick;
    impulse_[p] += part.record.r_n;
    if (part.fast) ++pieces_.impacts, struck_[p] = true;
    pieces_.first = std::min(pieces_.first, t);
  }
  hyperstatic = hyperstatic || solved.hyperstatic;
  balance_.dissipated += solved.balance.dissipated;
  balance_.drive_work += solved.balance.drive_work;
  balance_.gained += solved.balance.gained;
  balance_.painleve = std::min(balance_.painleve, solved.balance.painleve);
  balance_.variation += (solved.v - v).norm();
  met.push_back({t, q, v, solved.v});
  const double small = 1e-9 * (1 + v.norm());
  v = solved.v;
  for (const ContactPart& part : solved.contacts) {
    if (!part.acts) continue;
    const WallAt there = wall(static_cast<std::size_t>(part.record.contact), t, q);
    if (std::fabs(there.along(v)) <= small) v -= there.along(v) * there.n;
  }
}

Solved StepOnTheWay::solve_middle(const std::vector<std::size_t>& closed, double length, const Vector& force) {
  const double now = t;
  const Vector here = q, before = v;
  q += length / 2 * v;
  t += length / 2;
  for (int round = 0; round < 4; ++round)
    for (const std::size_t p : closed) q = on_wall(p, t, q);
  v += length / 2 * force;
  Solved solved = solve(closed, std::vector<bool>(contacts(), true));
  t = now, q = here, v = before;
  if (!solved.v.allFinite()) throw Stop{Status::not_converged};
  return solved;
}

void StepOnTheWay::note_motion(double length, const Vector& force, const Vector& after) {
  balance_.work += length * force.dot(v + after) / 2;
  balance_.variation += (after - v).norm();
}

void StepOnTheWay::note_contact(std::size_t p, double length, const Vector& force, const Vector& after,
                                const WallAt& mean) {
  const Vector r = after - v - length * force;
  const double work = r.dot((v + after) / 2 - mean.c);
  impulse_[p] += r.dot(mean.n);
  active_[p] = active_[p] || r.dot(mean.n) > 0;
  balance_.dissipated -= work;
  balance_.gained += work;
  balance_.drive_work += r.dot(mean.c);
}

// of impulses in the middle so many are those of the piece
void StepOnTheWay::note_closed(double length, double share, const Vector& after, const Solved& middle) {
  note_motion(length, f, after);
  const Vector r = after - v - length * f;
  bool some = false, stick = true;
  for (const ContactPart& part : middle.contacts) {
    if (!part.acts) continue;
    const auto p = static_cast<std::size_t>(part.record.contact);
    active_[p] = some = true;
    sticks_[p] = part.record.mode == Mode::stick;
    stick = stick && sticks_[p];
    impulse_[p] += share * part.record.r_n;
  }
  if (!some) return;
  balance_.dissipated -= r.dot((v + after) / 2);
  balance_.gained += r.dot((v + after) / 2);
  note_mode(length, stick);
}

void StepOnTheWay::note_mode(double length, bool stick) {
  (stick ? pieces_.stick : pieces_.slip) += length;
  pieces_.first = std::min(pieces_.first, t);
}

void StepOnTheWay::go_on(double when, const Vector& place, const Vector& velocity) {
  t = when, q = place, v = velocity;
}

void StepOnTheWay::tell(NodeRecord& node) const {
  node.balance = balance_;
  node.balance.gained = std::max(0.0, balance_.gained);
  node.pieces = pieces_;
  for (std::size_t p = 0; p < contacts(); ++p) {
    if (!active_[p]) continue;
    ContactRecord record;
    record.contact = static_cast<int>(p);
    record.r_n = record.pressed = impulse_[p];
    // of several pieces there is no one velocity before and after
    record.w_n = record.v_n = record.slip = record.mu = std::numeric_limits<double>::quiet_NaN();
    record.impact = struck_[p];
    record.mode = sticks_[p] ? Mode::stick : Mode::slip;
    node.contacts.push_back(record);
  }
  if (!node.contacts.empty()) {
    node.balance.painleve = std::min(node.balance.painleve, 1.0);
    node.mode = std::all_of(node.contacts.begin(), node.contacts.end(),
                            [](const ContactRecord& record) { return record.mode == Mode::stick; })
                    ? Mode::stick
                    : Mode::slip;
  }
}

}  // namespace conesweep::executor::reference
