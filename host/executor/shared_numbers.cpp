// Numbers that the host and the compiled step both give to the same thing. Generated code and device columns carry them as plain numbers, so nothing else
// would notice when one side changes its list.

#include <conesweep/history/window.hpp>
#include <conesweep/observe/reducers.hpp>
#include <conesweep/state/status.hpp>

#include "executor/executor.hpp"
#include "expression/tree.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::executor {
namespace {

template <class A, class B>
constexpr bool same_number(A a, B b) {
  return static_cast<int>(a) == static_cast<int>(b);
}

// statuses and modes
using Found = state::Status;
static_assert(same_number(Status::ok, Found::ok) && same_number(Status::non_finite, Found::non_finite) && same_number(Status::bad_angle, Found::bad_angle) &&
              same_number(Status::bad_restitution, Found::bad_restitution) && same_number(Status::bad_delay, Found::bad_delay) &&
              same_number(Status::singular_gradient, Found::singular_gradient) && same_number(Status::several_contacts, Found::several_contacts) &&
              same_number(Status::start_outside, Found::start_outside));
static_assert(same_number(Mode::flight, state::Mode::flight) && same_number(Mode::slip, state::Mode::slip) && same_number(Mode::stick, state::Mode::stick));

// reducers
using scenario::Reducer;
static_assert(same_number(Reducer::final, observe::reduce_final) && same_number(Reducer::min, observe::reduce_min) &&
              same_number(Reducer::max, observe::reduce_max) && same_number(Reducer::mean, observe::reduce_mean) &&
              same_number(Reducer::integral, observe::reduce_integral) && same_number(Reducer::first_time, observe::reduce_first_time) &&
              same_number(Reducer::last_time, observe::reduce_last_time) && same_number(Reducer::count, observe::reduce_count));

// kinds of windows, counted from the first
using expression::Op;
constexpr int window_number(Op op) { return static_cast<int>(op) - static_cast<int>(Op::window_max); }
static_assert(window_number(Op::window_max) == history::window_max && window_number(Op::window_min) == history::window_min &&
              window_number(Op::window_mean) == history::window_mean);

}  // namespace
}  // namespace conesweep::executor
