#include "keep/digests.hpp"

#include <algorithm>

#include "io/files.hpp"
#include "keep/classes.hpp"
#include "support/bytes.hpp"
#include "support/error.hpp"
#include "support/hash.hpp"

namespace conesweep::keep {
namespace {

constexpr char magic[] = "conesweep digest 2\n";  // 2: with the ends of values as they are

std::vector<std::uint8_t> classify_part(const scenario::Scenario& scenario, const ChunkResults& part) {
  if (scenario.classes.empty()) return {};
  return classify(scenario, {[&](std::size_t o) { return part.outcome.observables[o]; },
                             [&](std::size_t v) { return part.parameters[v]; }, part.outcome.status});
}

template <class T>
void lengthen(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// All columns of a chunk.
ChunkResults read_part(const ChunkSet& chunks, const ChunkSet::Chunk& chunk) {
  const io::ChunkShape& shape = chunks.shape();
  ChunkResults part;
  part.range = chunk.range;
  const auto read = [&](io::Kind kind, std::size_t count) {
    std::vector<std::vector<double>> columns(count);
    for (std::size_t k = 0; k < count; ++k) chunks.append(chunk, kind, k, columns[k]);
    return columns;
  };
  part.parameters = read(io::Kind::parameter, shape.parameters);
  executor::Outcome& outcome = part.outcome;
  outcome.observables = read(io::Kind::observable, shape.observables);
  chunks.append(chunk, io::Kind::status, 0, outcome.status);
  chunks.append(chunk, io::Kind::stop_time, 0, outcome.stop_time);
  chunks.append(chunk, io::Kind::flags, 0, outcome.flags);
  if (shape.joint) chunks.append(chunk, io::Kind::residual, 0, outcome.residual);
  executor::Trajectories& tracks = outcome.trajectories;
  tracks.columns = read(io::Kind::trajectory, shape.states);
  chunks.append(chunk, io::Kind::mode, 0, tracks.mode);
  tracks.times = shape.times;
  tracks.members = shape.times == 0 ? 0 : static_cast<std::int64_t>(tracks.mode.size()) / shape.times;
  if (!shape.tracked) return part;
  for (const auto& numbers : read(io::Kind::track_moments, shape.summed))
    part.track_moments.push_back(io::unpack_moments(numbers, shape.times));
  if (covers_first_block(part.range)) part.track_bands = read(io::Kind::track_bands, shape.summed);
  return part;
}

// The next members, in order. Of a block that began before, the sums over time are with the later ones.
void append_part(ChunkResults& all, ChunkResults more) {
  for (std::size_t v = 0; v < all.parameters.size(); ++v) lengthen(all.parameters[v], more.parameters[v]);
  io::append(all.outcome, more.outcome);
  for (std::size_t c = 0; c < all.track_moments.size(); ++c) {
    if (more.range.first % digest_block != 0) all.track_moments[c].pop_back();
    lengthen(all.track_moments[c], more.track_moments[c]);
  }
  all.range.count += more.range.count;
}

// Without its first members.
void drop_front(ChunkResults& part, std::int64_t members) {
  const auto cut = [](auto& column, std::int64_t count) {
    column.erase(column.begin(), column.begin() + std::min<std::int64_t>(count, std::ssize(column)));
  };
  for (auto& column : part.parameters) cut(column, members);
  executor::Outcome& outcome = part.outcome;
  for (auto& column : outcome.observables) cut(column, members);
  cut(outcome.status, members), cut(outcome.stop_time, members), cut(outcome.residual, members),
      cut(outcome.flags, members);
  executor::Trajectories& tracks = outcome.trajectories;
  for (auto& column : tracks.columns) cut(column, members * tracks.times);
  cut(tracks.mode, members * tracks.times);
  tracks.members = std::max<std::int64_t>(0, tracks.members - members);
  for (auto& blocks : part.track_moments)
    cut(blocks, (part.range.first + members) / digest_block - part.range.first / digest_block);
  part.track_bands.clear();
  part.range = {part.range.first + members, part.range.count - members};
}

}  // namespace

void Digests::fit() {
  whole_.fit(*scenario_);
  const std::int64_t over = scenario_->ensemble.members % digest_block;
  if (last_ && (last_->members() != over ||
                last_->all().tree.nodes().begin()->first != scenario_->ensemble.members / digest_block))
    last_.reset();
}

void Digests::add(const ChunkResults& part, double seconds) {
  CS_ASSERT(part.range.first % digest_block == 0);
  const std::int64_t whole = part.range.count / digest_block * digest_block, over = part.range.count - whole;
  const auto classes = classify_part(*scenario_, part);
  sound_ = false;
  whole_.add(part, 0, whole, classes, threads_);
  whole_.seconds += seconds;
  if (over > 0) {
    CS_ASSERT(part.range.end() == scenario_->ensemble.members);
    last_.emplace(*scenario_);
    last_->add(part, whole, over, classes, threads_);
  }
  sound_ = true;
}

void Digests::add(Digests other) {
  sound_ = false;
  whole_.add(std::move(other.whole_));
  if (other.last_) last_ = std::move(other.last_);
  sound_ = true;
}

std::int64_t Digests::end() const {
  const auto end_of = [](const Digest& digest) {
    const auto& nodes = digest.all().tree.nodes();
    return nodes.empty() ? 0
                         : (nodes.rbegin()->first + (std::int64_t{1} << nodes.rbegin()->second.level)) * digest_block;
  };
  return last_ ? last_->all().tree.nodes().begin()->first * digest_block + last_->members() : end_of(whole_);
}

std::vector<MemberRange> Digests::missing() const {
  const std::int64_t members = scenario_->ensemble.members, over = members % digest_block;
  std::vector<MemberRange> gaps = whole_.missing(members);
  if (over == 0 || last_) return gaps;
  if (!gaps.empty() && gaps.back().end() == members - over)
    gaps.back().count += over;
  else
    gaps.push_back({members - over, over});
  return gaps;
}

Digest Digests::total() const {
  Digest all = whole_;
  if (last_) all.add(*last_);
  return all;
}

std::string Digests::pack() const {
  return ByteWriter()
      .put(scenario_->ensemble.members)
      .put(whole_.pack())
      .put(last_.has_value())
      .put(last_ ? last_->pack() : std::string())
      .take();
}

Digests Digests::unpack(const scenario::Scenario& scenario, int threads, const std::string& text) {
  ByteReader bytes(text);
  Digests found(scenario, threads);
  const auto members = found.begun_members_ = bytes.get<std::int64_t>();
  found.whole_ = Digest::unpack(scenario, bytes.get_text());
  const bool has_last = bytes.get<bool>();
  const std::string last = bytes.get_text();
  if (has_last && members == scenario.ensemble.members) found.last_ = Digest::unpack(scenario, last);
  return found;
}

DigestStore::DigestStore(const scenario::Scenario& scenario, int threads, std::filesystem::path file, std::uint64_t run)
    : scenario_(&scenario), file_(std::move(file)), run_(run), digests_(scenario, threads) {
  if (file_.empty() || !io::is_there(file_)) return;
  const std::string bytes = io::read_bytes(file_);
  constexpr std::size_t head = sizeof magic - 1 + 2 * sizeof(std::uint64_t);
  damaged_ = true;
  if (bytes.size() < head || !bytes.starts_with(magic)) return;
  std::uint64_t found[2];  // run, checksum
  std::memcpy(found, bytes.data() + sizeof magic - 1, sizeof found);
  if (found[0] != run_ || found[1] != checksum(bytes.data() + head, bytes.size() - head)) return;
  digests_ = Digests::unpack(scenario, threads, bytes.substr(head));
  saved_members_ = digests_.members();
  damaged_ = false;
}

void DigestStore::save_in_time() {
  constexpr double least_seconds = 1, share = 0.05;  // of the time for saving, at most
  const double since = std::chrono::duration<double>(std::chrono::steady_clock::now() - saved_).count();
  if (since > std::max(least_seconds, saving_ / share)) save();
}

void DigestStore::save() {
  if (file_.empty() || !digests_.is_sound() || digests_.members() == saved_members_) return;
  const auto start = std::chrono::steady_clock::now();
  const std::string body = digests_.pack();
  std::string bytes(magic);
  for (const std::uint64_t number : {run_, checksum(body.data(), body.size())})
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  bytes += body;
  const std::filesystem::path temporary = file_.string() + ".tmp";
  try {
    io::write_bytes(temporary, bytes);
    io::rename_file(temporary, file_);
  } catch (const SystemError&) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
  saved_members_ = digests_.members();
  saved_ = std::chrono::steady_clock::now();
  saving_ = std::chrono::duration<double>(saved_ - start).count();
}

void DigestStore::take(const ChunkSet& chunks) {
  ChunkResults waiting;  // members whose block is not whole yet
  for (const ChunkSet::Chunk& chunk : chunks.used()) {
    ChunkResults part = read_part(chunks, chunk);
    if (waiting.range.count > 0 && waiting.range.end() == part.range.first)
      append_part(waiting, std::move(part));
    else
      waiting = std::move(part);
    // to the begin of a digest_block, and from there on whole ones
    const std::int64_t off =
        std::min((digest_block - waiting.range.first % digest_block) % digest_block, waiting.range.count);
    if (off > 0) drop_front(waiting, off);
    // bands are of the first block as a whole; a chunk that has a share of it only is done again
    if (waiting.range.first == 0 && !waiting.track_moments.empty() && waiting.track_bands.empty()) {
      waiting = {};
      continue;
    }
    const std::int64_t rest = waiting.range.count % digest_block;
    if (waiting.range.count == rest) continue;
    waiting.range.count -= rest;
    digests_.add(waiting, chunk.seconds);
    waiting.range.count += rest;
    drop_front(waiting, waiting.range.count - rest);
  }
}

}  // namespace conesweep::keep
