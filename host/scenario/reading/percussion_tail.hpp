#pragma once

#include <functional>
#include <optional>

namespace conesweep::scenario {

/// An upper bound of Σ_{j > count} a_j for sizes a_j > 0 given by a formula, which is asked beyond `count`; none where
/// none is known.
///
/// A family that vanishes fast (2^-j) is summed until nothing changes any more. One that falls like a power of j is
/// bounded by Raabe's test: where j (a_j/a_{j+1} - 1) >= p > 1 from J on, the rest adds up to at most J a_J/(p - 1).
/// Formulas are asked at few places, so this is what holds if they go on as they begin: p is asked up to j of some ten
/// millions, and must have settled there.
std::optional<double> bound_tail(const std::function<double(double)>& size, double count);

}  // namespace conesweep::scenario
