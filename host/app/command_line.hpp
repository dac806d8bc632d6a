#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace conesweep::app {

/// A misspelt command or flag gets the closest known one; CLI11 only says that it was not expected.
std::string describe_unexpected(const CLI::App& app, const std::vector<std::string>& words);

/// An empty text is no value: "$MEMBERS" of a script that forgot to set it.
void refuse_empty(CLI::App& command);

}  // namespace conesweep::app
