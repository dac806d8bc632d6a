#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/files.hpp"
#include "keep/chunk_set.hpp"

namespace conesweep::keep {

/// The finished chunks of a run that is not whole yet: one file each in the folder `chunks` of the run's.
///
/// A file is complete under a temporary name before it gets its own, and every column in it has a checksum: whatever
/// ends the program, a chunk is there as it was computed, or it is not there.
class ChunkStore final : public ChunkSet {
 public:
  enum class Mode { fresh, replace, resume };

  /// Is there an unfinished run in a run's folder?
  static bool is_begun(const std::filesystem::path& run_folder);

  /// So many chunks of an unfinished run lie in a run's folder. Without run.txt they belong to no run: a finished one
  /// was about to remove them.
  static std::int64_t count_chunks(const std::filesystem::path& run_folder);

  /// Removes chunks that belong to no run, if no other program works there.
  static void sweep(const std::filesystem::path& run_folder) noexcept;

  /// InputError if there are some: they are not to be lost unasked.
  static void refuse_unfinished(const std::filesystem::path& run_folder);

  /// fresh: InputError if there are chunks of an unfinished run; replace: they go; resume: those that are sound are
  /// kept, if they are of the same run (else InputError with what differs). One program at a time: SystemError if
  /// another one works there. Files of others are never touched: InputError.
  ChunkStore(const std::filesystem::path& run_folder, std::string run, const io::ChunkShape& shape, Mode mode);

  /// The folder goes if it holds no chunk, and is still ours.
  ~ChunkStore() override;

  std::int64_t damaged() const override { return damaged_; }

  void write(ChunkResults part, double solve_seconds) override;
  void write_packed(const Chunk& chunk, const std::string& bytes) override;
  void forget_lost() override;

  /// What only this folder has, and who sees it sees the chunks: for other ranks.
  struct Mark {
    std::uint64_t run = 0;                      // hash of what they are chunks of
    std::uint64_t number = 0;                   // of run.txt in its file system …
    std::int64_t seconds = 0, nanoseconds = 0;  // … and when it was written
    bool operator==(const Mark&) const = default;
  };

  /// Nothing where there is no such folder.
  static std::optional<Mark> find_mark(const std::filesystem::path& run_folder);

  /// Puts a chunk there, for the one who has the folder.
  static void write_beside(const std::filesystem::path& run_folder, MemberRange range, const std::string& bytes);

  std::filesystem::path digest_file() const override;
  void remove_columns() override;
  void remove() override;

 private:
  void take_lock(const std::filesystem::path& run_folder);
  void take_over();

  /// SystemError if a file is not the chunk of this run that its name says.
  void read(const Chunk& chunk, io::Kind kind, std::size_t index, std::span<std::byte> to) const override;

  std::filesystem::path folder_;
  std::string run_;
  std::unique_ptr<io::Descriptor> lock_;  // held while we work there
  std::int64_t damaged_ = 0;
};

}  // namespace conesweep::keep
