#include "keep/summary_pieces.hpp"

#include <nlohmann/json.hpp>

#include "io/files.hpp"
#include "support/hash.hpp"

namespace conesweep::keep {
namespace {

constexpr char run_line[] = "\"run\": {",
               first_key[] = "\"version\": ";  // on one line, or on two where there are tables

// Lines of format_json. A line end is none of a name or a value, where it would be written as \n.
constexpr std::string_view sweep_line = "  \"sweep\": {", points_line = "    \"points\": ", point_end = "      }";

// Is it this line, with or without a comma behind?
bool is_line(std::string_view line, std::string_view wanted) {
  if (line.ends_with(',')) line.remove_suffix(1);
  return line == wanted;
}

}  // namespace

std::pair<std::string, std::string> cut_at_points(const std::string& text) {
  const std::size_t sweep = text.find("\n" + std::string(sweep_line) + "\n");
  const std::string mark = "\n" + std::string(points_line) + "null\n";
  const std::size_t at = sweep == text.npos ? text.npos : text.find(mark, sweep);
  if (at == text.npos) return {text, {}};
  return {text.substr(0, at + 1 + points_line.size()), text.substr(at + mark.size() - 1)};
}

std::string checksum_with_points(const std::string& text, const LongText& points, const Sink& pass_on) {
  const auto [before, after] = cut_at_points(text);
  const bool has_points = !after.empty();
  std::uint64_t bytes = before.size() + after.size();
  if (has_points) points([&](std::string_view piece) { bytes += piece.size(); });
  Checksum sum(bytes);
  const auto add = [&](std::string_view piece) {
    sum.add(piece.data(), piece.size());
    if (pass_on) pass_on(piece);
  };
  add(before);
  if (has_points) points(add);
  sum.add(after.data(), after.size());
  return to_hex(sum.finish());
}

SummaryPieces::SummaryPieces(const std::filesystem::path& file) : file_(file) {
  io::LineReader lines(file);
  bool in_sweep = false;
  for (std::string line; lines.next(line);) {
    in_sweep = in_sweep || line == sweep_line;
    if (!in_sweep || end_ > 0 || line != std::string(points_line) + "[") {
      text_.append(line).append(lines.is_ended() ? "\n" : "");
      continue;
    }
    first_ = lines.offset() - 2;  // from the bracket on
    while (lines.next(line) && !is_line(line, points_end)) {
    }
    if (!is_line(line, points_end)) break;  // a text that is cut off is none
    const std::string_view behind = line.ends_with(',') ? ",\n" : "\n";
    end_ = lines.offset() - behind.size();
    text_.append(points_line).append("null").append(behind);
  }
}

LongText SummaryPieces::points() const {
  return [this](const Sink& sink) {
    if (has_points()) io::read_stretch(file_, first_, end_ - first_, sink);
  };
}

void SummaryPieces::for_each_point(const std::function<void(const std::string&)>& take) const {
  if (!has_points()) return;
  io::LineReader lines(file_, first_ + 2);
  std::string point;
  for (std::string line; lines.offset() < end_ && lines.next(line) && !is_line(line, points_end);) {
    if (!is_line(line, point_end)) {
      point.append(line).append("\n");
      continue;
    }
    take(point.append("}"));
    point.clear();
  }
}

bool looks_like_summary(const std::string& text) {
  const std::size_t run = text.find(run_line);
  if (run == text.npos) return false;
  const std::size_t key = text.find_first_not_of(" \n", run + sizeof run_line - 1);
  return key != text.npos && text.compare(key, sizeof first_key - 1, first_key) == 0;
}

TableChecksums to_tables(const nlohmann::ordered_json& run) {
  TableChecksums tables;
  if (run.is_object() && run.contains("tables") && run["tables"].is_object())
    for (const auto& table : run["tables"].items())
      if (table.value().is_string()) tables.emplace_back(table.key(), table.value());
  return tables;
}

TableChecksums find_noted_tables(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  return json.is_object() && json.contains("run") ? to_tables(json["run"]) : TableChecksums();
}

}  // namespace conesweep::keep
