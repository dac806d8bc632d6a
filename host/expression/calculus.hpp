#pragma once

#include "expression/tree.hpp"

namespace conesweep::expression {

/// The same function with fewer operations.
///
/// Every rule keeps finite values: where the operands are finite, the simplified tree has the value of the original
/// one, to the last bit (0 and -0 count as equal). So nothing is reassociated, and a division stays a division. Only
/// operations whose result IEEE 754 prescribes are folded; sin(1) is left to the executor's own sin.
Expr simplify(const Expr& expr);

/// The partial derivative with respect to `symbol`, simplified. At a kink of min, max and if that of the branch taken,
/// of abs 0; of sign, floor and ceil 0 everywhere. History terms do not depend on the present: their derivative is 0.
Expr differentiate(const Expr& expr, Symbol symbol);

}  // namespace conesweep::expression
