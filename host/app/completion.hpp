#pragma once

#include <string>

#include "app/options.hpp"

namespace conesweep::app {

/// A script for a shell, bash or zsh, that completes commands, flags and their values: made from the commands themselves, so it knows all that --help tells.
std::string make_completion(const std::string& shell, const CLI::App& app, const Options::Offers& offers);

/// The shells there are scripts for.
inline const std::vector<std::string> completed_shells = {"bash", "zsh"};

}  // namespace conesweep::app
