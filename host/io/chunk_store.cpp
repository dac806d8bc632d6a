#include "io/chunk_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>

#include "io/run_folder.hpp"
#include "sampling/sampler.hpp"
#include "scenario/writer.hpp"
#include "statistics/merge_tree.hpp"
#include "statistics/statistics.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"

namespace conesweep::io {

namespace fs = std::filesystem;

namespace {

constexpr char run_name[] = "run.txt";
constexpr char ending[] = ".chunk";
constexpr char magic[] = "conesweep chunk\n";  // 16 bytes

enum class Kind : std::uint64_t { parameter, observable, status, stop_time, trajectory, mode, track_moments, track_bands };

/// A column in the file.
struct Section {
  Kind kind = Kind::parameter;
  std::uint64_t index = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// The file begins with it; the sections follow, then their columns.
struct Header {
  char magic[16];
  std::uint64_t run = 0;  // hash of what it is a chunk of
  Range range;
  double seconds = 0;
  std::uint64_t sections = 0;
  std::uint64_t checksum = 0;  // of the header with 0 here, and of the sections
};
static_assert(std::is_trivially_copyable_v<Header> && std::is_trivially_copyable_v<Section>);

std::uint64_t checksum_of(Header header, const std::vector<Section>& sections) {
  header.checksum = 0;
  return checksum(sections.data(), sections.size() * sizeof(Section), checksum(&header, sizeof header));
}

/// Reads a chunk's file a column at a time. A file that is not what was written is Damaged.
struct Damaged {};

class ChunkFile {
 public:
  explicit ChunkFile(const fs::path& path) : path_(path), file_(path, O_RDONLY) {
    read(&header, sizeof header, 0);
    if (std::memcmp(header.magic, magic, sizeof header.magic) != 0 || header.sections > 1'000'000) throw Damaged{};
    sections_.resize(header.sections);
    read(sections_.data(), sections_.size() * sizeof(Section), sizeof header);
    if (checksum_of(header, sections_) != header.checksum) throw Damaged{};
  }

  template <class T>
  void append(Kind kind, std::size_t index, std::vector<T>& column) const {
    for (const Section& section : sections_)
      if (section.kind == kind && section.index == index) return append(section, column);
  }

  void check_all() const {
    std::vector<char> bytes;
    for (const Section& section : sections_) {
      bytes.clear();
      append(section, bytes);
    }
  }

  Header header;

 private:
  template <class T>
  void append(const Section& section, std::vector<T>& column) const {
    const std::size_t before = column.size();
    column.resize(before + section.bytes / sizeof(T));
    read(column.data() + before, section.bytes, section.offset);
    if (checksum(column.data() + before, section.bytes) != section.checksum) throw Damaged{};
  }

  void read(void* to, std::size_t bytes, std::uint64_t offset) const {
    for (char* at = static_cast<char*>(to); bytes > 0;) {
      const ssize_t count = ::pread(file_, at, bytes, static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse("read", path_, system_code());
      if (count == 0) throw Damaged{};
      at += count, bytes -= static_cast<std::size_t>(count), offset += static_cast<std::uint64_t>(count);
    }
  }

  fs::path path_;
  Descriptor file_;
  std::vector<Section> sections_;
};

/// The file's bytes, put together column by column.
class ChunkWriter {
 public:
  template <class T>
  void add(Kind kind, std::size_t index, const std::vector<T>& column) {
    columns_.push_back(std::as_bytes(std::span(column)));
    sections_.push_back({kind, index, 0, columns_.back().size(), checksum(columns_.back().data(), columns_.back().size())});
  }

  std::string finish(Header header) {
    header.sections = sections_.size();
    std::uint64_t offset = sizeof header + sections_.size() * sizeof(Section);
    for (Section& section : sections_) section.offset = offset, offset += section.bytes;
    header.checksum = checksum_of(header, sections_);
    std::string bytes;
    bytes.reserve(offset);
    bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char*>(sections_.data()), sections_.size() * sizeof(Section));
    for (const auto& column : columns_) bytes.append(reinterpret_cast<const char*>(column.data()), column.size());
    return bytes;
  }

