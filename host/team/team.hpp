#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace conesweep::team {

/// Where a process stands among those that a launcher started.
struct Seat {
  int rank = 0, size = 1;
  int local_rank = 0, local_size = 1;  // among those on the same machine
  int cores = 0;                       // its share of the cores that it may run on; 0: all there are
  std::string host = {};               // the machine's name
};

/// Processes that share work. Rank 0 leads: it decides, and talks to the user; the others follow. Work comes in rounds:
/// the leader tells what it is, all take numbers of pieces from one counter until there are no more, and what followers
/// made is reported to the leader.
///
/// A null pointer to a team means that this process is alone.
class Team {
 public:
  Team() = default;
  virtual ~Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  virtual const Seat& place() const = 0;
  bool leads() const { return place().rank == 0; }

  /// The leader's words to all followers; the counter begins at 0 again.
  virtual void tell(const std::string& bytes) = 0;

  /// A follower waits for the leader's words; nothing: there is no more work.
  virtual std::optional<std::string> hear() = 0;

  /// 0, 1, 2, …: each number goes to one rank.
  virtual std::int64_t take() = 0;

  /// A follower's words to the leader; at most one call at a time.
  virtual void report(std::string bytes) = 0;

  /// On the leader every report goes to `receive`, one at a time, from a thread of the team; null: none is expected.
  /// When it returns, the one before is not called any more.
  using Receive = std::function<void(const std::string& bytes)>;
  virtual void collect(Receive receive) = 0;

  /// The end of a round, on every rank. On the leader all reports were received; throws what `receive` threw.
  virtual void end_round() = 0;

  /// Waits end with Interrupted when it is set.
  virtual void watch(const std::atomic<bool>* stop) = 0;

  /// After an interrupt, on every rank: passes it on. On the leader: was it everyone's? A rank that died has none, and
  /// was told of already.
  virtual bool are_all_interrupted() = 0;

  /// Of all ranks that fail, the first one tells why.
  virtual bool may_speak() = 0;

  /// The last call, on every rank; followers wait for the leader's.
  virtual void leave() = 0;

  /// Ends all ranks.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// A round on the leader. Reports go to `receive` while it lasts.
class Round {
 public:
  Round(Team& team, const std::string& job, Team::Receive receive) : team_(team) {
    team_.collect(std::move(receive));
    team_.tell(job);
  }
  ~Round() { team_.collect(nullptr); }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  void end() { team_.end_round(); }

 private:
  Team& team_;
};

/// What a launcher (mpirun, mpiexec, srun) wrote into the environment.
struct Launch {
  int rank = 0, size = 1;
};
Launch find_launch();

/// The plugin that speaks MPI stands beside the library.
std::string team_plugin();

/// Joins the processes that the launcher started. SystemError with what is missing.
std::unique_ptr<Team> join_team(const Launch& launch);

/// The one name that the plugin shows: makes a team, or gives nullptr and the reason in `error`.
inline constexpr char join_entry[] = "conesweep_join_team";
inline constexpr int team_version = 1;  // raise it with every change of Team or Seat
using JoinEntry = Team* (*)(int version, const Launch& launch, std::string& error);

}  // namespace conesweep::team
