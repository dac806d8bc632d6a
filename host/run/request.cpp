#include "run/request.hpp"

#include "run/step_ranges.hpp"
#include "support/error.hpp"

namespace conesweep::runs {

void check_request(const Request& request) {
  if (request.goals.empty() && request.most)
    throw InputError(setting::most + " bounds " + setting::until + "; without it " + setting::members +
                     " says how many");
  if (request.force && request.resume)
    throw InputError(setting::force + " starts over and " + setting::resume + " goes on; give one of them");
  if (request.folder.empty() && (request.force || request.resume))
    throw InputError(setting::force + " and " + setting::resume + " are about a folder, and there is none");
  if (request.chunk != 0) check_chunk(request.chunk);
}

std::int64_t most_members(const Request& request, const scenario::Scenario& scenario) {
  if (request.goals.empty()) return scenario.ensemble.members;
  return bound_growth(scenario, request.most.value_or(1000 * scenario.ensemble.members));
}

}  // namespace conesweep::runs
