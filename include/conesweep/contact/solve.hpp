#pragma once

#include <conesweep/contact/one_block.hpp>

namespace conesweep::contact {

/// Contact turns the prospective velocity w into v, and leaves a record. Returns true if some contact pushes in some lane.
template <class Real, class Model, bool Checked>
CS_INLINE bool solve(Passage<Real, Model, Checked>& s) {
  s.record.start();
  if constexpr (Checked) unroll<Model::dimension>([&](auto c) { note_reason(s.record.reason.value, !is_finite(s.w[c]), Status::non_finite); });
  Real reason_of_law = Real(0);
  MaskOf<Real> taken = Real(0) != Real(0);  // lanes in which a contact before this one is active
  bool touched = false;
  unroll<Model::contacts>([&](auto p) {
    if (solve_block<p>(s, taken, reason_of_law)) touched = true;
  });
  // contacts are found first, then solved
  if constexpr (Checked) note_reason(s.record.reason.value, reason_of_law != Real(0), Status(int(reason_of_law)));
  return touched;
}

}  // namespace conesweep::contact
