// No text crashes or hangs the scenario reader, and every scenario it takes reads back from what the writer makes of
// it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../scenario/law_scenario.hpp"
#include "fuzz.hpp"
#include "scenario/reading/check.hpp"
#include "scenario/reading/notes.hpp"
#include "scenario/reading/reader.hpp"
#include "scenario/reading/theorems.hpp"
#include "scenario/writer.hpp"

namespace conesweep::fuzz {

using namespace conesweep::scenario;

// longer than 60 lines: a word a line
const std::vector<std::string>& dictionary() {
  static const std::vector<std::string> words = {
      "title",
      "[model]",
      "coordinates",
      "force",
      "[model.parameters]",
      "[model.define]\ntip = \"x\"\n",
      "tip",
      "[[model.contact]]",
      "[[model.bilateral]]",
      "[[model.resistance]]",
      "holds = \"y = 0\"\n",
      "velocity = \"vx = t\"\n",
      "point = [\"x\", \"y\"]\n",
      "slip = [\"vx\"]\n",
      "belt = [0, 0]\n",
      "drive",
      "limit = 1\n",
      "[\"-inf\", 0]",
      "percussions = { time = 0.5, size = \"2^-j\", count = 2 }\n",
      "restitution_law = \"moreau\"\n",
      "also = [\"impulse.floor\"]\n",
      "normal(floor)",
      "slip(floor)",
      "gap(floor)",
      "j",
      "name",
      "inside",
      "friction_angle",
      "friction",
      "mass",
      "[start]",
      "[time]",
      "end",
      "step",
      "[ensemble]",
      "members",
      "seed",
      "sampler",
      "levels",
      "[vary]",
      "[observe]",
      "standard",
      "[record]",
      "every",
      "restitution",
      "uniform",
      "normal",
      "lognormal",
      "loguniform",
      "choice",
      "table",
      "triangular",
      "truncated_normal",
      "random",
      "grid",
      "sobol",
      "latin",
      "final",
      "min",
      "max",
      "mean",
      "integral",
      "first_time",
      "last_time",
      "count",
      "impacts",
      "penetration",
      "x",
      "y",
      "vx",
      "alpha",
      "tau",
      "mu",
      "delay(x, tau)",
      "window_max(x, 0.1)",
      "now(x)",
      "if(x > 0, 1, 2)",
      "y >= 0",
      "x^2 + y^2 <= 1",
      "\"",
      "\"\"\"",
      "'",
      "'''",
      "\\u00b5",
      "\\\n",
      "\\U0001F642",
      "\\x",
      "µ",
      "\xff",
      "= ",
      "{ ",
      " }",
      "[",
      "]",
      ".",
      "#",
      "\n",
      "\r\n",
      "nan",
      "inf",
      "-inf",
      "true",
      "1e308",
      "-1",
      "0",
      "1_000",
      "0x10",
      "2024-01-01",
      "9223372036854775807",
      "= { uniform = [0, 1] }\n",
      "= [\"x\"]\n",
      "= { max = \"x\" }\n",
      "a.csv:b",
      "[0, 1]",
      "[]",
      "{}",
  };
  return words;
}

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> list;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(CONESWEEP_SAMPLES))
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());  // the same inputs everywhere
    for (const auto& path : files) {
      std::ifstream file(path, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      list.push_back(text.substr(text.find("title")));  // without the comment, where mutations would be lost
    }
    list.emplace_back(R"~(title = "names"
[model]
coordinates = ["x", "y"]
force = ["-behind", "near - 1"]
[model.parameters]
tau = 0.1
[model.define]
lag = "2 * tau"
size = "x^2 + y^2"
behind = "delay(size * vx, lag)"
gone = "abs(size - now(size))"
small = 'size < 1'
near = "if(small, window_max(gone, lag), 0)"
[[model.contact]]
inside = "size <= 2"
[start]
x = "lag * t"
y = "0"
[time]
end = 1
step = 0.1
[observe]
r = { first_time = "small" }
)~");
    list.push_back(test::wheel);
    return list;
  }();
  return texts;
}

namespace {

constexpr std::int64_t members_tried = 8;  // as many paths as a thousand, and faster

bool is_line_of(const Source& source, int line) {
  return line <= 1 + std::count(source.text.begin(), source.text.end(), '\n');
}

void check_problems(const Faults& problems, const Source& source) {
  for (const auto& problem : problems) {
    require(!problem.message.empty(), "a problem has a message");
    require(problem.place.line >= 0 && is_line_of(source, problem.place.line),
            "a problem stands on a line of the file");
    require(problem.place.line == 0 || problem.place.column >= 1, "columns count from 1");
    const std::string text = problem.to_text();
    const auto lines = std::count(text.begin(), text.end(), '\n');
    const bool shown = problem.place.line > 0 && !problem.excerpt.empty();
    require(!shown || lines >= 2, "a problem with a place shows its line and a caret");
    require(!shown || text.back() == '^', "the caret comes last");
  }
}

}  // namespace
}  // namespace conesweep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace conesweep::fuzz;
  const Source source{"fuzz.toml", std::string(reinterpret_cast<const char*>(data), size)};

  // read
  Faults problems;
  const auto scenario = read_scenario(source, {}, problems);
  check_problems(problems, source);
  require(scenario.has_value() == !has_errors(problems), "there is a scenario if and only if there is no error");
  if (!scenario) return 0;
  ++accepted;

  // a scenario is whole
  require(scenario->force.size() == scenario->names.coordinates.size() &&
              scenario->start.size() == scenario->names.coordinates.size(),
          "each coordinate has a force and a past");
  require(scenario->steps >= 1 && scenario->ensemble.members >= 1, "there are steps and members");
  for (const auto& contact : scenario->contacts) require(contact.g != nullptr, "each contact has a constraint");
  for (const auto& bilateral : scenario->bilaterals)
    require(bilateral.value != nullptr, "each bilateral constraint has an equation");
  for (const auto& resistance : scenario->resistances)
    require(!resistance.slip.empty() && !resistance.limit.empty(), "each resistance has rows and a limit");

  // try its first members
  try_members(*scenario, source, members_tried, problems);
  check_problems(problems, source);
  for (const auto& note : describe_laws(*scenario))
    require(!note.message.empty() && is_line_of(source, note.place.line), "a note stands on a line of the file");
  require(!find_theorem(*scenario).words.empty(), "a theorem covers it, or it is said what goes beyond");

  // write, read, write
  const std::string text = write_scenario(*scenario);
  Faults again;
  const auto second = read_scenario({"fuzz.toml", text}, {}, again);
  require(second.has_value(), "what was written can be read");
  require(write_scenario(*second) == text, "what was written reads back to the same scenario");
  return 0;
}