 private:
  std::vector<Section> sections_;
  std::vector<std::span<const std::byte>> columns_;
};

// blocks of tracks as numbers: count, means, squares, block after block
std::vector<double> flatten(const std::vector<statistics::TrackMoments>& blocks) {
  std::vector<double> numbers;
  for (const auto& block : blocks) {
    numbers.push_back(static_cast<double>(block.count));
    numbers.insert(numbers.end(), block.mean.begin(), block.mean.end());
    numbers.insert(numbers.end(), block.squares.begin(), block.squares.end());
  }
  return numbers;
}

// Is the open folder still the one that has this name?
bool is_same(int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// run.txt, 0-4096.chunk, and their temporary names
bool is_ours(const fs::path& path) {
  std::string name = path.filename().string();
  if (name.ends_with(".tmp")) name.resize(name.size() - 4);
  if (name == run_name) return true;
  if (!name.ends_with(ending)) return false;
  name.resize(name.size() - std::strlen(ending));
  return !name.empty() && name.find_first_not_of("0123456789-") == name.npos;
}

// Removes what is ours in a folder that we have locked, and the folder, unless somebody put something there.
void remove_folder(int lock, const fs::path& folder) noexcept {
  if (!is_same(lock, folder)) return;  // another program's by now
  std::error_code error;
  fs::remove(folder / run_name, error);  // first: chunks without it belong to nobody
  std::vector<fs::path> ours;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_ours(entry.path())) ours.push_back(entry.path());
  for (const auto& path : ours) fs::remove(path, error);
  fs::remove(folder, error);
}

// "'step = 0.001' in the unfinished run, 'step = 0.002' now"
std::string first_difference(const std::string& then, const std::string& now) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      all.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return all;
  };
  const auto a = lines(then), b = lines(now);
  std::size_t k = 0;
  while (k < a.size() && k < b.size() && a[k] == b[k]) ++k;
  const auto quote = [k](const std::vector<std::string>& text) { return k < text.size() && !text[k].empty() ? "'" + text[k] + "'" : std::string("nothing"); };
  return quote(a) + " in the unfinished run, " + quote(b) + " now";
}

}  // namespace

std::string describe_run(const scenario::Scenario& scenario, const std::string& scenario_text, const std::string& backend, const std::string& precision,
                         const std::string& design) {
  std::string text = "version " + version() + "\nprecision " + precision + "\narithmetic " +
                     (backend == "reference" ? "of the reference executor" : "of the cpu and cuda executors") + "\ndesign " + design + "\n";
  for (const auto& variation : scenario.vary) {
    const auto& values = variation.distribution.values;
    if (variation.distribution.kind == scenario::DistributionKind::table)
      text += "table " + variation.distribution.table + " with checksum " + std::to_string(checksum(values.data(), values.size() * sizeof(double))) + "\n";
  }
  const std::string members = "members = " + std::to_string(scenario.ensemble.members) + "\n";
  const std::size_t at = scenario_text.find("\n[ensemble]\n");
  const std::size_t line = at == std::string::npos ? at : scenario_text.find(members, at);
  if (sampling::depends_on_members(scenario.ensemble.sampler) || line == std::string::npos) return text + scenario_text;
  return text + scenario_text.substr(0, line) + scenario_text.substr(line + members.size());
}

std::string identify_run(const std::string& description) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(fnv1a(description)));
  return text;
}

std::int64_t ChunkStore::count_chunks(const fs::path& run_folder) {
  std::error_code error;
  const fs::directory_iterator entries(run_folder / "chunks", error);
  return error || !is_there(run_folder / "chunks" / run_name)
             ? 0
             : std::count_if(entries, {}, [](const auto& entry) { return entry.path().extension() == ending; });
}

void ChunkStore::refuse_unfinished(const fs::path& run_folder) {
  const std::int64_t there = count_chunks(run_folder);
  if (there > 0)
    throw InputError(run_folder.string() + " holds an unfinished run (" + std::to_string(there) + (there == 1 ? " chunk" : " chunks") +
                     " done); go on with --resume, start over with --force, or choose another folder with --out");
}

