#pragma once

#include <memory>
#include <mutex>

#include "executor/columns.hpp"
#include "executor/executor.hpp"
#include "model/compiler.hpp"
#include "support/workers.hpp"

namespace conesweep::executor::cpu {

/// Compiles the generated model with the host compiler and runs packs of members on all cores.
class CpuExecutor final : public Model {
 public:
  CpuExecutor(const scenario::Problem& problem, const std::vector<int>& columns, const Options& options);

  std::string name() const override { return "cpu"; }
  std::string device() const override { return cpu_name(); }
  Precision precision() const override { return precision_; }
  int threads() const override { return threads_; }
  Outcome run(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch) const override;
  void run_in_place(const scenario::Setup& setup, const Given& given, const Places& places,
                    const Watch& watch) const override;
  double compile_seconds() const override { return unit_.compile_seconds(); }
  Flight in_flight(std::int64_t nodes) const override;
  std::string notice() const override { return unit_.notice(); }

 private:
  const model::CompiledUnit& diagnosis(const Watch& watch) const;
  template <class Scalar>
  std::vector<chunk::Diagnosis> step_all(Columns<Scalar>& columns, std::int64_t steps, const Watch& watch) const;

  scenario::Problem problem_;
  std::vector<int> columns_;
  OutcomeShape shape_;
  Precision precision_;
  int threads_;
  std::shared_ptr<Workers> workers_ = share_workers();
  model::CompiledUnit unit_;
  // members that a thread steps side by side; numbers that a node leaves in the ring
  std::int64_t group_, ring_columns_;
  mutable std::once_flag stopped_;
  mutable std::unique_ptr<model::CompiledUnit> diagnosis_;  // once a member has stopped
};

}  // namespace conesweep::executor::cpu
