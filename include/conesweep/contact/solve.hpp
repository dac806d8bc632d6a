#pragma once

#include <conesweep/contact/one_block.hpp>
#include <conesweep/contact/several.hpp>

namespace conesweep::contact {

/// Contacts of a particle turn the prospective velocity w into v, and leave a record. Returns true if some contact
/// pushes in some lane.
template <class Real, class Model, bool Checked>
CS_INLINE bool solve(Passage<Real, Model, Checked>& s) {
  s.record.start();
  if constexpr (Checked)
    unroll<Model::dimension>(
        [&](auto c) CS_LAMBDA { note_reason(s.record.reason.value, !is_finite(s.w[c]), Status::non_finite); });
  Real reason_of_law = Real(0);
  bool touched = false;
  if constexpr (Model::contacts > 1 || state::is_located<Model>())
    touched = solve_several(s, reason_of_law);
  else if constexpr (Model::contacts == 1)
    touched = solve_block<0>(s, Real(0) == Real(0), reason_of_law);
  // contacts are found first, then solved
  if constexpr (Checked) note_reason(s.record.reason.value, reason_of_law != Real(0), Status(int(reason_of_law)));
  return touched;
}

}  // namespace conesweep::contact
