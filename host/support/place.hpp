#pragma once

#include <filesystem>
#include <vector>

namespace conesweep {

/// The file from which this function was loaded, as the loader found it; empty where it does not know.
std::filesystem::path file_of(const void* function);

/// The folder that this library lies in. What was built or installed with it lies there too.
std::filesystem::path own_folder();

/// Does this library lie in the Python package conesweep, where pip put it?
bool is_python_package();

/// Folders whose entries are Python packages, in the order in which they are asked: that of our own package where we
/// are one, then those of the environment that is active ($VIRTUAL_ENV).
std::vector<std::filesystem::path> python_folders();

}  // namespace conesweep
