#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace conesweep::runs {

/// Pieces of a chunk that come in any order, each to be handed on after the one before it in its block: by the thread
/// that brings what was waited for.
class InOrder {
 public:
  using Hand = std::function<void(std::int64_t piece)>;
  InOrder(std::int64_t blocks, Hand hand) : lines_(static_cast<std::size_t>(blocks)), hand_(std::move(hand)) {}

  /// Piece `place` of a block is there; `piece` is what it is called.
  void bring(std::int64_t block, std::int64_t place, std::int64_t piece) {
    Line& line = lines_[static_cast<std::size_t>(block)];
    std::unique_lock lock(line.guard);
    line.waiting.emplace(place, piece);
    if (line.busy) return;
    line.busy = true;
    for (auto next = line.waiting.find(line.next); next != line.waiting.end(); next = line.waiting.find(line.next)) {
      const std::int64_t one = next->second;
      line.waiting.erase(next);
      lock.unlock();
      hand_(one);
      lock.lock();
      ++line.next;
    }
    line.busy = false;
  }

 private:
  struct Line {
    std::mutex guard;
    std::map<std::int64_t, std::int64_t> waiting;  // by their places
    std::int64_t next = 0;
    bool busy = false;
  };
  std::vector<Line> lines_;  // [block]
  Hand hand_;
};

}  // namespace conesweep::runs
