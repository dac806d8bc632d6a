#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::scenario {

/// What is right, but worth knowing.
struct Note {
  FilePlace place;
  std::string message;
};

/// Of the laws: on which velocities the friction of every contact and guide acts (B8), (G), where friction does not act
/// back on the force it is made of (B4), and what the percussions of a resistance add up to (B6).
std::vector<Note> describe_laws(const Scenario& scenario);

/// Which laws meet (B11), which way each takes and what that costs; of a particle nothing.
std::vector<Note> describe_islands(const Scenario& scenario);

}  // namespace conesweep::scenario
