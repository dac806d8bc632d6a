#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace conesweep::io {

/// JSON for people: a list of numbers, or an object of numbers and words, on one line. NaN and infinity become null.
std::string format_json(const nlohmann::ordered_json& json);

}  // namespace conesweep::io
