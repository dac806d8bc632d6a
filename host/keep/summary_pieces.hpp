#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/sink.hpp"

/// The text of summary.json with the points of a sweep apart: a map has a million of them, so the text is never whole.
namespace conesweep::keep {

/// The line behind the last point.
inline constexpr std::string_view points_end = "    ]";

/// A text of summary.json in which null stands for the points: what is before them, and what is behind. Without a sweep
/// all is before.
std::pair<std::string, std::string> cut_at_points(const std::string& text);

/// text_checksum (run_folder.hpp) of such a text with its points; `pass_on` has all but what is behind them, as it goes
/// by.
std::string checksum_with_points(const std::string& text, const LongText& points, const Sink& pass_on = {});

/// A summary.json as it lies on disk, with its points apart. Anything else is text without points.
class SummaryPieces {
 public:
  /// SystemError if it cannot be read.
  explicit SummaryPieces(const std::filesystem::path& file);

  const std::string& text() const { return text_; }  // null stands for the points
  bool has_points() const { return end_ > first_; }

  /// As points_text.
  LongText points() const;

  /// The text of each, one after another.
  void for_each_point(const std::function<void(const std::string&)>& take) const;

 private:
  std::filesystem::path file_;
  std::string text_;
  std::uint64_t first_ = 0, end_ = 0;  // bytes of the points, with their brackets
};

/// Does a text, which may be anything, with or without points, look like a summary.json of ours?
bool looks_like_summary(const std::string& text);

/// Checksums of the tables in a run's folder, by their names there.
using TableChecksums = std::vector<std::pair<std::string, std::string>>;

/// Those that the part `run` of a summary.json notes.
TableChecksums to_tables(const nlohmann::ordered_json& run);

/// The same of all of its text; none where it is something else.
TableChecksums find_noted_tables(const std::string& text);

}  // namespace conesweep::keep
