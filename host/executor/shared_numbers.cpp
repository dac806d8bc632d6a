// Numbers that the host and the compiled step both give to the same thing. Columns carry them as plain numbers, so nothing else would notice when one side
// changes its list. (Reducers and kinds of windows have no shared number: generated code names them.)

#include <conesweep/step/member.hpp>

#include "executor/executor.hpp"

namespace conesweep::executor {
namespace {

template <class A, class B>
constexpr bool same_number(A a, B b) {
  return static_cast<int>(a) == static_cast<int>(b);
}

// statuses found inside a step
static_assert(same_number(Status::ok, step::no_reason) && same_number(Status::non_finite, step::non_finite) &&
              same_number(Status::bad_angle, step::bad_angle) && same_number(Status::bad_restitution, step::bad_restitution) &&
              same_number(Status::singular_gradient, step::singular_gradient) && same_number(Status::several_contacts, step::several_contacts));

}  // namespace
}  // namespace conesweep::executor
