#include "executor/reference/contact_law.hpp"

#include <algorithm>

namespace conesweep::executor::reference {

Impulse solve_contact(const Vector& w, const Vector& v_before, const Vector& n, double mu, double e) {
  Impulse impulse;
  impulse.w_n = w.dot(n);
  const Vector w_t = w - impulse.w_n * n;

  // (P12) normal part
  impulse.v_n = std::max(0.0, -e * v_before.dot(n));
  // w_n < 0 by (P2), but rounding may turn a grazing one; friction never pushes
  impulse.r_n = std::max(0.0, impulse.v_n - impulse.w_n);

  // (P6) tangential part: stick if friction suffices, else slide
  const double grip = mu * impulse.r_n;
  impulse.slip_before = w_t.norm();
  const bool slides = impulse.slip_before > grip;
  const Vector v_t =
      slides ? Vector(w_t * ((impulse.slip_before - grip) / impulse.slip_before)) : Vector(Vector::Zero(w.size()));
  impulse.slip_after = slides ? v_t.norm() : 0;

  impulse.v = v_t + impulse.v_n * n;
  return impulse;
}

void enter_own_law(const scenario::Contact& contact, const Present& present, const Stretch& stretch,
                   coupled::Block& block) {
  if (stretch.is_atom()) return;
  // (H2)
  if (contact.cohesion) block.preload = stretch.h * present.value(contact.cohesion->tree);
}

}  // namespace conesweep::executor::reference
