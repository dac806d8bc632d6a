#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "support/error.hpp"
#include "team/team.hpp"

namespace conesweep::test {

/// Threads of one process in the place of ranks.
class ThreadTeam {
 public:
  explicit ThreadTeam(int ranks) {
    for (int rank = 0; rank < ranks; ++rank) members_.push_back(std::make_unique<Member>(*this, rank, ranks));
  }

  /// body(team) on every rank. The first exception ends the others and comes back.
  void run(const std::function<void(team::Team&)>& body) {
    std::vector<std::thread> threads;
    for (auto& member : members_)
      threads.emplace_back([&, mine = member.get()] {
        try {
          body(*mine);
          mine->leave();
        } catch (...) {
          fail(std::current_exception());
        }
      });
    for (auto& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

  std::vector<std::int64_t> taken() const { return taken_; }  // numbers that each rank took

 private:
  struct Ended {};

  class Member final : public team::Team {
   public:
    Member(ThreadTeam& all, int rank, int size) : all_(all) {
      place_.rank = place_.local_rank = rank, place_.size = place_.local_size = size, place_.cores = 1;
    }

    const team::Seat& place() const override { return place_; }
    void tell(const std::string& bytes) override { all_.say(bytes); }
    std::optional<std::string> hear() override { return all_.hear(heard_); }
    std::int64_t take() override { return all_.take(place_.rank); }
    void report(std::string bytes) override { all_.receive(bytes); }
    void collect(Receive receive) override {
      const std::lock_guard guard(all_.receiving_);
      all_.receive_ = std::move(receive);
    }
    void end_round() override { all_.meet(); }
    void watch(const std::atomic<bool>*) override {}
    bool are_all_interrupted() override { return true; }
    bool may_speak() override { return true; }
    void leave() override {
      if (leads())
        all_.say(std::nullopt);
      else
        while (hear()) {
        }
    }
    [[noreturn]] void abort(int) override { std::terminate(); }

   private:
    ThreadTeam& all_;
    team::Seat place_;
    std::size_t heard_ = 0;  // words
  };

  template <class Ready>
  void wait(std::unique_lock<std::mutex>& guard, const Ready& ready) {
    changed_.wait(guard, [&] { return failure_ || ready(); });
    if (failure_) throw Ended();
  }

  void fail(const std::exception_ptr& why) {
    const std::lock_guard guard(lock_);
    if (!failure_) failure_ = why;
    changed_.notify_all();
  }

  void say(const std::optional<std::string>& words) {
    const std::lock_guard guard(lock_);
    counter_ = 0;
    words_.push_back(words);
    changed_.notify_all();
  }

  std::optional<std::string> hear(std::size_t& heard) {
    std::unique_lock guard(lock_);
    wait(guard, [&] { return words_.size() > heard; });
    const auto words = words_[heard];
    if (words) ++heard;
    return words;
  }

  std::int64_t take(int rank) {
    const std::lock_guard guard(lock_);
    taken_.resize(members_.size());
    ++taken_[static_cast<std::size_t>(rank)];
    return counter_++;
  }

  void receive(const std::string& bytes) {
    const std::lock_guard guard(receiving_);
    if (receive_) receive_(bytes);
  }

  void meet() {
    std::unique_lock guard(lock_);
    const std::size_t round = rounds_;
    if (++arrived_ == members_.size()) {
      arrived_ = 0, ++rounds_;
      changed_.notify_all();
    }
    wait(guard, [&] { return rounds_ > round; });
  }

  std::vector<std::unique_ptr<Member>> members_;
  std::mutex lock_, receiving_;
  std::condition_variable changed_;
  std::deque<std::optional<std::string>> words_;
  std::int64_t counter_ = 0;
  std::vector<std::int64_t> taken_;
  std::size_t arrived_ = 0, rounds_ = 0;
  team::Team::Receive receive_;
  std::exception_ptr failure_;
};

}  // namespace conesweep::test
