#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/chunk_file.hpp"
#include "io/files.hpp"
#include "io/run_data.hpp"

namespace conesweep::io {

/// What must be the same for the chunks of two runs to fit together: version, precision, arithmetic, design, scenario, tables; one fact a line.
/// The reference executor has bits of its own; cpu and cuda share theirs. The number of members matters only where the points depend on it.
std::string describe_run(const scenario::Scenario& scenario, const std::string& scenario_text, const std::string& backend, const std::string& precision,
                         const std::string& design);

/// A short hash of such a description.
std::string identify_run(const std::string& description);

/// The finished chunks of a run that is not whole yet: one file each in the folder `chunks` of the run's.
///
/// A file is complete under a temporary name before it gets its own, and every column in it has a checksum: whatever ends the program, a
/// chunk is there as it was computed, or it is not there.
class ChunkStore {
 public:
  enum class Mode { fresh, replace, resume };

  /// So many chunks of an unfinished run lie in a run's folder. Without run.txt they belong to nobody: a finished run was about to remove them.
  static std::int64_t count_chunks(const std::filesystem::path& run_folder);

  /// Removes chunks that belong to nobody, if nobody works there.
  static void sweep(const std::filesystem::path& run_folder) noexcept;

  /// InputError if there are some: they are not to be lost unasked.
  static void refuse_unfinished(const std::filesystem::path& run_folder);

  /// fresh: InputError if there are chunks of an unfinished run; replace: they go; resume: those that are sound are kept, if they are of the same run
  /// (else InputError with what differs). One program at a time: SystemError if another one works there. Files of others are never touched: InputError.
  ChunkStore(const std::filesystem::path& run_folder, std::string run, const ChunkShape& shape, Mode mode);

  /// The folder goes if it holds no chunk, and is still ours.
  ~ChunkStore();
  ChunkStore(const ChunkStore&) = delete;
  ChunkStore& operator=(const ChunkStore&) = delete;

  /// From now on it is about an ensemble of so many members. Chunks beyond its end do not count; they stay, for the ensemble may grow.
  void fit(std::int64_t members);

  std::int64_t finished_members() const;
  std::int64_t kept_members() const;                 // with those beyond the end that an ensemble that grows can use
  std::int64_t kept_end() const;                     // no kept chunk goes beyond this member
  std::int64_t damaged() const { return damaged_; }  // files that were found cut short or changed, and removed
  double solve_seconds() const;                      // spent on the chunks that are there

  /// What is left to do.
  std::vector<Range> missing() const;

  /// The sums over time of the block that `first` lies in, of its members before: where a range that is missing begins. Empty at the begin of a block.
  std::vector<statistics::TrackMoments> begun(std::int64_t first) const;

  /// Chunks that somebody has removed while we worked are not there any more.
  void forget_lost();

  /// Returns when the disk has it.
  void write(const Part& part, double solve_seconds);

  /// The run is whole elsewhere.
  void remove();

 private:
  friend class StoredRun;
  struct File {
    Range range;
    double seconds = 0;
    std::filesystem::path path;
  };

  static bool comes_before(const File& a, const File& b);
  std::filesystem::path path_for(Range range) const;
  void take_lock(const std::filesystem::path& run_folder);
  void take_over();
  std::vector<File> choose(std::int64_t members) const;  // files that cover an ensemble of so many members without overlap

  // columns; SystemError if a file is not the chunk of this run that its name says
  template <class T>
  void append(const File& file, Kind kind, std::size_t index, std::vector<T>& column) const;
  template <class T>
  std::vector<T> read(const File& file, Kind kind, std::size_t index) const;
  template <class T>
  std::vector<T> gather(Kind kind, std::size_t index) const;

  std::filesystem::path folder_;
  std::string run_;
  ChunkShape shape_;
  std::unique_ptr<Descriptor> lock_;  // held while we work there
  std::vector<File> files_;           // all that are there, by range
  std::vector<File> used_;            // those of the ensemble as it is
  std::int64_t members_ = 0;
  std::int64_t damaged_ = 0;
};

/// A whole run, in chunks.
class StoredRun final : public RunData {
 public:
  explicit StoredRun(const ChunkStore& store) : store_(&store) {}

  std::vector<double> parameter(std::size_t variation) const override;
  std::vector<double> observable(std::size_t observable) const override;
  std::vector<executor::Status> status() const override;
  std::vector<double> stop_time() const override;
  std::vector<double> trajectory(std::size_t column) const override;
  std::vector<std::uint8_t> modes() const override;
  statistics::TrackMoments track_moments(std::size_t coordinate) const override;
  std::vector<double> track_bands(std::size_t coordinate, statistics::Engine& engine) const override;

 private:
  const ChunkStore* store_;
};

/// Bytes that a run still needs on disk: chunks of the members that are missing, and results.h5 of all.
std::int64_t missing_bytes(const scenario::Scenario& scenario, const std::vector<Range>& missing, bool tracked);

}  // namespace conesweep::io
