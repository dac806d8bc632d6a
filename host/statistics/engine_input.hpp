#pragma once

#include <vector>

#include "statistics/engine.hpp"
#include "support/error.hpp"

// What the engines share before they start: shapes are checked, statuses become what the common text reads.

namespace conesweep::statistics {

/// Statuses as plain numbers; 0 is ok.
inline const unsigned char* plain(std::span<const executor::Status> status) {
  static_assert(sizeof(executor::Status) == 1 && static_cast<int>(executor::Status::ok) == 0);
  return reinterpret_cast<const unsigned char*>(status.data());
}

/// The members of a block of tracks that are ok.
inline std::vector<long> ok_rows(std::span<const double> track, std::span<const executor::Status> status,
                                 std::int64_t times) {
  CS_ASSERT(times >= 0 && track.size() == status.size() * static_cast<std::size_t>(times));
  CS_ASSERT(status.size() <= static_cast<std::size_t>(block_members));
  std::vector<long> rows;
  for (std::size_t member = 0; member < status.size(); ++member)
    if (status[member] == executor::Status::ok) rows.push_back(static_cast<long>(member));
  return rows;
}

}  // namespace conesweep::statistics
