#pragma once

#include <string>
#include <vector>

#include "scenario/reading/examine.hpp"
#include "scenario/reading/notes.hpp"
#include "support/sentence.hpp"

namespace conesweep::api {

/// What is right with a scenario, but worth knowing: of its laws, of what its history costs, which theorem covers it.
std::vector<scenario::Note> find_notes(const scenario::Scenario& scenario, const scenario::Source& source);

/// All problems, and the notes of a scenario that could be read.
std::string check_json(const scenario::Examined& examined, Spelling spelling = spell_plainly);

}  // namespace conesweep::api
