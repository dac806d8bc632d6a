#pragma once

#include <optional>

#include "executor/reference/judgement.hpp"
#include "executor/reference/member.hpp"
#include "executor/reference/percussions.hpp"

namespace conesweep::executor::reference {

/// Where a member stands between or within its steps: all that a step reads or leaves behind, but the past.
struct Standing {
  Vector q, v;
  coupled::Matrix mass;      // of the newest piece
  StepPiece last_piece;      // of the step
  std::vector<double> lost;  // when a persistent contact was lost (T)
  LawValues laws;
  std::uint8_t flags = 0;
};

/// A member that takes its steps one by one, each from wherever it is put: what a judge asks of it.
class SteppedMember {
 public:
  virtual ~SteppedMember() = default;

  virtual void begin() = 0;  // node 0
  virtual Standing standing() const = 0;
  virtual void stand(const Standing& where) = 0;
  virtual Present& present() = 0;

  /// (O10) Does the member end at node i, which it stands at?
  virtual bool is_over(std::int64_t i) = 0;

  /// Step i from where it stands to the begin of the step's last piece; move_to_end goes on to the next node (P5),
  /// (B5). They throw Stop.
  virtual NodeRecord take_step(std::int64_t i) = 0;
  virtual void move_to_end() = 0;

  /// Is step i split by percussions (B6)? Into how many pieces?
  virtual std::size_t count_pieces(std::int64_t i) const = 0;
  bool is_split(std::int64_t i) const { return count_pieces(i) > 1; }

  /// May step i, solved as one stretch, end with v? None where one contact alone is solved in closed form.
  virtual std::optional<StepJudgement> judge_together(std::int64_t i, const Vector& v, double accepted) = 0;

  /// May step i go through these parts? Each is judged from where the one before it ended; the member then stands where
  /// the last one begins to move. They are as many as the step has.
  virtual StepJudgement judge_parts(std::int64_t i, const std::vector<StepPart>& parts, double accepted) = 0;

  /// Shows node i and the step that begins there, or the last node; then the motion goes on to the next one.
  virtual void show(const NodeRecord& node, const NodeVisitor& visit) = 0;
  virtual void show_last(std::int64_t i, Mode mode, const NodeVisitor& visit) = 0;
  virtual void add_node(const Vector& q, const Vector& v_before) = 0;
};

}  // namespace conesweep::executor::reference
