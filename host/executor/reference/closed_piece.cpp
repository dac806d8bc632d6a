#include "executor/reference/closed_piece.hpp"

#include <algorithm>
#include <cmath>

#include "executor/reference/stop.hpp"

// Order two, (A1) … (A11), for reading beside the specification.

namespace conesweep::executor::reference {
namespace {

WallAt mean(const WallAt& begin, const WallAt& end) { return {(begin.n + end.n) / 2, (begin.c + end.c) / 2, 1}; }

// The piece that would lead to v_after with this force ends before, at another wall, which is struck. more than 5
// parameters: what a piece is made of.
void end_at_another(StepOnTheWay& way, std::optional<std::size_t> closed, double length, const Vector& force,
                    const Vector& v_after, const FirstMeeting& first, bool sticks) {
  const double s = first.s, when = time_after(way, s);
  Vector place = on_path(way, (v_after - way.v) / (2 * length), s), arriving = way.v + s / length * (v_after - way.v);
  if (closed) place = way.on_wall(*closed, when, place);
  place = way.on_wall(first.contact, when, place);
  if (closed) {
    const WallAt wall = way.wall(*closed, when, place), begin = way.wall(*closed, way.t, way.q);
    arriving = wall.c + wall.tangential(arriving);
    way.note_contact(*closed, s, force, arriving, mean(begin, wall));
    way.note_mode(s, sticks);
  }
  way.note_motion(s, force, arriving);
  way.go_on(when, place, arriving);
  ++way.events;
  way.strike(first.contact);
}

std::optional<FirstMeeting> meets_another(const StepOnTheWay& way, std::size_t p, double length, double until,
                                          const Vector& v_after) {
  if (way.events >= most_events) return std::nullopt;
  return find_first(way, (v_after - way.v) / (2 * length), until, {p});
}

// (A6) a slip piece
struct Slip {
  WallAt begin, middle, end;
  Vector u, f, w;
  double mu = 0, r_n = 0;

