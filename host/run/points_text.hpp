#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "run/sweep_summary.hpp"
#include "support/sink.hpp"

/// The points of a sweep in the text of summary.json: a map has a million of them, so they are written and read one by
/// one, and the text is never whole.
namespace conesweep::runs {

/// All of them as they stand in the file, brackets included. `sweep` must live as long.
LongText points_text(const SweepSummary& sweep);

/// About how long the text of one point is, to a fifth: what its numbers are nobody knows before.
double bytes_a_point(const scenario::Scenario& scenario);

/// A text of summary.json in which null stands for the points: what is before them, and what is behind. Without a sweep
/// all is before.
std::pair<std::string, std::string> cut_at_points(const std::string& text);

/// text_checksum (ownership.hpp) of such a text with its points; `pass_on` has all but what is behind them, as it goes
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

}  // namespace conesweep::runs
