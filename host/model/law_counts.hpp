#pragma once

#include <string>

#include "scenario/scenario.hpp"

namespace conesweep::model {

/// struct Laws: how many laws there are, and of which kind (include/conesweep/state/laws.hpp).
std::string write_law_counts(const scenario::Problem& problem);

/// Which kinds of law a unit solves, before all headers: a compiler leaves out the others.
std::string write_law_kinds(const scenario::Problem& problem);

/// How many bilateral constraints have friction (G).
int count_guides(const scenario::Problem& problem);

/// Of percussions.
int count_families(const scenario::Problem& problem);

/// -1, 1: an end of a set that is written as -inf or inf; 0: a number.
int infinite_sign(const scenario::Formula& formula);

}  // namespace conesweep::model
