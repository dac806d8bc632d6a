#pragma once

#include "expression/tree.hpp"

// The user's formulas as they are computed.

namespace conesweep::model {

/// The formula with its constants folded. expression::simplify() would go further and lose a NaN: 0 * log(-1) is a
/// member that stops.
expression::Expr fold(const expression::Expr& formula);

/// The formula with its constants folded, and windows that need not look through all nodes written so that they do not.
expression::Expr prepared(const expression::Expr& formula);

/// Is there a now(…) in it?
bool sees_present(const expression::Expr& expr);

}  // namespace conesweep::model
