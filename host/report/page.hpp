#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/facts.hpp"
#include "report/panels.hpp"

namespace conesweep::report {

/// Runs in their folders. Those whose folders are called alike get longer labels.
Runs read_runs(const std::vector<std::filesystem::path>& folders);

/// A page of its own: no file, no network, complete without script; at most a megabyte, whatever the ensemble.
/// Settings are spelled as those know them who will read it.
std::string make_page(const Runs& runs, Spelling spelling = spell_plainly);
inline constexpr std::size_t most_bytes = 1'000'000;

/// What stands above all sections of it: title, what was run, warnings.
std::string make_head(const Runs& runs, Spelling spelling = spell_plainly);

/// Has its name when it is whole (io/new_file.hpp). InputError if another program's file stands there and `force` is
/// not set.
void write_page(const std::filesystem::path& file, const std::string& page, bool force);

/// Both: the page of runs in their folders, in a file. Returns sentences about studies in the folders that are not
/// drawn.
std::vector<std::string> report_runs(const std::vector<std::filesystem::path>& folders,
                                     const std::filesystem::path& file, bool force, Spelling spelling = spell_plainly);

// page_style.cpp
std::string page_style();
std::string page_script();

}  // namespace conesweep::report
