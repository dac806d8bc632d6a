#pragma once

#include "run/growth.hpp"
#include "run/quantity.hpp"
#include "tell/digest_summary.hpp"

/// What is asked of a run on its way, of members that are not kept.
namespace conesweep::runs {

/// The error that a goal is about (growth.hpp).
double error_of(const keep::Digest& digest, const tell::DigestErrors& errors, const Goal& goal);

/// The mean of a quantity so far: of an observable, or of the marks 0 and 1 of a class.
statistics::Moments moments_of(const keep::Digest& digest, const Quantity& quantity);

}  // namespace conesweep::runs
