#pragma once

#include <string>

namespace conesweep::io {

/// Of conesweep, as files and `--version` tell it.
std::string version();

/// Raised with every entry under *Numerics* in CHANGELOG.md: members of two such numbers do not fit together.
inline constexpr int numerics_version = 3;

}  // namespace conesweep::io
