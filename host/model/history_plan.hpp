#pragma once

#include <set>
#include <vector>

#include "scenario/scenario.hpp"

namespace conesweep::model {

/// What a problem's formulas ask of the past: which lags there are, which windows, and which columns of the ring they
/// read.
class HistoryPlan {
 public:
  explicit HistoryPlan(const scenario::Problem& problem);

  /// A delay, or a window's length.
  struct Lag {
    expression::Expr length;
    std::set<int> q, v;  // coordinates and velocities read at it
  };
  struct Window {
    expression::Expr node;
    int lag;
    int place;  // among those that are gathered; -1: it sees the present, and looks through all nodes
  };

  const std::vector<Lag>& lags() const { return lags_; }
  const std::vector<Window>& windows() const { return windows_; }
  const std::vector<int>& q_columns() const { return q_columns_; }  // of the ring: which coordinates, which velocities
  const std::vector<int>& v_columns() const { return v_columns_; }
  int gathered_windows() const { return gathered_windows_; }

  /// Numbers of a node that go into the ring.
  long ring_columns() const { return static_cast<long>(q_columns_.size() + v_columns_.size()) + gathered_windows_; }

  /// The place of a length, of a window (a node of a prepared formula), of a coordinate's or velocity's column: they
  /// are there.
  int lag_of(const expression::Expr& length) const;
  int window_of(const expression::Expr& node) const;
  int q_column_of(int coordinate) const;
  int v_column_of(int coordinate) const;

 private:
  void collect(const expression::Expr& formula);
  int add_lag(const expression::Expr& length);

  std::vector<Lag> lags_;
  std::vector<Window> windows_;
  std::vector<int> q_columns_, v_columns_;
  int gathered_windows_ = 0;
};

/// Does the cost of this window functional grow with its length? Those that see the present do, but for
/// window_max(abs(x - now(x)), delta).
bool looks_through_all_nodes(const expression::Expr& window);

/// How many numbers of a node its history needs.
long count_ring_columns(const scenario::Problem& problem);

}  // namespace conesweep::model
