#pragma once

#include <conesweep/contact/model_blocks.hpp>
#include <conesweep/contact/touching.hpp>

// (T) Contacts that persist: uₙ = 0 stands in place of Signorini's law until a step in which the contact would no
// longer press.

namespace conesweep::contact {

/// Does contact P persist in this step?
template <int P, class Real, class Model, bool Checked>
CS_INLINE bool persists(const Passage<Real, Model, Checked>& s) {
  if constexpr (Model::Laws::is_persistent(P))
    return s.lost()[P] == infinity<Real>();
  else
    return false;
}

/// Do the persistent contacts that are among the blocks say the same? Their normal impulses, and with them what is
/// lost, would not be unique.
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD bool find_dependent_normals(Workspace<Real, D, Firm, Blocks, Rows>& work) {
  const auto& p = work.reduced.problem;
  int count = 0;
  for (int block = 0; block < p.blocks; ++block)
    if (law::persists(p.law[block])) work.search.equations.unknown[count++] = p.first[block];
  return find_dependent(work, count, 0);
}

/// Does the persistent contact `block` press? Its impulse changes the velocity by |M⁻¹aₙrₙ|_M = rₙ√Wₙₙ; what is at rest
/// beside the step's velocities is rounding and does not press. At an atom (B6), where no force acts, and in the first
/// step, which does not feel yet how the wall bends, it is the other way round: what does not pull stays (`lenient`).
template <class Real, int D, int Firm, int Blocks, int Rows>
CS_HD bool presses(const Workspace<Real, D, Firm, Blocks, Rows>& work, int block, bool lenient) {
  const auto& p = work.reduced.problem;
  const int n = p.first[block];
  return work.r[n] * sqrt(p.w[n][n]) > (lenient ? -rest_of(p) : rest_of(p));
}

/// Contacts that do not press are lost, now and for good. Returns true if there are some: then the stretch is to be
/// solved again.
template <class Of, class Real, class Model, bool Checked>
CS_HD bool release_contacts([[maybe_unused]] Passage<Real, Model, Checked>& s, [[maybe_unused]] bool atom,
                            [[maybe_unused]] const int* block_of, [[maybe_unused]] WorkspaceOf<Real, Of>& work,
                            [[maybe_unused]] SolutionOf<Real, Of>& solution) {
  bool some = false;
  if constexpr (Model::Laws::persistent > 0) {
    if (solution.verdict != Verdict::solved && solution.verdict != Verdict::not_converged) return false;
    if (find_dependent_normals(work)) solution.verdict = Verdict::dependent_constraints;
    if (solution.verdict != Verdict::solved) return false;
    for_each_contact<Of>([&](auto p) CS_LAMBDA {
      if (!persists<p>(s) || presses(work, block_of[p], atom || s.first)) return;
      s.lost()[p] = s.node.t;
      some = true;
    });
  }
  return some;
}

}  // namespace conesweep::contact