ChunkStore::ChunkStore(const fs::path& run_folder, std::string run, Mode mode) : folder_(run_folder / "chunks"), run_(std::move(run)) {
  // another program may remove the folder between our two calls: what counts is a lock on the folder that has the name
  for (lock_ = nullptr; lock_ == nullptr;) {
    std::error_code error;
    fs::create_directory(folder_, error);
    if (error) refuse("make", folder_, error);
    if (!is_there(folder_)) continue;
    lock_ = std::make_unique<Descriptor>(folder_, O_RDONLY | O_DIRECTORY);
    if (::flock(*lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw SystemError("another run is working in " + run_folder.string() + "; wait for it, or choose another folder with --out");
    if (!is_same(*lock_, folder_)) lock_ = nullptr;
  }

  for (const auto& entry : fs::directory_iterator(folder_))
    if (!is_ours(entry.path()))
      throw InputError(folder_.string() + " holds '" + entry.path().filename().string() +
                       "', which is no chunk of a run; move it, or choose another folder with --out");
  if (mode == Mode::fresh) refuse_unfinished(run_folder);
  if (mode == Mode::resume && is_there(folder_ / run_name)) {
    const std::string then = read_bytes(folder_ / run_name);
    if (then == run_) {
      take_over();
      return;
    }
    if (count_chunks(run_folder) > 0)
      throw InputError("the unfinished run in " + run_folder.string() + " is another one: " + first_difference(then, run_) +
                       "; finish it as it was begun, or start over with --force");
  }
  clear();
  const fs::path temporary = folder_ / (std::string(run_name) + ".tmp");
  write_bytes(temporary, run_);
  rename_file(temporary, folder_ / run_name);
  lock_->sync();
}

ChunkStore::~ChunkStore() {
  if (lock_ != nullptr && files_.empty()) remove_folder(*lock_, folder_);
}

void ChunkStore::sweep(const fs::path& run_folder) noexcept {
  const fs::path folder = run_folder / "chunks";
  if (!is_there(folder) || is_there(folder / run_name)) return;
  try {
    const Descriptor lock(folder, O_RDONLY | O_DIRECTORY);
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0 && !is_there(folder / run_name)) remove_folder(lock, folder);
  } catch (const SystemError&) {
    // they do no harm
  }
}

// chunks of the same run that are sound
void ChunkStore::take_over() {
  std::vector<fs::path> rest;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const fs::path& path = entry.path();
    if (path.filename() == run_name) continue;
    bool sound = path.extension() == ending;
    try {
      if (sound) {
        const ChunkFile file(path);
        file.check_all();
        sound = file.header.run == fnv1a(run_) && path == path_for(file.header.range);
        if (sound) files_.push_back({file.header.range, file.header.seconds, path});
      }
    } catch (const Damaged&) {
      sound = false;
    }
    if (!sound) rest.push_back(path);
  }
  for (const auto& path : rest) {
    damaged_ += path.extension() == ending;
    remove_file(path);
  }
  std::sort(files_.begin(), files_.end(), [](const File& a, const File& b) { return a.range.first < b.range.first; });
}

void ChunkStore::clear() {
  std::vector<fs::path> ours;
  for (const auto& entry : fs::directory_iterator(folder_)) ours.push_back(entry.path());
  for (const auto& path : ours) remove_file(path);
  files_.clear();
}

void ChunkStore::fit(std::int64_t members) {
  members_ = members;
  used_.clear();
  for (const File& file : files_) {
    const bool whole = file.range.end() % statistics::block_members == 0 || file.range.end() == members;
    if (file.range.first >= (used_.empty() ? 0 : used_.back().range.end()) && file.range.end() <= members && whole) used_.push_back(file);
  }
}

fs::path ChunkStore::path_for(Range range) const { return folder_ / (std::to_string(range.first) + "-" + std::to_string(range.end()) + ending); }

std::int64_t ChunkStore::finished_members() const {
  std::int64_t members = 0;
  for (const File& file : used_) members += file.range.count;
  return members;
}

std::int64_t ChunkStore::kept_members() const {
  std::int64_t members = 0, covered = 0;
  for (const File& file : files_) {
    const bool whole = file.range.end() % statistics::block_members == 0 || file.range.end() == members_;
    if (file.range.first < covered || !whole) continue;
    members += file.range.count;
    covered = file.range.end();
  }
  return members;
}

std::int64_t ChunkStore::kept_end() const { return files_.empty() ? 0 : files_.back().range.end(); }

double ChunkStore::solve_seconds() const {
  double seconds = 0;
  for (const File& file : used_) seconds += file.seconds;
  return seconds;
}

std::vector<Range> ChunkStore::missing() const {
  std::vector<Range> gaps;
  std::int64_t at = 0;
  for (const File& file : used_) {
    if (file.range.first > at) gaps.push_back({at, file.range.first - at});
    at = file.range.end();
  }
  if (at < members_) gaps.push_back({at, members_ - at});
  return gaps;
}

