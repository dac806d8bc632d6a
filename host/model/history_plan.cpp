#include "model/history_plan.hpp"

#include <algorithm>

#include "model/formula.hpp"
#include "scenario/formulas.hpp"
#include "support/error.hpp"

namespace conesweep::model {

using expression::Expr;
using expression::Node;
using expression::Op;
using expression::Symbol;

namespace {

// inside a window now(…) means the present
void collect_columns(const Expr& expr, HistoryPlan::Lag& lag) {
  if (expr->op == Op::now) return;
  if (expr->op == Op::symbol && expression::kind_of_state(expr->symbol.kind) != nullptr)
    lag.read[expr->symbol.kind].insert(expr->symbol.index);
  for (const auto& arg : expr->args) collect_columns(arg, lag);
}

// The place of the first entry whose `tree` is the wanted one; as many as there are: none.
template <class Entry>
std::size_t find_tree(const std::vector<Entry>& entries, Expr Entry::*tree, const Expr& wanted) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return expression::same_tree(entry.*tree, wanted); });
  return static_cast<std::size_t>(found - entries.begin());
}

}  // namespace

HistoryPlan::HistoryPlan(const scenario::Problem& problem) {
  scenario::for_each_formula(problem,
                             [&](std::string_view, const scenario::Formula& formula) { collect(formula.tree); });
  for (const Lag& lag : lags_)
    for (const auto& [kind, indices] : lag.read) in_ring_[kind].insert(indices.begin(), indices.end());
  if (problem.order == 2) keep_parabolas();
}

// (A10) a motion between two nodes is known by places and velocities there; windows look through nodes and more
void HistoryPlan::keep_parabolas() {
  std::set<int> all;
  for (const auto& [kind, indices] : in_ring_) all.insert(indices.begin(), indices.end());
  for (Lag& lag : lags_) lag.read[Symbol::Kind::coordinate] = all;
  if (!lags_.empty()) in_ring_[Symbol::Kind::coordinate] = in_ring_[Symbol::Kind::velocity] = all;
  for (Window& window : windows_) window.place = -1;
  gathered_windows_ = 0;
}

std::vector<int> HistoryPlan::columns(Symbol::Kind kind) const {
  const auto found = in_ring_.find(kind);
  return found == in_ring_.end() ? std::vector<int>() : std::vector<int>(found->second.begin(), found->second.end());
}

long HistoryPlan::ring_columns() const {
  long count = gathered_windows_;
  for (const auto& [kind, indices] : in_ring_) count += std::ssize(indices);
  return count;
}

void HistoryPlan::collect(const Expr& formula) {
  expression::for_each_node(prepared(formula), [&](const Expr& node) {
    if (!expression::is_history(node->op) || node->op == Op::now) return;
    const int lag = add_lag(node->args[1]);
    collect_columns(node->args[0], lags_[static_cast<std::size_t>(lag)]);
    if (node->op == Op::delay || find_tree(windows_, &Window::node, node) < windows_.size()) return;
    windows_.push_back({node, lag, sees_present(node->args[0]) ? -1 : gathered_windows_++});
  });
}

int HistoryPlan::add_lag(const Expr& length) {
  const std::size_t place = find_tree(lags_, &Lag::length, length);
  if (place == lags_.size()) lags_.push_back({length});
  return static_cast<int>(place);
}

int HistoryPlan::lag_of(const Expr& length) const {
  const std::size_t place = find_tree(lags_, &Lag::length, length);
  CS_ASSERT(place < lags_.size());
  return static_cast<int>(place);
}

int HistoryPlan::window_of(const Expr& node) const {
  const std::size_t place = find_tree(windows_, &Window::node, node);
  CS_ASSERT(place < windows_.size());
  return static_cast<int>(place);
}

int HistoryPlan::column_of(Symbol state) const {
  const std::vector<int> all = columns(state.kind);
  const auto found = std::find(all.begin(), all.end(), state.index);
  CS_ASSERT(found != all.end());
  return static_cast<int>(found - all.begin());
}

bool looks_through_all_nodes(const Expr& window) {
  return expression::any_node(prepared(window), [](const Node& n) {
    return expression::is_history(n.op) && n.op != Op::delay && n.op != Op::now && sees_present(n.args[0]);
  });
}

long count_ring_columns(const scenario::Problem& problem) { return HistoryPlan(problem).ring_columns(); }

}  // namespace conesweep::model
