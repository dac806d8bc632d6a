#pragma once

#include <string>
#include <string_view>

namespace conesweep {

/// Text as HTML and XML want it.
std::string escape(std::string_view text);

}  // namespace conesweep
