#pragma once

#include "support/sentence.hpp"

namespace conesweep::app {

/// How the program spells the settings of the library: --levels-max, --step 0.01.
std::string spell_as_flag(const Mention& mention);

/// A sentence of the library as the program says it.
inline std::string in_flags(const Sentence& sentence) { return sentence.text(spell_as_flag); }

}  // namespace conesweep::app
