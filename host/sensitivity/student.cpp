#include "sensitivity/student.hpp"

#include <boost/math/distributions/students_t.hpp>

#include "sampling/normal.hpp"

// Boost's distributions take a compiler some seconds; one file pays for all of this room.
namespace conesweep::sensitivity {

double student_reach(double degrees) {
  return boost::math::quantile(boost::math::students_t_distribution<double, sampling::Policy>(degrees), 0.975);
}

double normal_tail(double z) { return sampling::normal_probability(-z); }

}  // namespace conesweep::sensitivity
