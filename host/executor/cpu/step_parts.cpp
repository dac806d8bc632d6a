#include "executor/cpu/step_parts.hpp"

#include "executor/columns.hpp"
#include "model/unit.hpp"

namespace conesweep::executor::cpu {
namespace {

void hear(void* to, const double* v, int dimension, bool arrival) {
  static_cast<std::vector<StepPart>*>(to)->push_back({Eigen::Map<const Eigen::VectorXd>(v, dimension), arrival});
}

}  // namespace

StepParts::StepParts(const scenario::Problem& problem, const std::vector<int>& columns, Precision precision)
    : shape_(problem),
      precision_(precision),
      unit_(model::make_telling_unit(problem, columns, precision == Precision::single), {}) {}

std::vector<StepPart> StepParts::find(const scenario::Setup& setup, const Chunk& chunk, std::int64_t m) const {
  return precision_ == Precision::single ? find_in<float>(setup, chunk, m) : find_in<double>(setup, chunk, m);
}

template <class Scalar>
std::vector<StepPart> StepParts::find_in(const scenario::Setup& setup, const Chunk& chunk, std::int64_t m) const {
  using Hear = void (*)(void*, const double*, int, bool);
  Columns<Scalar> columns(shape_, setup, chunk);
  const chunk::Job<Scalar> job = columns.job();
  std::vector<StepPart> parts;
  unit_.find<int(const chunk::Job<Scalar>*, long, Hear, void*)>("conesweep_tell")(&job, static_cast<long>(m), hear,
                                                                                  &parts);
  return parts;
}

}  // namespace conesweep::executor::cpu
