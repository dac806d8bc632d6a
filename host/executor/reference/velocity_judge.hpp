#pragma once

#include "executor/reference/coupled_step.hpp"
#include "executor/reference/judgement.hpp"

namespace conesweep::executor::reference::coupled {

/// What is to be judged.
struct Claim {
  const Step& step;
  const std::vector<Block>& blocks;       // those of the step, with their sets
  const std::vector<bool>& contacts_act;  // of each block: in its island (B2), (B11)
  const Vector& v;                        // said to be the velocity after the step
  double accepted = accepted_residual;
  std::vector<bool> any_limit = {};  // of each block: a resistance whose limit is not known (B4); empty: all are
};

struct VelocityJudgement {
  double residual = 0;           // how far v misses the laws, of the largest velocity, both in the kinetic metric
  bool unique_impulses = true;   // the rows that may carry impulses at v are independent
  bool maybe_two_parts = false;  // (ii) of (B2) may have acted: then the laws need not hold for v as they do after (i)
  Vector normals;                // normal impulse of each contact and guide that comes nearest to v
};

/// Given v, every block's impulses form a convex set:
///
///   contact       open: {0};  slides: the ray r_n (1, -μ u_t/|u_t|);  sticks: the cone |r_t| <= μ r_n
///                 of one with a preload a (H2): the same less a, r_n + a in place of r_n
///   guide         the same without being open, on either side: the best of all choices of sides
///   resistance    slips: the point where it dissipates most;  sticks: Λ; where its limit is not known, the ray to that
///                 point, and all
///   firm          all
///
/// v is a velocity after the step iff M(v - w) is a sum of Aᵀλ from these sets, and no contact closes, no firm row
/// moves. The nearest such sum is found by nonnegative least squares over corners of the sets; disks and balls get more
/// corners where these would bring it nearer. A bounded set is its corners with shares that add up to at most 1; what
/// they exceed 1 by counts as a velocity.
VelocityJudgement judge_velocity(const Claim& claim);

}  // namespace conesweep::executor::reference::coupled
