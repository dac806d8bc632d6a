#pragma once

#include <cmath>

#include "executor/reference/laws_at_place.hpp"
#include "executor/reference/present.hpp"
#include "executor/reference/record.hpp"

namespace conesweep::executor::reference {

class MeetingLaws;

/// What begins a stretch. Names mean (t, q, v) already.
struct Beginning {
  Stretch stretch;
  const Vector& q;
  const Vector& v;
  const Vector& f;                            // 0 at a percussion
  std::vector<std::size_t> touching;          // contacts (P2), (B2)
  const std::vector<double>* size = nullptr;  // of the percussion, by resistance; none: no percussion
  std::vector<bool> persists = {};            // which of those that touch persist (T)
  // at an arrival (I): what a step without contacts changes of the velocity; none: no arrival
  const Vector* push = nullptr;
  const MeetingLaws* meeting = nullptr;  // (B11) where laws are solved together
  // (A5) which contacts do not rebound; none: (I3) says it
  const std::vector<bool>* rests = nullptr;
};

/// (O3) Is it faster than ten times what a step changes?
inline bool is_fast(double arrival, double change) { return std::fabs(arrival) > 10 * std::fabs(change); }

/// (I3), (A5) Does a contact that arrives so fast stay? `change`: of its velocity in a step.
inline bool stays(const Beginning& given, std::size_t contact, double arrival, double change) {
  if (given.rests != nullptr) return (*given.rests)[contact];
  return given.push != nullptr && !is_fast(arrival, change);
}

/// What one contact did in a stretch of time.
struct ContactPart {
  ContactRecord record;
  bool acts = false;   // (O) it is active: (P2) of one contact alone, else a normal impulse
  bool opens = false;  // while it pulls
  bool fast = false;   // (O3) it arrived faster than ten times what forces and the other laws change
};

/// A stretch of time after it was solved.
struct Solved {
  Vector w, v;
  coupled::Matrix mass;                // empty: 1
  std::vector<ContactPart> contacts;   // that took part
  std::vector<Mode> guides = {};       // of each
  std::vector<Mode> resistances;       // of each
  std::vector<double> normal_impulse;  // of each law: r_n of a contact, λ_N of a firm row, 0 of a resistance
  Balance balance;                     // without variation; gained with its sign
  bool hyperstatic = false;
  std::vector<std::size_t> lost = {};  // contacts that persist no longer (T)
  Certificates certificates;
  JointSolve joint;
};

/// Friction coefficient and restitution of a contact now. They stop with bad_angle, bad_restitution.
double friction_of(const scenario::Contact& contact, const Present& present);
double friction_of(const scenario::Bilateral& guide, const Present& present);
double restitution_of(const scenario::Contact& contact, const Present& present);

/// (P1) … (P4), (P12), (P13) of a particle that touches at most one wall, in closed form.
Solved solve_particle(const scenario::Scenario& scenario, const std::vector<double>& parameters, const Present& present,
                      const Beginning& beginning);

}  // namespace conesweep::executor::reference
