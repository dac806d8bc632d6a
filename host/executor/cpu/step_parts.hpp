#pragma once

#include <vector>

#include "executor/executor.hpp"
#include "executor/step_part.hpp"
#include "model/compiler.hpp"

namespace conesweep::executor::cpu {

/// Has members step once more, with the same numbers, and tell the parts of their steps.
class StepParts {
 public:
  StepParts(const scenario::Problem& problem, const std::vector<int>& columns, Precision precision);

  /// All parts of all steps of member m of the chunk, one after the other, up to its end or to where it stops.
  std::vector<StepPart> find(const scenario::Setup& setup, const Chunk& chunk, std::int64_t m) const;

 private:
  template <class Scalar>
  std::vector<StepPart> find_in(const scenario::Setup& setup, const Chunk& chunk, std::int64_t m) const;

  OutcomeShape shape_;
  Precision precision_;
  model::CompiledUnit unit_;
};

}  // namespace conesweep::executor::cpu
