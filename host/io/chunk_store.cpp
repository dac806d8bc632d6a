#include "io/chunk_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "io/run_folder.hpp"
#include "sampling/sampler.hpp"
#include "scenario/writer.hpp"
#include "statistics/merge_tree.hpp"
#include "statistics/statistics.hpp"
#include "statistics/tracks.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"

namespace conesweep::io {

namespace fs = std::filesystem;

namespace {

constexpr char run_name[] = "run.txt";
constexpr char ending[] = ".chunk";

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
  try {
    for (const auto& path : list_folder(folder))
      if (is_ours(path)) fs::remove(path, error);
  } catch (const SystemError&) {
    // they do no harm
  }
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
  std::string text = "version " + version() + "\nnumerics " + std::to_string(numerics_version) + "\nprecision " + precision + "\narithmetic " +
                     (backend == "reference" ? "of the reference executor" : "of the cpu and cuda executors") + "\ndesign " + design + "\n";
  for (const auto& variation : scenario.vary) {
    const auto& distribution = variation.distribution;
    if (distribution.kind == scenario::DistributionKind::table)
      text += "table " + distribution.table + " with checksum " + std::to_string(checksum(distribution.table_bytes->data(), distribution.table_bytes->size())) +
              "\n";
  }
  const std::string members = "members = " + std::to_string(scenario.ensemble.members) + "\n";
  const std::size_t at = scenario_text.find("\n[ensemble]\n");
  const std::size_t line = at == std::string::npos ? at : scenario_text.find(members, at);
  if (scenario::samplers[scenario.ensemble.sampler].depends_on_members || line == std::string::npos) return text + scenario_text;
  return text + scenario_text.substr(0, line) + scenario_text.substr(line + members.size());
}

std::string identify_run(const std::string& description) { return to_hex(fnv1a(description)); }

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
    throw InputError(run_folder.string() + " holds an unfinished run (" + std::to_string(there) + " " + plural(there, "chunk") +
                     " done); go on with --resume, start over with --force, or choose another folder with --out");
}

