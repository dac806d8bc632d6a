#include "sensitivity/student.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

// Boost's distributions take a compiler some 8 s; one file pays for all of this room.
namespace conesweep::sensitivity {

double student_reach(double degrees) { return boost::math::quantile(boost::math::students_t(degrees), 0.975); }

double normal_tail(double z) { return boost::math::cdf(boost::math::normal(), -z); }

}  // namespace conesweep::sensitivity
