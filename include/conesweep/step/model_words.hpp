#pragma once

// The words that a model is written in, by the generator or by hand: functions, range checks, kinds of windows,
// reducers.

#include <conesweep/history/window.hpp>
#include <conesweep/law/coulomb_cone.hpp>
#include <conesweep/math/elementary.hpp>
#include <conesweep/math/unroll.hpp>
#include <conesweep/observe/reducers.hpp>
#include <conesweep/state/laws.hpp>
