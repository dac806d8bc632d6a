#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace conesweep::statistics {

/// The blocks of MergeTree in any order, from anybody: what the tree merges is merged as soon as it is there, up to
/// nodes of 2^level blocks, so that as many are left as somebody wants to look at one by one. The result is that of
/// MergeTree, to the bit.
template <class T>
class BlockTree {
 public:
  struct Node {
    int level = 0;  // 2^level blocks
    T sums;
  };

  /// Nodes grow no further. A higher level than before merges what is there.
  void limit(int level) {
    if (level <= most_) return;
    most_ = level;
    std::map<std::int64_t, Node> before = std::exchange(nodes_, {});
    for (auto& [first, node] : before) add(first, std::move(node));
  }

  /// Blocks first … first + 2^level - 1; none of them was there.
  void add(std::int64_t first, Node node) {
    while (node.level < most_) {
      const std::int64_t length = std::int64_t{1} << node.level;
      const auto beside = nodes_.find(first ^ length);
      if (beside == nodes_.end() || beside->second.level != node.level) break;
      node.sums = beside->first < first ? merge(std::move(beside->second.sums), std::move(node.sums))
                                        : merge(std::move(node.sums), std::move(beside->second.sums));
      first = std::min(first, beside->first);
      ++node.level;
      nodes_.erase(beside);
    }
    nodes_.emplace(first, std::move(node));
  }

  void add(BlockTree other) {
    limit(other.most_);
    for (auto& [first, node] : other.nodes_) add(first, std::move(node));
  }

  const std::map<std::int64_t, Node>& nodes() const { return nodes_; }
  int most() const { return most_; }

  /// All blocks 0, 1, … in runs of 2^level, level <= what nodes grow to; the last run may be shorter.
  std::vector<T> runs(int level) const {
    std::vector<T> all;
    std::vector<Node> open;  // of the run that is not full, largest first
    const auto close = [&] {
      if (open.empty()) return;
      T run = std::move(open.back().sums);
      for (auto node = open.rbegin() + 1; node != open.rend(); ++node)
        run = merge(std::move(node->sums), std::move(run));
      open.clear();
      all.push_back(std::move(run));
    };
    std::int64_t run = 0;
    for (const auto& [first, node] : nodes_) {
      if (first >> level != run) close(), run = first >> level;
      open.push_back(node);
      while (open.size() > 1 && open.back().level == open[open.size() - 2].level && open.back().level < level) {
        Node last = std::move(open.back());
        open.pop_back();
        open.back() = {last.level + 1, merge(std::move(open.back().sums), std::move(last.sums))};
      }
    }
    close();
    return all;
  }

  /// All of them; T{} of none.
  T total() const {
    std::vector<T> all = runs(62);
    return all.empty() ? T{} : std::move(all.front());
  }

 private:
  int most_ = 0;
  std::map<std::int64_t, Node> nodes_;  // by the first block
};

}  // namespace conesweep::statistics
