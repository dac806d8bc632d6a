#include "tell/export.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "keep/run_folder.hpp"
#include "support/csv.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/finished.hpp"

namespace conesweep::tell {
namespace {

constexpr std::int64_t most_rows = 65536;                   // of a stretch: about a block of the file
constexpr std::int64_t most_cells = std::int64_t{1} << 24;  // of a stretch, when there are thousands of columns
constexpr std::size_t piece_bytes = 1 << 16;                // of text handed over at a time

/// CSV on its way to a sink.
class Lines {
 public:
  explicit Lines(const Sink& sink) : sink_(sink) {}

  void add(std::string_view cell) {
    if (begun_) text_ += ',';
    text_ += cell;
    begun_ = true;
  }
  void add(double number) { add(std::isnan(number) ? std::string() : format_number(number)); }
  void end() {
    text_ += '\n';
    begun_ = false;
    if (text_.size() >= piece_bytes) hand_over();
  }
  void hand_over() {
    sink_(text_);
    text_.clear();
  }

 private:
  const Sink& sink_;
  std::string text_;
  bool begun_ = false;  // a line
};

const std::string& name_code(const std::vector<std::string>& names, std::uint8_t code) {
  if (code >= names.size())
    throw SystemError(std::string("cannot read ") + keep::results_name + ": it has a code without a name");
  return names[code];
}

enum class Kind { number, code, flags };

/// A column of members.
struct Column {
  std::string path;  // in results.h5
  std::string head;
  Kind kind = Kind::number;
  std::vector<std::string> names = {};  // of codes and flags, as cells
  // the stretch that was read last
  std::vector<double> numbers = {};
  std::vector<std::uint8_t> codes = {};

  void read(const io::ResultsReader& results, io::MemberRange rows) {
    if (kind == Kind::number)
      numbers = results.numbers(path, rows);
    else
      codes = results.codes(path, rows);
  }

  void write(Lines& lines, std::size_t row) const {
    if (kind == Kind::number)
      lines.add(numbers[row]);
    else if (kind == Kind::code)
      lines.add(name_code(names, codes[row]));
    else
      lines.add(name_flags(codes[row]));
  }

  // those that are set, with a blank between them
  std::string name_flags(std::uint8_t bits) const {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k)
      if ((bits >> k & 1) != 0) text += (text.empty() ? "" : " ") + names[k];
    return text;
  }
};

std::vector<std::string> as_cells(std::vector<std::string> names) {
  for (std::string& name : names) name = csv_cell(name);
  return names;
}

// parameters, observables, how members ended
std::vector<Column> list_columns(const io::ResultsReader& results) {
  std::vector<Column> columns;
  for (const auto& name : results.parameters()) columns.push_back({"parameters/" + name, name});
  for (const auto& name : results.observables()) columns.push_back({"observables/" + name, name});
  columns.push_back({"status", "status", Kind::code, as_cells(results.names("status"))});
  columns.push_back({"stop_time", "stop_time"});
  if (results.has("residual")) columns.push_back({"residual", "residual"});
  if (results.has("flags")) columns.push_back({"flags", "flags", Kind::flags, as_cells(results.names("flags"))});
  if (results.has("class")) columns.push_back({"class", "class", Kind::code, as_cells(results.names("class"))});

  // a head is there once: where it would not be, that of a parameter or an observable says which it is
  std::map<std::string, int> count = {{"member", 1}};
  for (const Column& column : columns) ++count[column.head];
  for (Column& column : columns)
    if (count[column.head] > 1) column.head = column.path;
  return columns;
}

std::int64_t rows_of_a_stretch(std::size_t columns) {
  return std::clamp<std::int64_t>(most_cells / static_cast<std::int64_t>(std::max<std::size_t>(columns, 1)), 1,
                                  most_rows);
}

}  // namespace

Export::Export(const std::filesystem::path& folder)
    : folder_(folder), summary_(read_finished(folder, Points::skip)), results_(folder / keep::results_name) {
  demand_one_run(folder, summary_, results_);
  members_ = results_.members();
}

std::size_t Export::write_members(const Sink& sink) const {
  demand_members(folder_, results_);
  std::vector<Column> columns = list_columns(results_);
  Lines lines(sink);
  lines.add("member");
  for (const Column& column : columns) lines.add(csv_cell(column.head));
  lines.end();
  const std::int64_t stretch = rows_of_a_stretch(columns.size());
  for (io::MemberRange rows{0, 0}; rows.end() < members_;) {
    rows = {rows.end(), std::min(stretch, members_ - rows.end())};
    for (Column& column : columns) column.read(results_, rows);
    for (std::int64_t row = 0; row < rows.count; ++row) {
      lines.add(std::to_string(rows.first + row));
      for (const Column& column : columns) column.write(lines, static_cast<std::size_t>(row));
      lines.end();
    }
  }
  lines.hand_over();
  return columns.size() + 1;
}

std::size_t Export::write_trajectories(const Sink& sink) const {
  if (!results_.has("trajectories"))
    throw InputError(folder_.string() + " has no trajectories: its scenario records no members");
  const std::string group = "trajectories/";
  const std::int64_t members = results_.length(group + "member"), times = results_.length(group + "time");
  const auto member = results_.whole_numbers(group + "member", {0, members});
  const auto time = results_.numbers(group + "time", {0, times});
  const auto modes = as_cells(results_.names(group + "mode"));
  const auto tracks = results_.tracks();

  Lines lines(sink);
  lines.add("member");
  lines.add("time");
  for (const auto& name : tracks) lines.add(csv_cell(name));
  lines.add("mode");
  lines.end();

  const std::int64_t stretch = rows_of_a_stretch((tracks.size() + 1) * static_cast<std::size_t>(times));
  for (io::MemberRange rows{0, 0}; rows.end() < members;) {
    rows = {rows.end(), std::min(stretch, members - rows.end())};
    std::vector<std::vector<double>> columns;
    for (const auto& name : tracks) columns.push_back(results_.numbers(group + name, rows));
    const auto mode = results_.codes(group + "mode", rows);
    for (std::size_t at = 0; at < mode.size(); ++at) {
      // a member that stopped, or ended early, has no more nodes
      if (std::all_of(columns.begin(), columns.end(), [&](const auto& column) { return std::isnan(column[at]); }))
        continue;
      lines.add(std::to_string(member[static_cast<std::size_t>(rows.first) + at / time.size()]));
      lines.add(time[at % time.size()]);
      for (const auto& column : columns) lines.add(column[at]);
      lines.add(name_code(modes, mode[at]));
      lines.end();
    }
  }
  lines.hand_over();
  return static_cast<std::size_t>(members);
}

}  // namespace conesweep::tell
