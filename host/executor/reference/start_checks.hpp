#pragma once

#include "executor/reference/present.hpp"

namespace conesweep::executor::reference {

/// Stops with start_outside where the start penetrates a contact by more than rounding, and with bad_start (B9) where
/// it
///
///   - breaks a bilateral constraint: |φ|/|∇φ| > 1e-9 (1 + |q|), or |u| > 1e-9 (1 + |v|);
///   - slides where a resistance has no limit: -u ∈ N_Λ(λ) has no solution λ then (a freewheel that turns the forbidden
///     way).
///
/// Names mean the start already.
void require_good_start(const scenario::Scenario& scenario, const Present& present, const Place& start,
                        const Vector& v);

}  // namespace conesweep::executor::reference