ChunkStore::ChunkStore(const fs::path& run_folder, std::string run, const ChunkShape& shape, Mode mode)
    : folder_(run_folder / "chunks"), run_(std::move(run)), shape_(shape) {
  take_lock(run_folder);
  for (const auto& path : list_folder(folder_))
    if (!is_ours(path))
      throw InputError(folder_.string() + " holds '" + path.filename().string() +
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
  for (const auto& path : list_folder(folder_)) remove_file(path);
  const fs::path temporary = folder_ / (std::string(run_name) + ".tmp");
  write_bytes(temporary, run_);
  rename_file(temporary, folder_ / run_name);
  lock_->sync();
}

// Another program may remove the folder between our two calls: what counts is a lock on the folder that has the name.
void ChunkStore::take_lock(const fs::path& run_folder) {
  while (lock_ == nullptr) {
    std::error_code error;
    const bool made = fs::create_directory(folder_, error);
    if (error) refuse("make", folder_, error);
    if (!is_there(folder_)) continue;
    lock_ = std::make_unique<Descriptor>(folder_, O_RDONLY | O_DIRECTORY);
    try {
      if (!lock_folder(*lock_, run_folder, false))
        throw SystemError("another run is working in " + run_folder.string() + "; wait for it, or choose another folder with --out");
    } catch (const SystemError&) {
      lock_ = nullptr;
      if (made) fs::remove(folder_, error);  // goes if it is empty
      throw;
    }
    if (!is_same(*lock_, folder_)) lock_ = nullptr;
  }
}

ChunkStore::~ChunkStore() {
  if (lock_ != nullptr && files_.empty()) remove_folder(*lock_, folder_);
}

void ChunkStore::sweep(const fs::path& run_folder) noexcept {
  const fs::path folder = run_folder / "chunks";
  if (!is_there(folder) || is_there(folder / run_name)) return;
  try {
    const Descriptor lock(folder, O_RDONLY | O_DIRECTORY);
    if (lock_folder(lock, run_folder, false) && !is_there(folder / run_name)) remove_folder(lock, folder);
  } catch (const SystemError&) {
    // they do no harm
  }
}

// chunks of the same run that are sound
void ChunkStore::take_over() {
  for (const auto& path : list_folder(folder_)) {
    if (path.filename() == run_name) continue;
    bool sound = path.extension() == ending;
    try {
      if (sound) {
        const ChunkFile file(path, shape_);
        file.check_all();
        sound = file.header().run == fnv1a(run_) && path == path_for(file.header().range);
        if (sound) files_.push_back({file.header().range, file.header().seconds, path});
      }
    } catch (const Damaged&) {
      sound = false;
    }
    if (sound) continue;
    damaged_ += path.extension() == ending;
    remove_file(path);
  }
  std::sort(files_.begin(), files_.end(), comes_before);
}

// By their first member; of two that begin with one member the longer one, which is taken if it fits.
bool ChunkStore::comes_before(const File& a, const File& b) {
  return a.range.first != b.range.first ? a.range.first < b.range.first : a.range.count > b.range.count;
}

std::vector<ChunkStore::File> ChunkStore::choose(std::int64_t members) const {
  std::vector<File> chosen;
  for (const File& file : files_)
    if (file.range.first >= (chosen.empty() ? 0 : chosen.back().range.end()) && file.range.end() <= members) chosen.push_back(file);
  return chosen;
}

void ChunkStore::fit(std::int64_t members) {
  members_ = members;
  used_ = choose(members);
}

fs::path ChunkStore::path_for(Range range) const { return folder_ / (std::to_string(range.first) + "-" + std::to_string(range.end()) + ending); }

std::int64_t ChunkStore::finished_members() const {
  std::int64_t members = 0;
  for (const File& file : used_) members += file.range.count;
  return members;
}

std::int64_t ChunkStore::kept_members() const {
  std::int64_t members = 0;
  for (const File& file : choose(kept_end())) members += file.range.count;
  return members;
}

std::int64_t ChunkStore::kept_end() const {
  std::int64_t end = 0;
  for (const File& file : files_) end = std::max(end, file.range.end());
  return end;
}

void ChunkStore::forget_lost() {
  const bool ours = is_same(*lock_, folder_);
  for (auto* list : {&files_, &used_}) std::erase_if(*list, [&](const File& file) { return !ours || !is_there(file.path); });
}

std::vector<statistics::TrackMoments> ChunkStore::begun(std::int64_t first) const {
  std::vector<statistics::TrackMoments> sums;
  if (!shape_.tracked || first % statistics::block_members == 0) return sums;
  for (const File& file : used_) {
    if (file.range.end() != first) continue;
    for (std::size_t c = 0; c < shape_.coordinates; ++c) sums.push_back(unpack_moments(read<double>(file, Kind::track_moments, c), shape_.times).back());
  }
  CS_ASSERT(sums.size() == shape_.coordinates);
  return sums;
}

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
  const fs::path path = path_for(part.range), temporary = path.string() + ".tmp";
  try {
    write_bytes(temporary, pack_chunk(part, shape_, fnv1a(run_), solve_seconds));
    rename_file(temporary, path);
    lock_->sync();
  } catch (const SystemError& error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    forget_lost();
    throw SystemError(std::string(error.what()) +
                      (files_.empty()
                           ? ""
                           : "; the " + (files_.size() == 1 ? std::string("chunk before is") : std::to_string(files_.size()) + " chunks before are") +
                                 " kept: go on with --resume when that is mended"));
  }
  const File file{part.range, solve_seconds, path};
  for (auto* list : {&files_, &used_}) list->insert(std::upper_bound(list->begin(), list->end(), file, comes_before), file);
}

void ChunkStore::remove() {
  files_.clear();
  used_.clear();
  remove_folder(*lock_, folder_);  // what stays is no harm: the run is finished
  lock_ = nullptr;
}

