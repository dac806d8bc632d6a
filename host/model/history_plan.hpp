#pragma once

#include <map>
#include <set>
#include <vector>

#include "expression/states.hpp"
#include "scenario/scenario.hpp"

namespace conesweep::model {

/// What a problem's formulas ask of the past: which lags there are, which windows, and which columns of the ring they
/// read.
class HistoryPlan {
 public:
  explicit HistoryPlan(const scenario::Problem& problem);

  /// Numbers of the state, of each kind by index.
  using States = std::map<expression::Symbol::Kind, std::set<int>>;

  /// A delay, or a window's length.
  struct Lag {
    expression::Expr length;
    States read = {};  // at it
  };
  struct Window {
    expression::Expr node;
    int lag;
    int place;  // among those that are gathered; -1: it sees the present, and looks through all nodes
  };

  const std::vector<Lag>& lags() const { return lags_; }
  const std::vector<Window>& windows() const { return windows_; }
  int gathered_windows() const { return gathered_windows_; }

  /// What of the state is in the ring, kind by kind: the indices of one kind.
  std::vector<int> columns(expression::Symbol::Kind kind) const;

  /// Numbers of a node that go into the ring.
  long ring_columns() const;

  /// The place of a length, of a window (a node of a prepared formula), of a number of the state among the columns of
  /// its kind: they are there.
  int lag_of(const expression::Expr& length) const;
  int window_of(const expression::Expr& node) const;
  int column_of(expression::Symbol state) const;

 private:
  void collect(const expression::Expr& formula);
  void keep_parabolas();
  int add_lag(const expression::Expr& length);

  std::vector<Lag> lags_;
  std::vector<Window> windows_;
  States in_ring_;
  int gathered_windows_ = 0;
};

/// Does the cost of this window functional grow with its length? Those that see the present do, but for
/// window_max(abs(x - now(x)), delta).
bool looks_through_all_nodes(const expression::Expr& window);

/// How many numbers of a node its history needs.
long count_ring_columns(const scenario::Problem& problem);

}  // namespace conesweep::model
