#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "run/request.hpp"
#include "run/shared_round.hpp"

namespace conesweep::runs {

/// What others must know to step members of a run, and what becomes of what they report.
struct Sharing {
  std::uint64_t run = 0;              // hash of what must be the same for all
  std::filesystem::path folder = {};  // of the run; empty: the chunks lie in memory
  bool whole_blocks = false;          // pieces begin where blocks do
  std::function<void(ChunkReport)> take = {};
};

/// Who steps the members of a run: this process alone, or a team that it leads.
class Crew {
 public:
  Crew() = default;
  virtual ~Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  virtual int ranks() const = 0;

  /// Members in a chunk, `asked` of which are asked for (0: as many as do). `whole_blocks`: no rank takes less than a
  /// block.
  virtual std::int64_t choose_chunk(const executor::Model& model, const scenario::Scenario& scenario,
                                    std::int64_t asked, bool whole_blocks) const = 0;

  /// Steps what is missing. `keep` has the members that were stepped here, `sharing` those of others.
  virtual void step(const Stepping& members, std::vector<Gap> missing, const Keep& keep, const Sharing& sharing) = 0;
};

std::unique_ptr<Crew> make_crew(const Request& request);

}  // namespace conesweep::runs
