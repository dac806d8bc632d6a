#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "executor/reference/coupled_laws.hpp"

namespace conesweep::executor::reference::coupled {

/// One block of (B): velocities u = A v - c, impulse λ, a law between them. It acts as Aᵀλ.
struct Block {
  Law law;
  Matrix rows;               // A; row 0 of a contact or guide is normal
  Vector drive;              // c
  double low = 0, high = 0;  // impulses: an interval's ends, which may be infinite; a ball's radius in `high`
  double mu = 0, e = 0;      // of a contact; a guide has the first
  // (H2) of a contact: the impulse that presses it together from outside. Its law is about r_n + preload, and it opens
  // only where it is pulled by more than that
  double preload = 0;

  double pressed(const Vector& impulse) const { return impulse[0] + preload; }
};

/// Contacts and guides have friction, and no set of their own.
inline bool has_friction_alone(const Block& block) { return block.law == Law::contact || block.law == Law::guide; }

/// (B3) Which velocities a contact's law is about: the end's in tangential direction, or u + e u⁻ in all.
enum class Restitution { newton, moreau };

/// (B4) Enters low and high of the resistance that is block number k. firm_normal is λ_N; block_normal[j] the normal
/// impulse of contact or guide j in the pass before, 0 in the first.
using Limits =
    std::function<void(const Vector& firm_normal, const Vector& block_normal, std::size_t k, Block& resistance)>;

/// What a step is given: everything but the drives at (t_i, q_i, past, v_{i-1}).
struct Step {
  Matrix mass;                // symmetric; its lower triangle is read
  Vector w, v_before;         // (B1)
  Matrix firm_rows;           // B
  Vector firm_drive;          //
  std::vector<Block> blocks;  // all guides and resistances, and the contacts that touch
  Restitution restitution = Restitution::newton;
  Limits limits = {};  // empty: the numbers in the blocks
  Vector push = {};    // h(f - D), h of the whole step also at an atom; empty: nothing
};

/// Which statement about the step fails.
enum class Verdict {
  solved,
  bad_mass,               // M is positive definite
  dependent_constraints,  // the firm rows are independent, and so are the guides beside them, pivot ratio 1e-12 (B9)
  bad_limit,              // 0 lies in every set
  not_converged,          // the laws hold to 1e-10 (B7)
};
std::string_view name_of(Verdict verdict);

struct StepAnswer {
  Verdict verdict = Verdict::solved;
  bool hyperstatic = false;   // rows of active contacts with friction are dependent (B9)
  bool contact_acts = false;  // (B2)
  int passes = 0;             // (B4)
  int pivots = 0;             // of Lemke's method, over all passes
  double residual = 0;        // the worst of all parts of the last pass
  std::vector<Block> blocks;  // those of the step, with the sets of the last pass
  Vector v;
  std::vector<Vector> impulse;      // of each block
  std::vector<Vector> u_before, u;  // A v_{i-1} - c and A v - c
  std::vector<Mode> mode;           // of each block; flight: a contact without impulse
  // normal velocity of each contact after firm rows, guides and resistances alone (O3)
  Vector u_without_contacts;
  double speed = 0;     // what velocities are sums of, with those of all drives, in the kinetic metric
  Vector painleve;      // of each contact 1 - μ|W_nt|/W_nn (O7)
  Vector firm_normal;   // λ_N, without what resistances take
  Vector firm_impulse;  // of all blocks: what (O6) takes
};

/// What velocities of a step are sums of: |v_{i-1}|_M + h|M⁻¹(f - D)|_M, or the speed of a drive if it is larger.
double speed_of(const Step& step);

/// The coupled step (B1) … (B4). After bad_mass, dependent_constraints and bad_limit only the verdict is filled.
StepAnswer solve_step(const Step& step);

}  // namespace conesweep::executor::reference::coupled