  double grip() const { return mu * r_n; }
  // (v + w)/2 along the wall, relative to it: the mean velocity without friction
  Vector mean(const Vector& v) const {
    const Vector all = (v + w) / 2 - (begin.c + end.c) / 2;
    return all - all.dot(middle.n) * middle.n;
  }
  Vector pushed(const Vector& along) const { return w + r_n * middle.n - grip() * along; }
};

// `f_0` and `breaking`: where stick has just broken
Slip predict_slip(StepOnTheWay& way, std::size_t p, double length, const std::optional<Vector>& f_0) {
  Slip slip;
  const double t_m = way.t + length / 2;
  const Vector q_m = way.q + length / 2 * way.v;
  slip.begin = way.wall(p, way.t, way.q);
  slip.middle = way.wall(p, t_m, q_m);
  slip.u = slip.begin.tangential(way.v);
  Vector force;
  if (way.forces_use_velocity())
    force = way.force(way.t, way.q, way.v, length);
  else
    force = slip.f = way.force(t_m, q_m, way.v, length);
  if (f_0) force = *f_0;
  Vector v_m = way.v + length / 2 * force;
  const double w_n = slip.middle.along(v_m);
  if (w_n < 0) {
    Vector u = slip.middle.tangential(v_m);
    const double grip = f_0 ? 0 : way.friction(p) * -w_n;
    if (!f_0) u = u.norm() <= grip ? Vector(slip.u / 2) : Vector(u * (1 - grip / u.norm()));
    v_m = slip.middle.c + u;
  }
  if (way.forces_use_velocity())
    slip.f = way.force(t_m, q_m, v_m, length);
  else
    way.look(t_m, q_m, v_m, length);
  slip.mu = way.friction(p);
  slip.w = way.v + length * slip.f;
  way.f = slip.f;
  slip.end = way.wall(p, time_after(way, length), way.q + length * v_m);
  const double turning = slip.end.n.dot(slip.end.c) - (slip.end.n - slip.middle.n).dot(2 * v_m - way.v);
  slip.r_n = turning - slip.middle.n.dot(slip.w);
  return slip;
}

// (A9)
void release(StepOnTheWay& way, std::size_t p, double length, const Slip& slip) {
  if (const auto first = meets_another(way, p, length, length, slip.w))
    return end_at_another(way, std::nullopt, length, slip.f, slip.w, *first, false);
  const double when = time_after(way, length);
  Vector place = way.q + length / 2 * (way.v + slip.w);
  if (way.gap(p, when, place) > 0) place = way.on_wall(p, when, place);
  way.note_motion(length, slip.f, slip.w);
  way.go_on(when, place, slip.w);
}

// what slips leads to v_after, which lies along the wall but for rounding; or it has come to rest
// more than 5 parameters: what a piece is made of
void slide_to(StepOnTheWay& way, std::size_t p, double length, const Slip& slip, Vector v_after, bool rests) {
  const double when = time_after(way, length);
  const Vector place = way.on_wall(p, when, way.q + length / 2 * (way.v + v_after));
  const WallAt wall = way.wall(p, when, place);
  v_after = rests ? wall.c : Vector(wall.c + wall.tangential(v_after));
  way.note_motion(length, slip.f, v_after);
  way.note_contact(p, length, slip.f, v_after, {slip.middle.n, (slip.begin.c + slip.end.c) / 2, 1});
  way.go_on(when, place, v_after);
}

// (A7) True: slip has ended in this piece, and the member stands there.
bool end_slip(StepOnTheWay& way, std::size_t p, double length, const Slip& slip, bool stops) {
  const double speed = slip.u.norm();
  const Vector d = slip.u / speed, on = slip.pushed(d), u_on = slip.end.tangential(on);
  const double a = d.dot(u_on);
  if (a >= 0 && !stops) return false;
  double s = a >= 0 ? length : std::clamp(length * (speed / (speed - a)), 0.0, length);
  const Vector u_w = slip.end.tangential(slip.w);
  const bool sticks = u_w.norm() <= slip.grip(), located = way.events < most_events;
  if (!located) {
    s = length;
    way.crowded = true;
  }
  Vector v_s = slip.begin.c + s / length * (slip.end.c - slip.begin.c);
  if (!sticks) v_s += located ? Vector(s / length * (u_on - a * d)) : Vector(u_w * (1 - slip.grip() / u_w.norm()));
  if (const auto first = meets_another(way, p, length, s, on)) {
    end_at_another(way, p, length, slip.f, on, *first, false);
    return true;
  }
  way.note_mode(s, false);
  slide_to(way, p, s, slip, v_s, sticks);
  way.met.push_back({way.t, way.q, way.v, way.v});
  if (s < length) ++way.events;
  return true;
}

void finish_slip(StepOnTheWay& way, std::size_t p, double length, const Slip& slip, bool breaking) {
  if (!(slip.r_n > 0)) return release(way, p, length, slip);
  const Vector mean = slip.mean(way.v);
  const double speed = mean.norm();
  const bool stops = slip.grip() > 0 && speed <= slip.grip() / 2;
  Vector along = Vector::Zero(mean.size());
  if (speed > 0) along = mean / speed;
  Vector v_after = slip.pushed(along);
  const Vector u_end = slip.end.tangential(v_after);
  if (!breaking && slip.grip() > 0 && slip.u.norm() > 0 && (stops || slip.u.dot(u_end) <= 0) &&
      end_slip(way, p, length, slip, stops))
    return;
  const bool rests = breaking && stops;
  v_after = slip.end.c + (rests ? Vector(Vector::Zero(mean.size())) : u_end);
  if (const auto first = meets_another(way, p, length, length, v_after))
    return end_at_another(way, p, length, slip.f, v_after, *first, rests);
  way.note_mode(length, rests);
  slide_to(way, p, length, slip, v_after, rests);
  way.note_stick(p, rests);
}

// (A8) how much of friction is left where this force is held
struct Hold {
  double n, left;
};
Hold find_hold(const StepOnTheWay& way, std::size_t p, const Vector& needed, const Vector& n) {
  const double r_n = needed.dot(n);
  return {r_n, way.friction(p) * r_n - (needed - r_n * n).norm()};
}

void hold_or_break(StepOnTheWay& way, std::size_t p, const WallAt& here) {
  const double length = way.end - way.t, when = way.end;
  const bool moves = way.contact(p).moves();
  Vector place = way.q;
  WallAt last = here;
  if (moves) {
    last = way.wall(p, when, way.q + length * here.c);
    place = way.on_wall(p, when, way.q + length / 2 * (here.c + last.c));
    last = way.wall(p, when, place);
  }
  // ċ at both ends, from velocities there and in the middle
  Vector rate = Vector::Zero(place.size()), rate_e = rate;
  if (moves) {
    const Vector between = (way.q + place) / 2 + length / 8 * (here.c - last.c),
                 middle = way.wall(p, way.t + length / 2, between).c;
    rate = (3 * (middle - here.c) - (last.c - middle)) / length;
    rate_e = (3 * (last.c - middle) - (middle - here.c)) / length;
  }
  const Vector f_e = way.force(when, place, last.c, length);
  const Hold at_end = find_hold(way, p, rate_e - f_e, last.n);
  if (at_end.n >= 0 && at_end.left >= 0) {
    if (moves)
      if (const auto first = meets_another(way, p, length, length, last.c))
        return end_at_another(way, p, length, f_e, last.c, *first, true);
    way.f = f_e;
    way.note_motion(length, f_e, last.c);
    way.note_contact(p, length, f_e, last.c, mean(here, last));
    way.note_mode(length, true);
    way.go_on(when, place, last.c);
    way.note_stick(p, true);
    return;
  }
  Vector f_0 = way.force(way.t, way.q, way.v, length);
  const Hold at_begin = find_hold(way, p, rate - f_0, here.n);
  double s = 0;
  if (at_begin.left > 0 && way.events < most_events) s = length * (at_begin.left / (at_begin.left - at_end.left));
  if (!(s > 1e-11 * way.h)) s = 0;
  f_0 += s / length * (f_e - f_0);
  if (s > 0) {
    const double then = way.t + s;
    place = way.q;
    WallAt wall = here;
    if (moves) {
      place = way.on_wall(p, then, way.q + s * here.c + s * s / 2 * rate);
      wall = way.wall(p, then, place);
    }
    way.note_motion(s, f_0, wall.c);
    way.note_contact(p, s, f_0, wall.c, mean(here, wall));
    way.note_mode(s, true);
    way.met.push_back({then, place, wall.c, wall.c});
    way.go_on(then, place, wall.c);
    ++way.events;
  }
  const double rest = length - s;
  if (!(rest > 1e-11 * way.h)) return;
  finish_slip(way, p, rest, predict_slip(way, p, rest, f_0), true);
}

// (A3) w, and the force in the middle
Vector predict_flight(StepOnTheWay& way, double length, const Vector& f_0) {
  Vector v_m = way.v;
  if (way.forces_use_velocity()) v_m += length / 2 * f_0;
  way.f = way.force(way.t + length / 2, way.q + length / 2 * way.v, v_m, length);
  return way.v + length * way.f;
}

// (A3), (A4)
void fly(StepOnTheWay& way) {
  const double length = way.end - way.t;
  Vector f_0;
  if (way.forces_use_velocity()) f_0 = way.force(way.t, way.q, way.v, length);
  Vector w = predict_flight(way, length, f_0);
  const auto first = find_first(way, (w - way.v) / (2 * length), length, {});
  if (!first || way.events >= most_events) {
    Vector place = way.q + length / 2 * (way.v + w);
    if (first)
      for (std::size_t p = 0; p < way.contacts(); ++p)
        if (way.gap(p, way.end, place) > 0) place = way.on_wall(p, way.end, place);
    way.note_motion(length, way.f, w);
    way.go_on(way.end, place, w);
    if (first) {
      way.crowded = true;
      way.strike(std::nullopt);
    }
    return;
  }
  double s = first->s;
  Vector place = way.q;
  if (s > 0) {
    w = predict_flight(way, s, f_0);
    const Vector a = (w - way.v) / (2 * s);
    place = on_path(way, a, s);
    const double when = time_after(way, s), rate = way.closing_speed(first->contact, when, place, way.v + s * way.f);
    if (rate > 0) s = std::clamp(s - way.gap(first->contact, when, place) / rate, 0.0, length);
    place = on_path(way, a, s);
  }
  const double when = time_after(way, s);
  place = way.on_wall(first->contact, when, place);
  const Vector arriving = way.v + s * way.f;
  way.note_motion(s, way.f, arriving);
  way.go_on(when, place, arriving);
  ++way.events;
  way.strike(first->contact);
}

// (A12) in the unit metric, planes at rest
void pass_several(StepOnTheWay& way, const std::vector<std::size_t>& closed) {
  double length = way.end - way.t, solved_length = length;
  Vector v_m = way.v;
  if (way.forces_use_velocity()) {
    const Vector f_0 = way.force(way.t, way.q, way.v, length);
    v_m = way.solve_middle(closed, length, f_0).v;
  }
  way.f = way.force(way.t + length / 2, way.q + length / 2 * way.v, v_m, length);
  Solved middle = way.solve_middle(closed, length, way.f);
  Vector w = 2 * middle.v - way.v;
  const double speed = way.v.norm();
  bool stopped = false;
  if (speed > 1e-12 * (1 + speed) && way.events < most_events && way.v.dot(w) <= 0) {
    const double part = 1e-3 * length;
    middle = way.solve_middle(closed, part, way.f);
    const double slower = (speed - way.v.dot(middle.v) / speed) / (part / 2);
    const double s = slower > 0 ? speed / slower : length;
    if (s < length) {
      length = s;
      stopped = true;
      solved_length = part;
      w.setZero();
    }
  }
  const auto first = way.events < most_events ? find_first(way, (w - way.v) / (2 * length), length, closed)
                                              : std::optional<FirstMeeting>();
  if (first) {
    w = way.v + first->s / length * (w - way.v);
    length = first->s;
  }
  const bool whole = !stopped && !first;
  const double when = whole ? way.end : way.t + length;
  Vector place = way.q + length / 2 * (way.v + w);
  std::vector<bool> active(way.contacts(), false);
  for (const ContactPart& part : middle.contacts) active[static_cast<std::size_t>(part.record.contact)] = part.acts;
  for (int round = 0; round < 4; ++round)
    for (std::size_t p = 0; p < way.contacts(); ++p) {
      if (active[p] || way.gap(p, when, place) > 0) place = way.on_wall(p, when, place);
      if (!active[p]) continue;
      const WallAt wall = way.wall(p, when, place);
      w -= wall.along(w) * wall.n;
    }
  way.note_closed(length, 2 * length / solved_length, w, middle);
  if (!whole) ++way.events;
  if (stopped && !first) way.met.push_back({when, place, w, w});
  way.go_on(when, place, w);
  if (first) way.strike(first->contact);
}

}  // namespace

void pass_closed(StepOnTheWay& way, std::size_t p) {
  const WallAt here = way.wall(p, way.t, way.q);
  if (way.contact(p).friction && here.tangential(way.v).norm() <= way.velocity_tolerance(p)) {
    way.v = here.c;
    return hold_or_break(way, p, here);
  }
  const double length = way.end - way.t;
  finish_slip(way, p, length, predict_slip(way, p, length, std::nullopt), false);
}

void walk_step(StepOnTheWay& way) {
  int struck = 0;  // at this instant
  for (double last = way.t; way.end - way.t > 1e-11 * way.h;) {
    if (way.t != last) struck = 0;
    last = way.t;
    std::vector<std::size_t> closed;
    bool strikes = false;
    for (std::size_t p = 0; p < way.contacts(); ++p) {
      const double g = way.gap(p, way.t, way.q);
      if (std::isnan(g)) throw Stop{Status::non_finite};
      const WallAt wall = way.wall(p, way.t, way.q);
      if (!(g >= -way.place_tolerance() * wall.steepness)) continue;
      const double u_n = wall.along(way.v), small = way.velocity_tolerance(p);
      if (u_n < -small && struck < 2)
        strikes = true;
      else if (u_n <= small)
        closed.push_back(p);
    }
    if (strikes) {
      way.f = way.force(way.t, way.q, way.v, way.end - way.t);
      way.strike(std::nullopt);
      ++struck;
    } else if (closed.empty()) {
      fly(way);
    } else if (closed.size() == 1) {
      pass_closed(way, closed.front());
    } else {
      pass_several(way, closed);
    }
    if (!way.q.allFinite() || !way.v.allFinite()) throw Stop{Status::non_finite};
  }
}

}  // namespace conesweep::executor::reference
