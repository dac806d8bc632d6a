#pragma once

namespace conesweep::app {

/// A scenario to begin with: every section explained, valid as it is.
extern const char starter_text[];

}  // namespace conesweep::app
