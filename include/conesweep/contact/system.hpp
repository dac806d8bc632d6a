#pragma once

#include <conesweep/contact/problem.hpp>
#include <conesweep/math/unroll.hpp>

namespace conesweep::contact {

/// What velocities of a step are sums of, in the kinetic metric: v_{i-1} and h M⁻¹(f - D), with the h of the whole
/// step. A coordinate's part is that of coordinates which M connects with it.
template <class Real, int D>
struct Motion {
  Real before[D], push[D];
};

/// One coupled step as a model hands it over (B1): D coordinates, Firm firm rows, and the blocks that take part in this
/// step: all guides and resistances, and the contacts that touch. A model has the maxima, a step the counts; rows are
/// [row][coordinate].
///
///   system.clear();                                  then w, v_before, speed, firm_row, firm_drive
///   const int k = system.add_contact(3, mu, e);      contacts that touch and resistances, in the order in which they
///   are swept
///   system.row[system.first[k] + i][j] = …;          row 0 of a contact is normal
///   system.drive[system.first[k] + i] = …;
///
/// The sets of resistances are entered by the step itself, which asks the model for them (coupled_step.hpp).
template <class Real, int D, int Firm, int Blocks, int Rows>
struct System {
  static constexpr int coordinates = D, firm_rows = Firm, most_blocks = at_least_one(Blocks),
                       most_rows = at_least_one(Rows);

  Real w[D];         // prospective velocity
  Real v_before[D];  // v_{i-1}
  // what velocities of this step are sums of: |v_{i-1}|_M + h|M⁻¹(f - D)|_M, h of the whole step also at an atom
  Real speed;
  Motion<Real, D> motion;  // the same coordinate by coordinate, for parts of the step
  Real firm_row[at_least_one(Firm)][D];
  Real firm_drive[at_least_one(Firm)];
  const Real* kept_firm;  // what factoring the firm rows gave once and for all; nullptr: they are factored here

  int blocks, rows;
  Law law[most_blocks];
  int first[most_blocks], size[most_blocks];
  Real low[most_blocks], high[most_blocks];  // the law's limits: impulses, friction coefficients
  Real e[most_blocks];                       // restitution of a contact
  Real row[most_rows][D];                    // the step turns them into rows of its own
  Real drive[most_rows];

  CS_INLINE void clear() {
    blocks = rows = 0;
    speed = Real(0);
    kept_firm = nullptr;
  }

  CS_INLINE int add(Law kind, int block_size) {
    const int block = blocks++;
    law[block] = kind;
    first[block] = rows;
    size[block] = block_size;
    low[block] = high[block] = e[block] = Real(0);
    rows += block_size;
    return block;
  }
  /// The block's number. block_size: 1 without friction; 2 in the plane, 3 in space.
  CS_INLINE int add_contact(int block_size, Real mu, Real restitution) {
    const int block = add(Law::coulomb, block_size);
    high[block] = mu;
    e[block] = restitution;
    return block;
  }
  /// (T) uₙ = 0 in place of Signorini's law: the normal impulse may have either sign.
  CS_INLINE void make_persistent(int block) { law[block] = Law::persistent; }
  /// A contact's own law in place of Coulomb's, with its limits; `most` is the friction coefficient.
  CS_INLINE void set_law(int block, Law own, Real least, Real most) {
    law[block] = own;
    low[block] = least;
    high[block] = most;
  }
  /// (G) uₙ = 0 with an impulse of either sign, and friction with μ|rₙ|. Rows as those of a contact.
  CS_INLINE int add_guide(int block_size, Real mu) {
    const int block = add(Law::guide, block_size);
    high[block] = mu;
    return block;
  }
  CS_INLINE int add_interval() { return add(Law::interval, 1); }
  CS_INLINE int add_ball(int block_size) { return add(Law::ball, block_size); }
};

}  // namespace conesweep::contact
