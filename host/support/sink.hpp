#pragma once

#include <functional>
#include <string_view>

namespace conesweep {

/// Takes a text, piece by piece.
using Sink = std::function<void(std::string_view)>;

/// A text too long to be held: hands itself over whenever it is asked to, always the same.
using LongText = std::function<void(const Sink&)>;

}  // namespace conesweep
