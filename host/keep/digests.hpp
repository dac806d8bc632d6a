#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "keep/chunk_set.hpp"
#include "keep/digest.hpp"

namespace conesweep::keep {

/// What a run has become whose members are not kept: the digest of its whole blocks, and that of the last one where it
/// is not whole. An ensemble that grows steps the members of that one again.
class Digests {
 public:
  /// `scenario` must live as long.
  Digests(const scenario::Scenario& scenario, int threads)
      : scenario_(&scenario), threads_(threads), whole_(scenario) {}

  /// The scenario has another number of members now.
  void fit();

  /// Members from the begin of a block to the end of one, or to the last member.
  void add(const ChunkResults& part, double seconds);
  void add(Digests other);

  std::int64_t members() const { return whole_.members() + (last_ ? last_->members() : 0); }
  std::int64_t end() const;  // no member beyond is there
  double seconds() const { return whole_.seconds + (last_ ? last_->seconds : 0); }
  std::vector<MemberRange> missing() const;
  // of the ensemble that they were packed for; 0: of none
  std::int64_t begun_members() const { return begun_members_; }

  /// No adding was given up half done, for want of memory: then nobody knows which members are in.
  bool is_sound() const { return sound_; }

  /// All of it.
  Digest total() const;

  std::string pack() const;
  static Digests unpack(const scenario::Scenario& scenario, int threads, const std::string& bytes);

 private:
  const scenario::Scenario* scenario_;
  int threads_;
  std::int64_t begun_members_ = 0;
  Digest whole_;
  std::optional<Digest> last_;
  bool sound_ = true;
};

/// Digests with a file, which is replaced from time to time: what a kill costs is seconds.
class DigestStore {
 public:
  static constexpr char name[] = "statistics.chunk";

  /// What the file holds, if it is sound and of this run. An empty path: there is no file.
  DigestStore(const scenario::Scenario& scenario, int threads, std::filesystem::path file, std::uint64_t run);

  Digests& digests() { return digests_; }
  const Digests& digests() const { return digests_; }
  bool damaged() const { return damaged_; }  // there was a file that was not as written

  /// More has come: it is time to save, or not yet.
  void save_in_time();
  void save();  // what is sound; else what was saved before stays

  std::int64_t saved_members() const { return saved_members_; }

  /// The digest of columns that are there: whole blocks as far as they hang together.
  void take(const ChunkSet& chunks);

 private:
  const scenario::Scenario* scenario_;
  std::filesystem::path file_;
  std::uint64_t run_;  // hash of what it is of
  Digests digests_;
  bool damaged_ = false;
  std::int64_t saved_members_ = 0;
  double saving_ = 0;  // seconds that the last one took
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
};

}  // namespace conesweep::keep
