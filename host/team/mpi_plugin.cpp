// A team by MPI, compiled into libconesweep_mpi.so: the only text that sees MPI. Nothing here knows what is worked on.

#include <mpi.h>

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "support/error.hpp"
#include "team/team.hpp"

namespace conesweep::team {
namespace {

using namespace std::chrono_literals;

// between two looks at what came in: what a rank waits for the counter at most where the network needs our help
constexpr auto idle = 1ms;
constexpr auto patience = 300ms;               // for the others to hear of an interrupt that was everyone's
constexpr std::size_t most_bytes = 1UL << 30;  // of one message: MPI counts in int
constexpr int tag = 1;

enum Slot : MPI_Aint { counter, interrupted, failed, slots };  // of the leader's memory that all see

// Of each core the share that is left when all ranks that may run on it take the same.
int share_cores(MPI_Comm machine, int ranks) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  sched_getaffinity(0, sizeof mine, &mine);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(ranks));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, machine);
  double cores = 0;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &mine))
      cores += 1.0 / static_cast<double>(std::count_if(all.begin(), all.end(),
                                                       [&](const cpu_set_t& set) { return CPU_ISSET(core, &set); }));
  return std::max(1, static_cast<int>(cores + 1e-9));
}

/// MPI is called by one thread at a time (`lock_`). Waits look again and again and sleep in between: a core that waits
/// is free for those that step, and an interrupt is heard.
class MpiTeam final : public Team {
 public:
  MpiTeam() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_rank(comm_, &place_.rank);
    MPI_Comm_size(comm_, &place_.size);
    MPI_Comm machine;
    MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, place_.rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &place_.local_rank);
    MPI_Comm_size(machine, &place_.local_size);
    place_.cores = share_cores(machine, place_.local_size);
    MPI_Comm_free(&machine);
    char name[MPI_MAX_PROCESSOR_NAME] = {};
    int length = 0;
    MPI_Get_processor_name(name, &length);
    place_.host.assign(name, static_cast<std::size_t>(length));

    // the leader has the numbers, and all reach them without its help
    std::int64_t* memory = nullptr;
    MPI_Win_allocate(leads() ? slots * static_cast<MPI_Aint>(sizeof(std::int64_t)) : 0, sizeof(std::int64_t),
                     MPI_INFO_NULL, comm_, &memory, &window_);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    if (leads()) {
      std::fill_n(memory, slots, 0);
      MPI_Win_sync(window_);
    }
    MPI_Barrier(comm_);
    messenger_ = std::thread([this] { serve(); });
  }

  ~MpiTeam() override { end_messenger(); }

  const Seat& place() const override { return place_; }

  void tell(const std::string& bytes) override {
    fetch(counter, MPI_REPLACE, 0);
    words_ = bytes;
    length_ = bytes.size() + 1;
    broadcast(&length_, sizeof length_);
    broadcast(words_.data(), words_.size());
  }

  std::optional<std::string> hear() override {
    if (has_ended_) return std::nullopt;
    broadcast(&length_, sizeof length_);
    has_ended_ = length_ == 0;
    if (has_ended_) return std::nullopt;
    words_.resize(length_ - 1);
    broadcast(words_.data(), words_.size());
    return words_;
  }

  std::int64_t take() override { return fetch(counter, MPI_SUM, 1); }

  void report(std::string bytes) override {
    report_ = std::move(bytes);
    report_length_ = report_.size();
    send(&report_length_, sizeof report_length_);
    for_each_part(report_.data(), report_.size(), [this](char* at, int count) { send(at, count); });
    ++reports_;
  }

  void collect(Receive receive) override {
    const std::lock_guard guard(receiving_);
    receive_ = std::move(receive);
    failure_ = nullptr;
    received_ = 0;
  }

  void end_round() override {
    sums_[0] = std::exchange(reports_, 0);
    start_and_wait([this](MPI_Request* request) {
      MPI_Ireduce(&sums_[0], &sums_[1], 1, MPI_INT64_T, MPI_SUM, 0, comm_, request);
    });
    if (!leads()) return;
    for (;; std::this_thread::sleep_for(idle)) {
      refuse_interrupted();
      const std::lock_guard guard(receiving_);
      if (failure_) std::rethrow_exception(failure_);
      if (received_ == sums_[1]) return;
    }
  }

  void watch(const std::atomic<bool>* stop) override { stop_ = stop; }

  bool are_all_interrupted() override {
    end_messenger();
    if (!leads()) return false;
    const auto until = std::chrono::steady_clock::now() + patience;
    while (fetch(interrupted, MPI_NO_OP, 0) < place_.size) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(idle);
    }
    return true;
  }

  bool may_speak() override { return fetch(failed, MPI_SUM, 1) == 0; }

  void leave() override {
    if (leads()) {
      length_ = 0;
      broadcast(&length_, sizeof length_);
    } else {
      while (hear()) {
      }
    }
    end_messenger();
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    MPI_Comm_free(&comm_);
    MPI_Finalize();
  }

  void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
  }

 private:
  bool is_stopped() const { return stop_ != nullptr && stop_.load()->load(); }

  void refuse_interrupted() const {
    if (is_stopped()) throw Interrupted();
  }

  // body(first byte, bytes) for parts that MPI can count
  template <class Body>
  static void for_each_part(char* bytes, std::size_t count, const Body& body) {
    for (std::size_t at = 0; at < count; at += most_bytes)
      body(bytes + at, static_cast<int>(std::min(most_bytes, count - at)));
  }

  template <class Start>
  void start_and_wait(const Start& start) {
    MPI_Request request;
    {
      const std::lock_guard guard(lock_);
      start(&request);
    }
    for (auto pause = 50us;; pause = std::min<std::chrono::microseconds>(2 * pause, idle)) {
      {
        const std::lock_guard guard(lock_);
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return;
      }
      refuse_interrupted();
      std::this_thread::sleep_for(pause);
    }
  }

  // What is under way lies in memory of the team: after an interrupt MPI may still touch it.
  void broadcast(void* bytes, std::size_t count) {
    for_each_part(static_cast<char*>(bytes), count, [this](char* at, int part) {
      start_and_wait([&](MPI_Request* request) { MPI_Ibcast(at, part, MPI_BYTE, 0, comm_, request); });
    });
  }

  void send(void* bytes, int count) {
    start_and_wait([&](MPI_Request* request) { MPI_Isend(bytes, count, MPI_BYTE, 0, tag, comm_, request); });
  }

  // One-sided: the leader takes no part. Returns what was there before.
  std::int64_t fetch(Slot slot, MPI_Op operation, std::int64_t operand) {
    const std::lock_guard guard(lock_);
    std::int64_t before = 0;
    MPI_Fetch_and_op(&operand, &before, MPI_INT64_T, 0, slot, operation, window_);
    MPI_Win_flush(0, window_);
    return before;
  }

  // The messenger: on the leader it receives reports, and by looking for them lets networks work that need the
  // processor for one-sided calls; on all it passes an interrupt on.
  void serve() {
    try {
      while (!is_leaving_ || is_stopped()) {
        refuse_interrupted();
        if (!leads() || !receive_one()) std::this_thread::sleep_for(leads() ? idle : 10 * idle);
      }
    } catch (const Interrupted&) {
      fetch(interrupted, MPI_SUM, 1);
    }
  }

  bool receive_one() {
    int there = 0;
    MPI_Status status;
    {
      const std::lock_guard guard(lock_);
      MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &there, &status);
    }
    if (there == 0) return false;
    const auto receive = [&](void* to, int bytes) {
      start_and_wait(
          [&](MPI_Request* request) { MPI_Irecv(to, bytes, MPI_BYTE, status.MPI_SOURCE, tag, comm_, request); });
    };
    receive(&incoming_length_, sizeof incoming_length_);
    incoming_.resize(incoming_length_);
    for_each_part(incoming_.data(), incoming_.size(), receive);
    const std::lock_guard guard(receiving_);
    try {
      if (receive_ && !failure_) receive_(incoming_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    ++received_;
    return true;
  }

  void end_messenger() {
    is_leaving_ = true;
    if (messenger_.joinable()) messenger_.join();
  }

  Seat place_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  std::mutex lock_;  // of MPI
  std::atomic<const std::atomic<bool>*> stop_ = nullptr;
  bool has_ended_ = false;  // the leader said so

  std::string words_, report_;  // on their way
  std::string incoming_;
  std::uint64_t length_ = 0, report_length_ = 0, incoming_length_ = 0;
  std::int64_t reports_ = 0;   // of this round, a follower's
  std::int64_t sums_[2] = {};  // the same, on their way to the leader; all followers', there

  std::mutex receiving_;
  Receive receive_;
  std::exception_ptr failure_;
  std::int64_t received_ = 0;  // reports of this round

  std::atomic<bool> is_leaving_ = false;
  std::thread messenger_;
};

}  // namespace
}  // namespace conesweep::team

extern "C" conesweep::team::Team* conesweep_join_team(int version, const conesweep::team::Launch& launch,
                                                      std::string& error) {
  using namespace conesweep::team;
  if (version != team_version) return nullptr;
  setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0);  // models are compiled by a child process, which uses no MPI
  int provided = 0, size = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != launch.size)
    error = "MPI sees " + std::to_string(size) +
            " of them; start them with the mpirun of the MPI that conesweep was built with, or with srun --mpi=pmix";
  else if (provided < MPI_THREAD_SERIALIZED)
    error = "this MPI is built without threads (MPI_THREAD_SERIALIZED)";
  else
    return std::make_unique<MpiTeam>().release();
  return nullptr;
}
