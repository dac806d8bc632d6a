#pragma once

#include <optional>

#include "scenario/reading/reader.hpp"

namespace conesweep::scenario {

/// A scenario that was read and tried, and all that is wrong with it or worth a warning: what a command does before it
/// computes anything.
struct Examined {
  Source source;
  std::optional<Scenario> scenario;  // none: it cannot be read
  Faults problems;

  bool is_valid() const { return scenario.has_value() && !has_errors(problems); }
};

/// Reads the text, then tries the first members (`tried_members`).
Examined examine(Source source, const Overrides& overrides = {});

}  // namespace conesweep::scenario
