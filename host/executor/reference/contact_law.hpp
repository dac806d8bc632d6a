#pragma once

#include "executor/reference/coupled_step.hpp"
#include "executor/reference/stretch.hpp"

namespace conesweep::executor::reference {

/// What a contact did to the velocity in one step.
struct Impulse {
  Vector v;                // velocity after
  double w_n = 0;          // normal velocity before, w·n < 0
  double v_n = 0;          // normal velocity after
  double r_n = 0;          // normal impulse
  double slip_before = 0;  // |w_t|
  double slip_after = 0;   // |v_t|; exactly 0 when it sticks
};

/// The velocity after contact, solved exactly.
///
///   (P4)   v = prox(0, [w + C] ∩ T)                         least-norm velocity that friction can reach
///   (P6)   v = w_t max(0, 1 - mu |w_n| / |w_t|)             its closed form, w = w_n n + w_t, w_n < 0
///   (P12)  v_n = max(0, -e v_before·n), r_n = v_n - w_n     partially elastic; friction as in (P6) with r_n for |w_n|
///
/// e = 0 gives v_n = 0 and r_n = |w_n|, so (P12) holds them all.
Impulse solve_contact(const Vector& w, const Vector& v_before, const Vector& n, double mu, double e);

/// Enters into a contact's block what the law of its own, in place of Coulomb's, makes of it over the stretch. Nothing
/// where it has none, and at an atom.
void enter_own_law(const scenario::Contact& contact, const Present& present, const Stretch& stretch,
                   coupled::Block& block);

}  // namespace conesweep::executor::reference