void ChunkStore::write(const Part& part, double solve_seconds) {
  ChunkWriter writer;
  const auto add_all = [&](Kind kind, const std::vector<std::vector<double>>& columns) {
    for (std::size_t k = 0; k < columns.size(); ++k) writer.add(kind, k, columns[k]);
  };
  add_all(Kind::parameter, part.parameters);
  add_all(Kind::observable, part.outcome.observables);
  writer.add(Kind::status, 0, part.outcome.status);
  writer.add(Kind::stop_time, 0, part.outcome.stop_time);
  add_all(Kind::trajectory, part.outcome.trajectories.columns);
  writer.add(Kind::mode, 0, part.outcome.trajectories.mode);
  std::vector<std::vector<double>> moments;
  for (const auto& blocks : part.track_moments) moments.push_back(flatten(blocks));
  add_all(Kind::track_moments, moments);
  add_all(Kind::track_bands, part.track_bands);

  Header header{};
  std::memcpy(header.magic, magic, sizeof header.magic);
  header.run = fnv1a(run_);
  header.range = part.range;
  header.seconds = solve_seconds;
  const fs::path path = path_for(part.range), temporary = path.string() + ".tmp";
  try {
    write_bytes(temporary, writer.finish(header));
    rename_file(temporary, path);
    lock_->sync();
  } catch (const SystemError& error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw SystemError(std::string(error.what()) +
                      (files_.empty()
                           ? ""
                           : "; the " + (files_.size() == 1 ? std::string("chunk before is") : std::to_string(files_.size()) + " chunks before are") +
                                 " kept: go on with --resume when that is mended"));
  }
  const File file{part.range, solve_seconds, path};
  for (auto* list : {&files_, &used_})
    list->insert(std::upper_bound(list->begin(), list->end(), file, [](const File& a, const File& b) { return a.range.first < b.range.first; }), file);
}

void ChunkStore::remove() {
  files_.clear();
  used_.clear();
  remove_folder(*lock_, folder_);  // what stays is no harm: the run is finished
  lock_ = nullptr;
}

namespace {

template <class T, class Files>
std::vector<T> gather(const Files& files, Kind kind, std::size_t index) {
  std::vector<T> column;
  if (!files.empty() && (kind == Kind::parameter || kind == Kind::observable || kind == Kind::status || kind == Kind::stop_time))
    column.reserve(static_cast<std::size_t>(files.back().range.end()));
  for (const auto& file : files) {
    try {
      ChunkFile(file.path).append(kind, index, column);
    } catch (const Damaged&) {
      throw SystemError("the chunk " + file.path.string() + " is not as it was written; --resume does it again");
    }
  }
  return column;
}

}  // namespace

std::vector<double> StoredRun::parameter(std::size_t variation) const { return gather<double>(store_->used_, Kind::parameter, variation); }
std::vector<double> StoredRun::observable(std::size_t observable) const { return gather<double>(store_->used_, Kind::observable, observable); }
std::vector<executor::Status> StoredRun::status() const { return gather<executor::Status>(store_->used_, Kind::status, 0); }
std::vector<double> StoredRun::stop_time() const { return gather<double>(store_->used_, Kind::stop_time, 0); }
std::vector<double> StoredRun::trajectory(std::size_t column) const { return gather<double>(store_->used_, Kind::trajectory, column); }
std::vector<std::uint8_t> StoredRun::modes() const { return gather<std::uint8_t>(store_->used_, Kind::mode, 0); }

statistics::TrackMoments StoredRun::track_moments(std::size_t coordinate) const {
  const auto times = static_cast<std::ptrdiff_t>(recorded_times());
  statistics::MergeTree<statistics::TrackMoments> tree;
  for (const auto& file : store_->used_) {
    const auto numbers = gather<double>(std::span(&file, 1), Kind::track_moments, coordinate);
    for (auto at = numbers.begin(); at < numbers.end(); at += 1 + 2 * times)
      tree.add({static_cast<std::int64_t>(*at), {at + 1, at + 1 + times}, {at + 1 + times, at + 1 + 2 * times}});
  }
  return tree.finish();
}

std::vector<double> StoredRun::track_bands(std::size_t coordinate) const { return gather<double>(store_->used_, Kind::track_bands, coordinate); }

std::int64_t missing_bytes(const scenario::Scenario& scenario, const std::vector<Range>& missing) {
  const auto bytes_of_first = [&](std::int64_t members) {
    scenario::Scenario part = scenario;
    part.ensemble.members = members;
    part.record.members = std::min(part.record.members, members);
    return results_bytes(part);
  };
  std::int64_t bytes = results_bytes(scenario);
  for (const Range& range : missing) bytes += bytes_of_first(range.end()) - bytes_of_first(range.first);
  return bytes;
}

}  // namespace conesweep::io
