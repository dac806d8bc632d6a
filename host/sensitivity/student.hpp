#pragma once

namespace conesweep::sensitivity {

/// Half the width of a 95 % interval in standard errors, by Student's t with so many degrees of freedom.
double student_reach(double degrees);

/// The share of a normal distribution that lies below -z.
double normal_tail(double z);

}  // namespace conesweep::sensitivity
