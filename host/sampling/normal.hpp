#pragma once

#include <boost/math/distributions/normal.hpp>

namespace conesweep::sampling {

/// Plain double inside, so that a value does not depend on how wide long double is; an infinite quantile is a value.
using Policy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>>;
using Normal = boost::math::normal_distribution<double, Policy>;

/// Φ and its inverse.
inline double normal_probability(double z) { return boost::math::cdf(Normal(), z); }
inline double normal_quantile(double u) { return boost::math::quantile(Normal(), u); }

}  // namespace conesweep::sampling
