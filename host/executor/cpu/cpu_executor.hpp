#pragma once

#include <memory>
#include <mutex>

#include "executor/executor.hpp"
#include "model/compiler.hpp"

namespace conesweep::executor::cpu {

/// Compiles the generated model with the host compiler and runs packs of members on all cores.
class CpuExecutor final : public Executor {
 public:
  CpuExecutor(const scenario::Scenario& scenario, const Options& options);

  std::string name() const override { return "cpu"; }
  std::string device() const override { return cpu_name(); }
  int threads() const override { return threads_; }
  Outcome run(const Chunk& chunk, const Watch& watch) override;
  double compile_seconds() const override { return unit_.compile_seconds(); }
  Flight in_flight(std::int64_t nodes) const override;
  std::string notice() const override { return unit_.notice(); }

 private:
  std::int64_t count_group() const;
  const model::CompiledUnit& diagnosis();
  template <class Scalar>
  Outcome run_in(const Chunk& chunk, const Watch& watch);

  const scenario::Scenario& scenario_;
  int threads_;
  Precision precision_;
  const std::atomic<bool>* stop_;  // while something compiles
  model::CompiledUnit unit_;
  std::once_flag stopped_;
  std::unique_ptr<model::CompiledUnit> diagnosis_;  // once a member has stopped
};

}  // namespace conesweep::executor::cpu
