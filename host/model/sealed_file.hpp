#pragma once

#include <optional>
#include <string>

namespace conesweep::model {

/// Files that are run when they are read: each ends with a seal, a hash of its name and its bytes. It finds damage, not
/// an adversary: against that a file must belong to us and be writable by no other user.
///
/// The content of the file `name` in an open folder, without its seal; nothing if it is not there, not ours, no regular
/// file (a FIFO does not block, a link is not followed), or not what was written. What was checked is what is returned:
/// the file is opened once.
std::optional<std::string> read_sealed(int folder, const std::string& name);

/// Writes it in the folder `work` and moves it to `folder`: readers see it whole or not at all. False if the system
/// refuses.
bool write_sealed(int work, int folder, const std::string& name, const std::string& content);

}  // namespace conesweep::model
