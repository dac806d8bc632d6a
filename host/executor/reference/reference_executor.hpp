#pragma once

#include "executor/executor.hpp"
#include "support/workers.hpp"

namespace conesweep::executor::reference {

/// Interprets the problem's trees, member by member, in the words of the paper. It shares no numeric code with the fast
/// executors, so that agreement means something; it is written for reading, not for speed.
class ReferenceExecutor final : public Model {
 public:
  ReferenceExecutor(const scenario::Problem& problem, const std::vector<int>& columns, const Options& options);

  std::string name() const override { return "reference"; }
  std::string device() const override { return cpu_name(); }
  Traits traits() const override { return {.rate = 2e6}; }
  int threads() const override { return threads_; }
  Outcome run(const scenario::Setup& setup, const Chunk& chunk, const Watch& watch) const override;
  Flight in_flight(std::int64_t nodes) const override {
    return {threads_, threads_ * nodes * problem_.dimension() * 16};
  }

 private:
  scenario::Problem problem_;
  std::vector<int> columns_;
  int threads_;
  std::shared_ptr<Workers> workers_ = share_workers();
};

}  // namespace conesweep::executor::reference
