#pragma once

#include <conesweep/contact/delassus.hpp>
#include <conesweep/contact/search.hpp>

// What a coupled step leaves, and the memory it needs.

namespace conesweep::contact {

enum class Verdict : int {
  solved,
  bad_mass,               // M is not positive definite; said by the metric's factor(), which the caller has
  dependent_constraints,  // firm rows, guides
  bad_limit,              // a set without 0, or not a number
  not_converged,          // residual above Tolerance::give_up
};

/// Which velocities a contact's law is about (B3): the end's in tangential direction, or u + e u⁻ in all.
enum class Restitution : int { newton, moreau };

/// What a coupled step leaves. Blocks and rows are numbered as in the System.
template <class Real, int D, int Firm, int Blocks, int Rows>
struct Solution {
  Verdict verdict;
  // how contacts with friction share their load is open: impulses are not unique, velocities need not be (B9)
  bool hyperstatic;
  bool contact_acts;
  int passes, sweeps, newton_steps;   // over all parts of the step
  Stage stage;                        // the latest that was needed
  Real residual;                      // the worst
  Real v[D];                          // velocity after the step
  Real impulse[at_least_one(Rows)];   //
  Real u_before[at_least_one(Rows)];  // A v_{i-1} - c
  Real u[at_least_one(Rows)];         // A v - c
  Real rest[at_least_one(Rows)];      // a row that is slower rests
  Real speed;                         // what velocities of the step are sums of, in the kinetic metric
  // normal velocity of a contact after firm rows, guides and resistances alone
  Real u_without_contacts[at_least_one(Blocks)];
  Mode mode[at_least_one(Blocks)];        //
  Real firm_normal[at_least_one(Firm)];   // λ_N, without what resistances take: normal(firm) is λ_N/h
  Real firm_impulse[at_least_one(Firm)];  // of all blocks: what O6 takes
  Real painleve;                          // min over active contacts of 1 - μ|W_nt|/W_nn; infinite without any
};

/// A model whose limits are numbers, entered in the System.
struct FixedLimits {
  static constexpr bool use_normals = false;
  template <class FirmNormal, class BlockNormal, class AnySystem>
  CS_INLINE void operator()(const FirmNormal&, const BlockNormal&, AnySystem&) const {}
};

/// Memory of a step that nothing outlives.
template <class Real, int D, int Firm, int Blocks, int Rows>
struct Workspace {
  Reduced<Real, D, Firm, Blocks, Rows> reduced;
  Search<Real, at_least_one(Rows)> search;
  Real r[at_least_one(Rows)];  // impulses so far
};

}  // namespace conesweep::contact
