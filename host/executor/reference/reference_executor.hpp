#pragma once

#include "executor/executor.hpp"

namespace conesweep::executor::reference {

/// Interprets the scenario's trees, member by member, in the words of the paper. It shares no numeric code with the fast
/// executors, so that agreement means something; it is written for reading, not for speed.
class ReferenceExecutor final : public Executor {
 public:
  ReferenceExecutor(const scenario::Scenario& scenario, const Options& options);

  std::string name() const override { return "reference"; }
  std::string device() const override { return cpu_name(); }
  Traits traits() const override { return {.rate = 2e6}; }
  int threads() const override { return threads_; }
  Outcome run(const Chunk& chunk, const Watch& watch) override;
  Flight in_flight(std::int64_t nodes) const override { return {threads_, threads_ * nodes * scenario_.dimension() * 16}; }

 private:
  const scenario::Scenario& scenario_;
  int threads_;
};

}  // namespace conesweep::executor::reference
