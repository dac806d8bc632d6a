#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// Which theorem covers a scenario. docs/theory.md, "What is proven, and what it costs", has them in the same words.
enum class Theorem {
  none,
  cauchy,        // no contacts and no resistances: an ordinary differential equation, or one with delays
  delay,         // [MonteiroMarquesDzonou2017]
  persistent,    // [MartinsMonteiroMarquesPetrov2004]
  analytic,      // [Ballard2002], section 3
  resistances,   // [Ballard2002], sections 5 and 6
  moving_plane,  // [LaghdirMonteiroMarques1995]
};

struct Coverage {
  Theorem theorem;
  // whose it is, what it promises, what is assumed; none: what goes beyond the one that comes nearest
  std::string words;
};

/// Claims a theorem only where all of its hypotheses that can be read off the formulas hold; the others are said to be
/// assumed.
Coverage find_theorem(const Scenario& scenario);

}  // namespace conesweep::scenario
