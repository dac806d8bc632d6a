#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace conesweep::statistics {

/// Merges blocks in a fixed tree as they come: neighbours 0 + 1, 2 + 3, …, an odd last one as it is; then again, until
/// one is left. It keeps one part for each bit of their number, as a binary counter does: the full trees of 2^k blocks,
/// largest first. T has merge(a, b), found by its namespace. The result depends on the list of blocks alone, not on who
/// computed which.
template <class T>
class MergeTree {
 public:
  void add(T block) {
    for (std::int64_t n = count_++; n % 2 == 1; n /= 2) {
      block = merge(std::move(parts_.back()), std::move(block));
      parts_.pop_back();
    }
    parts_.push_back(std::move(block));
  }

  /// All that was added, or T{}; empties the tree.
  T finish() {
    if (parts_.empty()) return {};
    T all = std::move(parts_.back());
    for (auto part = parts_.rbegin() + 1; part != parts_.rend(); ++part) all = merge(std::move(*part), std::move(all));
    parts_.clear();
    count_ = 0;
    return all;
  }

  std::int64_t count() const { return count_; }  // blocks

 private:
  std::int64_t count_ = 0;
  std::vector<T> parts_;
};

/// All blocks of a list.
template <class T>
T merge_in_tree(const std::vector<T>& blocks) {
  MergeTree<T> tree;
  for (const T& block : blocks) tree.add(block);
  return tree.finish();
}

}  // namespace conesweep::statistics
