#pragma once

#include <utility>
#include <vector>

#include "conesweep/conesweep.hpp"
#include "executor/executor.hpp"
#include "scenario/reading/examine.hpp"
#include "support/error.hpp"

/// What is behind the types of the public headers.
namespace conesweep::api {

/// A scenario that was read, and is valid: its problems are warnings.
struct ScenarioParts : scenario::Examined {
  scenario::Overrides overrides;  // what stands in place of what the text says
  std::vector<Problem> warnings;
};

/// Its problems as they are handed out, and notes where it could be read.
std::vector<Problem> to_problems(const scenario::Examined& examined);

/// Makes changes, one after the other, of a text and of what overrides it.
void apply(const Changes& changes, std::string& text, scenario::Overrides& overrides);

/// The numbers of statuses, as they are handed out.
inline std::vector<std::uint8_t> to_bytes(const std::vector<executor::Status>& status) {
  std::vector<std::uint8_t> bytes;
  for (const executor::Status one : status) bytes.push_back(static_cast<std::uint8_t>(one));
  return bytes;
}

/// InputError, named, unless the value is finite.
double finite(const std::string& name, double value);

struct Access {
  static const ScenarioParts& parts(const Scenario& scenario) { return *scenario.parts_; }

  /// ScenarioError with all problems.
  static Scenario examine(scenario::Source source, const Changes& changes = {}, scenario::Overrides overrides = {});
};

/// Does something for a user of the library: what is thrown has the types of the public headers.
template <class Work>
auto tell_plainly(const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw ScenarioError(error.what());
  } catch (const Interrupted& stop) {
    throw Cancelled(stop.what());
  }
}

}  // namespace conesweep::api