template <class T>
void ChunkStore::append(const File& file, Kind kind, std::size_t index, std::vector<T>& column) const {
  try {
    const ChunkFile chunk(file.path, shape_);
    if (chunk.header().run != fnv1a(run_) || chunk.header().range != file.range)
      throw SystemError("the chunk " + file.path.string() +
                        " is of another run, which has worked here meanwhile; choose a folder of its own for each with --out");
    chunk.append(kind, index, column);
  } catch (const Damaged&) {
    throw SystemError("the chunk " + file.path.string() + " is not as it was written; --resume does it again");
  }
}

template <class T>
std::vector<T> ChunkStore::read(const File& file, Kind kind, std::size_t index) const {
  std::vector<T> column;
  append(file, kind, index, column);
  return column;
}

template <class T>
std::vector<T> ChunkStore::gather(Kind kind, std::size_t index) const {
  std::vector<T> column;
  if (kind == Kind::parameter || kind == Kind::observable || kind == Kind::status || kind == Kind::stop_time)
    column.reserve(static_cast<std::size_t>(members_));
  for (const File& file : used_) append(file, kind, index, column);
  return column;
}

std::vector<double> StoredRun::parameter(std::size_t variation) const { return store_->gather<double>(Kind::parameter, variation); }
std::vector<double> StoredRun::observable(std::size_t observable) const { return store_->gather<double>(Kind::observable, observable); }
std::vector<executor::Status> StoredRun::status() const { return store_->gather<executor::Status>(Kind::status, 0); }
std::vector<double> StoredRun::stop_time() const { return store_->gather<double>(Kind::stop_time, 0); }
std::vector<double> StoredRun::trajectory(std::size_t column) const { return store_->gather<double>(Kind::trajectory, column); }
std::vector<std::uint8_t> StoredRun::modes() const { return store_->gather<std::uint8_t>(Kind::mode, 0); }

statistics::TrackMoments StoredRun::track_moments(std::size_t coordinate) const {
  constexpr std::int64_t block = statistics::block_members;
  statistics::MergeTree<statistics::TrackMoments> tree;
  for (const auto& file : store_->used_) {
    std::int64_t end = file.range.first / block * block;
    for (auto& sums : unpack_moments(store_->read<double>(file, Kind::track_moments, coordinate), store_->shape_.times)) {
      end = std::min(end + block, store_->members_);
      if (end <= file.range.end()) tree.add(std::move(sums));  // else a later chunk has the block to its end
    }
  }
  return tree.finish();
}

std::vector<double> StoredRun::track_bands(std::size_t coordinate, statistics::Engine& engine) const {
  constexpr std::int64_t block = statistics::block_members;
  const std::int64_t times = store_->shape_.times;
  if (!store_->shape_.tracked || store_->used_.empty()) return {};
  if (covers_first_block(store_->used_.front().range)) return store_->read<double>(store_->used_.front(), Kind::track_bands, coordinate);
  std::vector<double> tracks;
  std::vector<executor::Status> status;
  for (const auto& file : store_->used_) {
    if (file.range.first >= block) break;
    store_->append(file, Kind::trajectory, coordinate, tracks);
    tracks.resize(std::min(tracks.size(), static_cast<std::size_t>(block * times)));
    store_->append(file, Kind::first_tracks, coordinate, tracks);
    store_->append(file, Kind::status, 0, status);
  }
  status.resize(std::min(status.size(), static_cast<std::size_t>(block)));
  return engine.track_quantiles(tracks, status, times);
}

std::int64_t missing_bytes(const scenario::Scenario& scenario, const std::vector<Range>& missing, bool tracked) {
  const ChunkShape shape = shape_of(scenario, tracked);
  double bytes = static_cast<double>(results_bytes(scenario));
  for (const Range& range : missing) bytes += chunk_bytes(shape, range);
  return count_bytes(bytes);
}

}  // namespace conesweep::io
