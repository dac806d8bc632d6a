#include "io/version.hpp"

namespace conesweep::io {

std::string version() { return CONESWEEP_VERSION; }

}  // namespace conesweep::io
