#include "keep/chunk_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "keep/digests.hpp"
#include "keep/run_folder.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"
#include "support/text.hpp"

namespace conesweep::keep {

using io::Descriptor;
using io::is_there;
using io::list_folder;

namespace fs = std::filesystem;

namespace {

constexpr char run_name[] = "run.txt";
constexpr char ending[] = ".chunk";

// Is the open folder still the one that has this name?
bool is_same(int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

// run.txt, 0-4096.chunk, and their temporary names
bool is_ours(const fs::path& path) {
  std::string name = path.filename().string();
  if (name.ends_with(".tmp")) name.resize(name.size() - 4);
  if (name == run_name || name == DigestStore::name) return true;
  if (!name.ends_with(ending)) return false;
  name.resize(name.size() - std::strlen(ending));
  return !name.empty() && name.find_first_not_of("0123456789-") == name.npos;
}

// Removes what is ours in a folder that we have locked, and the folder, unless there are other files in it.
void remove_folder(int lock, const fs::path& folder) noexcept {
  if (!is_same(lock, folder)) return;  // another program's by now
  std::error_code error;
  fs::remove(folder / run_name, error);  // first: chunks without it belong to no run
  try {
    for (const auto& path : list_folder(folder))
      if (is_ours(path)) fs::remove(path, error);
  } catch (const SystemError&) {
    // they do no harm
  }
  fs::remove(folder, error);
}

fs::path path_for(const fs::path& folder, MemberRange range) {
  return folder / (std::to_string(range.first) + "-" + std::to_string(range.end()) + ending);
}

// Complete under another name before it has its own.
void write_file(const fs::path& path, const std::string& bytes) {
  const fs::path temporary = path.string() + ".tmp";
  try {
    io::write_bytes(temporary, bytes);
    io::rename_file(temporary, path);
  } catch (const SystemError&) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
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
  const auto quote = [k](const std::vector<std::string>& text) {
    return k < text.size() && !text[k].empty() ? "'" + text[k] + "'" : std::string("nothing");
  };
  return quote(a) + " in the unfinished run, " + quote(b) + " now";
}

}  // namespace

bool ChunkStore::is_begun(const fs::path& run_folder) { return is_there(run_folder / chunks_name / run_name); }

std::int64_t ChunkStore::count_chunks(const fs::path& run_folder) {
  std::error_code error;
  const fs::directory_iterator entries(run_folder / chunks_name, error);
  return error || !is_there(run_folder / chunks_name / run_name)
             ? 0
             : std::count_if(entries, {}, [](const auto& entry) { return entry.path().extension() == ending; });
}

void ChunkStore::refuse_unfinished(const fs::path& run_folder) {
  const std::int64_t there = count_chunks(run_folder);
  if (there > 0)
    throw InputError(run_folder.string() + " holds an unfinished run (" + std::to_string(there) + " " +
                     plural(there, "chunk") + " done); go on with " + setting::resume + ", start over with " +
                     setting::force + ", or choose another folder with " + setting::out);
}

ChunkStore::ChunkStore(const fs::path& run_folder, std::string run, const io::ChunkShape& shape, Mode mode)
    : ChunkSet(shape, fnv1a(run)), folder_(run_folder / chunks_name), run_(std::move(run)) {
  take_lock(run_folder);
  for (const auto& path : list_folder(folder_))
    if (!is_ours(path))
      throw InputError(folder_.string() + " holds '" + path.filename().string() +
                       "', which is no chunk of a run; move it, or choose another folder with " + setting::out);
  if (mode == Mode::fresh) refuse_unfinished(run_folder);
  if (mode == Mode::resume && is_there(folder_ / run_name)) {
    const std::string then = io::read_bytes(folder_ / run_name);
    if (then == run_) {
      take_over();
      return;
    }
    if (count_chunks(run_folder) > 0)
      throw InputError("the unfinished run in " + run_folder.string() +
                       " is another one: " + first_difference(then, run_) +
                       "; finish it as it was begun, or start over with " + setting::force);
  }
  for (const auto& path : list_folder(folder_)) io::remove_file(path);
  const fs::path temporary = folder_ / (std::string(run_name) + ".tmp");
  io::write_bytes(temporary, run_);
  io::rename_file(temporary, folder_ / run_name);
  lock_->sync();
}

// Another program may remove the folder between our two calls: what counts is a lock on the folder that has the name.
void ChunkStore::take_lock(const fs::path& run_folder) {
  while (lock_ == nullptr) {
    std::error_code error;
    const bool made = fs::create_directory(folder_, error);
    if (error) io::refuse("make", folder_, error);
    if (!is_there(folder_)) continue;
    lock_ = std::make_unique<Descriptor>(folder_, O_RDONLY | O_DIRECTORY);
    try {
      if (!io::lock_folder(*lock_, run_folder, false))
        throw SystemError("another run is working in " + run_folder.string() +
                          "; wait for it, or choose another folder with " + setting::out);
    } catch (const SystemError&) {
      lock_ = nullptr;
      if (made) fs::remove(folder_, error);  // goes if it is empty
      throw;
    }
    if (!is_same(*lock_, folder_)) lock_ = nullptr;
  }
}

ChunkStore::~ChunkStore() {
  if (lock_ != nullptr && all().empty() && !is_there(digest_file())) remove_folder(*lock_, folder_);
}

void ChunkStore::sweep(const fs::path& run_folder) noexcept {
  const fs::path folder = run_folder / chunks_name;
  if (!is_there(folder) || is_there(folder / run_name)) return;
  try {
    const Descriptor lock(folder, O_RDONLY | O_DIRECTORY);
    if (io::lock_folder(lock, run_folder, false) && !is_there(folder / run_name)) remove_folder(lock, folder);
  } catch (const SystemError&) {
    // they do no harm
  }
}

// chunks of the same run that are sound
void ChunkStore::take_over() {
  for (const auto& path : list_folder(folder_)) {
    if (path.filename() == run_name || path.filename() == DigestStore::name) continue;
    bool sound = path.extension() == ending;
    try {
      if (sound) {
        const io::ChunkFile file(path, shape());
        file.check_all();
        sound = file.header().run == run() && path == path_for(folder_, file.header().range);
        if (sound) take({file.header().range, file.header().seconds});
      }
    } catch (const io::Damaged&) {
      sound = false;
    }
    if (sound) continue;
    damaged_ += path.extension() == ending;
    io::remove_file(path);
  }
}

fs::path ChunkStore::digest_file() const { return folder_ / DigestStore::name; }

void ChunkStore::remove_columns() {
  for (const Chunk& chunk : all()) io::remove_file(path_for(folder_, chunk.range));
  drop_if([](const Chunk&) { return true; });
}

void ChunkStore::forget_lost() {
  const bool ours = is_same(*lock_, folder_);
  drop_if([&](const Chunk& chunk) { return !ours || !is_there(path_for(folder_, chunk.range)); });
}

void ChunkStore::write(ChunkResults part, double solve_seconds) {
  write_packed({part.range, solve_seconds}, io::pack_chunk(part, shape(), run(), solve_seconds));
}

void ChunkStore::write_packed(const Chunk& chunk, const std::string& bytes) {
  try {
    write_file(path_for(folder_, chunk.range), bytes);
    lock_->sync();
  } catch (const SystemError& error) {
    forget_lost();
    throw SystemError(error.sentence() +
                      (all().empty() ? ""
                                     : "; the " +
                                           (all().size() == 1 ? std::string("chunk before is")
                                                              : std::to_string(all().size()) + " chunks before are") +
                                           " kept: go on with " + setting::resume + " when that is mended"));
  }
  take_new(chunk);
}

std::optional<ChunkStore::Mark> ChunkStore::find_mark(const fs::path& run_folder) {
  const fs::path path = run_folder / chunks_name / run_name;
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
  try {
    return Mark{fnv1a(io::read_bytes(path)), facts.st_ino, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
  } catch (const SystemError&) {
    return std::nullopt;
  }
}

void ChunkStore::write_beside(const fs::path& run_folder, MemberRange range, const std::string& bytes) {
  const fs::path folder = run_folder / chunks_name;
  write_file(path_for(folder, range), bytes);
  Descriptor(folder, O_RDONLY | O_DIRECTORY).sync();
}

void ChunkStore::remove() {
  drop_if([](const Chunk&) { return true; });
  remove_folder(*lock_, folder_);  // what stays is no harm: the run is finished
  lock_ = nullptr;
}

void ChunkStore::read(const Chunk& chunk, io::Kind kind, std::size_t index, std::span<std::byte> to) const {
  const fs::path path = path_for(folder_, chunk.range);
  try {
    const io::ChunkFile file(path, shape());
    if (file.header().run != run() || file.header().range != chunk.range)
      throw SystemError(
          "the chunk " + path.string() +
          " is of another run, which has worked here meanwhile; choose a folder of its own for each with " +
          setting::out);
    file.read(kind, index, to);
  } catch (const io::Damaged&) {
    throw SystemError("the chunk " + path.string() + " is not as it was written; " + setting::resume +
                      " does it again");
  }
}

}  // namespace conesweep::keep
