#include "tell/points_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/files.hpp"
#include "io/json_text.hpp"
#include "keep/summary_pieces.hpp"
#include "support/error.hpp"
#include "support/special_numbers.hpp"
#include "tell/outcome_json.hpp"

namespace conesweep::tell {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t point_indent = 6;
constexpr std::size_t stretch_bytes = 1 << 16;  // handed over at a time

/// Points as text. Making a tree of each takes ten times as long as its numbers do: points that list the same names
/// have the same text but for the numbers, and it is laid out once.
class PointWriter {
 public:
  explicit PointWriter(const SweepSummary& sweep) : sweep_(sweep) {}

  void append(const PointSummary& point, std::string& text) {
    if (words_.empty() || !is_like_last(point)) lay_out(point);
    const std::string numbers = ordered_json(list_numbers(point)).dump();  // "[1,2.5,null]"
    std::size_t from = 1;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      text += words_[k];
      if (k + 1 == words_.size()) break;
      const std::size_t end = numbers.find_first_of(",]", from);
      text.append(numbers, from, end - from);
      from = end + 1;
    }
  }

 private:
  // Does it list what the last one that was laid out does?
  bool is_like_last(const PointSummary& point) {
    std::vector<bool> listed;
    for (const auto& row : scenario::statuses)
      listed.push_back(std::any_of(point.status.begin(), point.status.end(),
                                   [&](const auto& one) { return one.first == row.value; }));
    for (const auto& [name, s] : point.observables) listed.push_back(s.quantile_error > 0);
    std::vector<std::string> classes;
    for (const keep::ClassCount& one : point.classes) classes.push_back(one.name);
    if (listed == listed_ && classes == classes_) return true;
    listed_ = listed, classes_ = classes;
    return false;
  }

  // What is between the numbers: each of them becomes null, and null stands nowhere else but in names.
  void lay_out(const PointSummary& point) {
    is_like_last(point);
    std::string text;
    ordered_json json = to_json(point, sweep_);
    blank_numbers(json);
    io::append_json(json, point_indent, text);
    words_.assign(1, {});
    bool in_name = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!in_name && text.compare(at, 4, "null") == 0) {
        words_.emplace_back();
        at += 3;
        continue;
      }
      if (text[at] == '"') in_name = !in_name;
      if (text[at] == '\\') words_.back() += text[at++];
      words_.back() += text[at];
    }
    CS_ASSERT(words_.size() == list_numbers(point).size() + 1);
  }

  static void blank_numbers(ordered_json& json) {
    if (json.is_number()) json = nan;
    if (json.is_structured())
      for (auto& value : json) blank_numbers(value);
  }

  const SweepSummary& sweep_;
  std::vector<std::string> words_;  // one more than there are numbers
  std::vector<bool> listed_;        // statuses, and errors of quantiles
  std::vector<std::string> classes_;
};

}  // namespace

LongText points_text(const SweepSummary& sweep) {
  return [&sweep](const Sink& sink) {
    PointWriter writer(sweep);
    std::string piece = "[";
    for (std::size_t k = 0; k < sweep.points(); ++k) {
      piece += k > 0 ? ",\n" : "\n";
      piece.append(point_indent, ' ');
      writer.append(sweep.point(k), piece);
      if (piece.size() < stretch_bytes) continue;
      sink(piece);
      piece.clear();
    }
    if (sweep.points() > 0) piece.append("\n").append(keep::points_end.substr(0, keep::points_end.size() - 1));
    sink(piece + "]");
  };
}

double bytes_a_point(const scenario::Scenario& scenario) {
  constexpr double typical = 0.920326709341;  // 14 letters: most numbers have 18, and some are 0.0
  PointSummary point;
  SweepSummary sweep;
  sweep.members = members_of_point(scenario);
  for (const auto& axis : scenario.sweep)
    sweep.axes.emplace_back(scenario.names.parameters[static_cast<std::size_t>(axis.parameter)],
                            std::vector(1, typical));
  point.status.emplace_back(executor::Status::ok, sweep.members);
  const double spread = sweep.members > 1 ? typical : nan;
  for (const auto& name : observable_names(scenario))
    point.observables.emplace_back(
        name, PointStatistics{
                  sweep.members, typical, spread, spread, typical, typical, typical, {typical, typical, typical}, 0});
  const bool sampled = scenario.ensemble.sampler != scenario::Sampler::grid;
  for (const auto& one : scenario.classes)
    point.classes.push_back({one.name, sweep.members, typical, sampled, {typical, typical}});
  sweep.add(point);
  double bytes = 0;
  points_text(sweep)([&](std::string_view piece) { bytes += static_cast<double>(piece.size()); });
  return bytes;
}

}  // namespace conesweep::tell
