#pragma once

#include <conesweep/math/elementary.hpp>

namespace conesweep {

// All functions by number, so that one loop or one kernel serves them all; without the standard library, for NVRTC.
inline constexpr const char* function_names[] = {"sin",   "cos",   "tan",  "asin",  "acos",     "atan", "sinh",
                                                 "cosh",  "tanh",  "exp",  "log",   "log10",    "sign", "sqrt",
                                                 "abs",   "floor", "ceil", "round", "cubed",    "pow",  "atan2",
                                                 "hypot", "mod",   "min",  "max",   "copysign", "fma"};
inline constexpr int function_count = sizeof(function_names) / sizeof(function_names[0]);

template <class Real>
CS_HD Real evaluate(int function, Real x, Real y) {
  switch (function) {
    case 0: return sin(x);
    case 1: return cos(x);
    case 2: return tan(x);
    case 3: return asin(x);
    case 4: return acos(x);
    case 5: return atan(x);
    case 6: return sinh(x);
    case 7: return cosh(x);
    case 8: return tanh(x);
    case 9: return exp(x);
    case 10: return log(x);
    case 11: return log10(x);
    case 12: return sign(x);
    case 13: return sqrt(x);
    case 14: return abs(x);
    case 15: return floor(x);
    case 16: return ceil(x);
    case 17: return round_to_nearest(x);
    case 18: return pow_int<3>(x);
    case 19: return pow(x, y);
    case 20: return atan2(x, y);
    case 21: return hypot(x, y);
    case 22: return mod(x, y);
    case 23: return min(x, y);
    case 24: return max(x, y);
    case 25: return copysign(x, y);
    default: return fma(x, y, x);
  }
}

}  // namespace conesweep
