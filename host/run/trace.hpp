#pragma once

#include <atomic>
#include <cstdint>

#include "executor/reference/member.hpp"
#include "scenario/scenario.hpp"
#include "support/sink.hpp"

namespace conesweep::runs {

/// Which member is traced, and which of its nodes have a row: every so many, and all with an impact.
struct TraceRequest {
  std::int64_t member = 0;
  std::int64_t every = 1;
};

/// InputError where there is no such member.
void check_trace(const scenario::Scenario& scenario, const TraceRequest& request);

/// One member by the reference executor, as CSV with a commented head: a line a node, handed over in pieces. Throws
/// Interrupted when it is stopped.
executor::reference::MemberEnd trace_member(const scenario::Scenario& scenario, const TraceRequest& request,
                                            const std::atomic<bool>* stop, const Sink& rows);

}  // namespace conesweep::runs
