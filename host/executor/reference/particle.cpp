#include <cmath>
#include <numbers>

#include "executor/reference/contact_law.hpp"
#include "executor/reference/stop.hpp"
#include "executor/reference/stretch.hpp"
#include "support/error.hpp"

namespace conesweep::executor::reference {
namespace {

// (P13) how the wall moves: its normal motion by the difference quotient of g, its material along it
Vector wall_velocity(const scenario::Contact& contact, const Place& begin, const Stretch& stretch,
                     const Vector& outward) {
  if (!contact.moves()) return Vector::Zero(begin.q.size());
  const Place end{begin.parameters, begin.q, stretch.end};
  const Vector n = -outward / outward.norm();
  Vector material = Vector::Zero(begin.q.size());
  for (std::size_t c = 0; c < contact.belt.size(); ++c)
    material[static_cast<Eigen::Index>(c)] = value_at(contact.belt[c].tree, end);
  const double change = stretch.is_atom() ? slope_by_time(contact.g, begin)
                                          : (value_at(contact.g, end) - value_at(contact.g, begin)) / stretch.h;
  const double rise = change / outward.norm();
  return material - material.dot(n) * n + rise * n;
}

// A wall that is touched and approached.
struct Wall {
  int contact;
  const scenario::Contact& law;
  Vector velocity;
  Vector n;  // inward
};

// what the contact did, and what it does to the sums
void apply_contact(const Wall& touched, const Beginning& given, const Present& present, Solved& solved) {
  const auto& [contact, law, wall, n] = touched;
  ContactRecord found;
  found.contact = contact;
  ContactPart part{found, true};
  part.record.mu = friction_of(law, present);
  const double arrival = (given.v - wall).dot(n);
  part.fast = is_fast(arrival, given.push != nullptr ? given.push->dot(n) : given.stretch.h * given.f.dot(n));
  const double change = given.push != nullptr ? given.push->dot(n) : 0;
  const double e = stays(given, static_cast<std::size_t>(contact), arrival, change) ? 0 : restitution_of(law, present);
  const Impulse impulse = solve_contact(solved.w - wall, given.v - wall, n, part.record.mu, e);
  solved.v = impulse.v + wall;
  part.record.w_n = impulse.w_n;
  part.record.v_n = impulse.v_n;
  part.record.r_n = part.record.pressed = impulse.r_n;
  part.record.slip = impulse.slip_after;
  part.record.mode = impulse.slip_after == 0 ? Mode::stick : Mode::slip;
  solved.normal_impulse[static_cast<std::size_t>(contact)] = impulse.r_n;
  solved.contacts.push_back(part);

  const Vector r = solved.v - solved.w;
  solved.balance.dissipated = -r.dot((given.v + solved.v) / 2 - wall);
  solved.balance.drive_work = r.dot(wall);
  solved.balance.gained = -solved.balance.dissipated;
  if (impulse.r_n > 0) solved.balance.painleve = 1;
}

double coefficient_of(const scenario::Formula& friction, const Present& present) {
  const double mu = present.value(friction.tree);
  if (!(mu >= 0 && std::isfinite(mu))) throw Stop{Status::bad_angle};
  return mu;
}

}  // namespace

double friction_of(const scenario::Bilateral& guide, const Present& present) {
  return coefficient_of(*guide.friction, present);
}

double friction_of(const scenario::Contact& contact, const Present& present) {
  switch (contact.friction_law) {
    case scenario::FrictionLaw::none: return 0;
    case scenario::FrictionLaw::angle: {
      const double alpha = present.value(contact.friction->tree);
      if (!(alpha >= 0 && alpha < std::numbers::pi / 2)) throw Stop{Status::bad_angle};
      return std::tan(alpha);
    }
    case scenario::FrictionLaw::coefficient: return coefficient_of(*contact.friction, present);
  }
  throw InternalError("friction has one of three laws", __FILE__, __LINE__);
}

double restitution_of(const scenario::Contact& contact, const Present& present) {
  const double e = contact.restitution ? present.value(contact.restitution->tree) : 0;
  if (!(e >= 0 && e <= 1)) throw Stop{Status::bad_restitution};
  return e;
}

Solved solve_particle(const scenario::Scenario& scenario, const std::vector<double>& parameters, const Present& present,
                      const Beginning& given) {
  // (P1) prospective velocity
  Solved solved;
  solved.w = given.v + given.stretch.h * given.f;
  if (!solved.w.allFinite()) throw Stop{Status::non_finite};
  solved.v = solved.w;
  solved.normal_impulse.assign(present.laws.normal.size(), 0);

  // (P2) contact is active where the particle is outside and moving further out
  for (const std::size_t p : given.touching) {
    const scenario::Contact& law = scenario.contacts[p];
    const Place begin{parameters, given.q, given.stretch.begin};
    const Vector outward = slope_by_coordinates(law.g, begin).gradient;
    if (!(outward.norm() > 0) || !std::isfinite(outward.norm())) throw Stop{Status::singular_gradient};
    const Vector wall = wall_velocity(law, begin, given.stretch, outward);
    if (!(outward.dot(solved.w - wall) > 0)) continue;

    // (P4), (P12) the velocity after contact
    apply_contact({static_cast<int>(p), law, wall, -outward / outward.norm()}, given, present, solved);
  }
  solved.balance.work = given.stretch.h * given.f.dot(given.v + solved.v) / 2;
  return solved;
}

}  // namespace conesweep::executor::reference
