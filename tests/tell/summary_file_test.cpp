#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "io/json_text.hpp"
#include "io/sample_run.hpp"
#include "io/version.hpp"
#include "keep/run_folder.hpp"
#include "keep/summary_pieces.hpp"
#include "support/error.hpp"
#include "tell/outcome_json.hpp"
#include "tell/summary_file.hpp"

namespace conesweep::tell {
namespace {

using executor::Status;
using io::make_run;
using io::Results;
using nlohmann::ordered_json;
using sensitivity::Index;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> keys(const ordered_json& json) {
  std::vector<std::string> names;
  for (const auto& item : json.items()) names.push_back(item.key());
  return names;
}

std::string json_text(const Results& run, const Timing& timing = {}) {
  Summary summary = summarise(run, {});
  summary.timing = timing;
  return to_json_text(summary);
}
ordered_json parse(const Results& run, const Timing& timing = {}) {
  return ordered_json::parse(json_text(run, timing));
}

// ---- the file ----

TEST(SummaryJson, HasTheKeysOfTheDesignInItsOrder) {
  const ordered_json json = parse(make_run());
  EXPECT_THAT(keys(json), ElementsAre("title", "members", "status", "observables", "run", "timing"));
  EXPECT_THAT(keys(json["observables"]),
              ElementsAre("reach", "settled", "impacts", "final.x", "final.y", "final.vx", "final.vy"));
  EXPECT_THAT(keys(json["observables"]["reach"]),
              ElementsAre("count", "mean", "standard_deviation", "standard_error", "skewness", "trimmed_mean", "min",
                          "max", "quantiles", "histogram"));
  EXPECT_THAT(keys(json["observables"]["reach"]["quantiles"]),
              ElementsAre("0.001", "0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99", "0.999"));
  EXPECT_THAT(keys(json["observables"]["reach"]["histogram"]), ElementsAre("edges", "counts"));
  EXPECT_THAT(keys(json["run"]),
              ElementsAre("version", "backend", "device", "precision", "seed", "step", "steps", "ranks", "threads"));
  EXPECT_THAT(keys(json["timing"]),
              ElementsAre("wall_seconds", "compile_seconds", "solve_seconds", "member_steps_per_second"));
}

TEST(SummaryJson, TellsTheRun) {
  const ordered_json json = parse(make_run(), {4, 1, 2});
  EXPECT_EQ(json["title"], "Slider ✓ \"rough\"");
  EXPECT_EQ(json["members"], 7);
  EXPECT_EQ(json["status"].dump(), R"({"ok":5,"non_finite":1,"bad_angle":1})");
  EXPECT_EQ(json["run"]["version"], io::version());
  EXPECT_EQ(json["run"]["backend"], "reference");
  EXPECT_EQ(json["run"]["device"], "one core");
  EXPECT_EQ(json["run"]["precision"], "double");
  EXPECT_EQ(json["run"]["seed"].get<std::uint64_t>(), 0xfedcba9876543210);
  EXPECT_EQ(json["run"]["step"], 0.1);
  EXPECT_EQ(json["run"]["steps"], 3);
  EXPECT_EQ(json["timing"].dump(),
            R"({"wall_seconds":4.0,"compile_seconds":1.0,"solve_seconds":2.0,"member_steps_per_second":10.5})");
}

TEST(SummaryJson, HoldsNumbersThatReadBackToTheLastBit) {
  Results run = make_run();
  for (std::size_t m = 0; m < 7; ++m) run.outcome.observables[0][m] = 1 / (3.0 + static_cast<double>(m)) * 1e-7;
  const auto expected = summarise(run, {}).observables[0].second;
  const ordered_json json = parse(run)["observables"]["reach"];
  EXPECT_EQ(json["mean"].get<double>(), expected.mean);
  EXPECT_EQ(json["standard_deviation"].get<double>(), expected.standard_deviation);
  EXPECT_EQ(json["standard_error"].get<double>(), expected.standard_error);
  EXPECT_EQ(json["min"].get<double>(), expected.min);
  EXPECT_EQ(json["max"].get<double>(), expected.max);
  EXPECT_EQ(json["quantiles"]["0.25"].get<double>(), quantile_of(expected, 0.25));
  EXPECT_EQ(json["histogram"]["edges"].get<std::vector<double>>(), expected.histogram.edges);
  EXPECT_EQ(json["histogram"]["counts"].get<std::vector<std::int64_t>>(), expected.histogram.counts);
}

TEST(SummaryJson, HasNullWhereThereIsNoNumber) {
  Results run = make_run();
  std::fill(run.outcome.observables[1].begin(), run.outcome.observables[1].end(), std::nan(""));
  const ordered_json json = parse(run);  // no time was taken either
  const auto& settled = json["observables"]["settled"];
  EXPECT_EQ(settled["count"], 0);
  for (const char* key : {"mean", "standard_deviation", "standard_error", "min", "max"})
    EXPECT_TRUE(settled[key].is_null()) << key;
  EXPECT_TRUE(settled["quantiles"]["0.5"].is_null());
  EXPECT_EQ(settled["histogram"].dump(), R"({"edges":[],"counts":[]})");
  EXPECT_TRUE(json["timing"]["member_steps_per_second"].is_null());
}

TEST(SummaryJson, IsLaidOutForPeople) {
  const std::string text = json_text(make_run());
  EXPECT_TRUE(
      text.starts_with("{\n  \"title\": \"Slider ✓ \\\"rough\\\"\",\n  \"members\": 7,\n  \"status\": {\"ok\": 5, "
                       "\"non_finite\": 1, \"bad_angle\": 1},\n"
                       "  \"observables\": {\n    \"reach\": {\n      \"count\": 5,\n      \"mean\": 2."))
      << text.substr(0, 300);
  EXPECT_TRUE(text.ends_with("}\n}\n"));
}

TEST(SummaryJson, SurvivesADeviceNameThatIsNoUtf8) {
  Results run = make_run();
  run.device = "CPU \xff";
  EXPECT_THAT(parse(run)["run"]["device"].get<std::string>(), HasSubstr("CPU "));
}

TEST(SummaryJson, DependsOnTheResultsAloneOutsideRunAndTiming) {
  Results other = make_run();
  other.backend = "cpu";
  other.device = "many cores";
  ordered_json a = parse(make_run(), {1, 2, 3});
  ordered_json b = parse(other, {4, 5, 6});
  for (auto* json : {&a, &b}) {
    json->erase("run");
    json->erase("timing");
  }
  EXPECT_EQ(a.dump(), b.dump());
}

class SummaryFile : public io::InFolder {
 protected:
  // What is written, read and written again.
  std::string read_back(const std::string& text) const {
    io::write_file(folder / "summary.json", text);
    return to_json_text(read_summary(folder / "summary.json"));
  }

  static Summary make_summary() {
    Results run = make_run();
    run.identity = "0123456789abcdef";
    Summary summary = summarise(run, {});
    summary.timing = {1, 2, 3};
    return summary;
  }

  static std::vector<Index> indices(double begin, std::size_t count) {
    std::vector<Index> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back({begin + static_cast<double>(i), begin - 0.1, std::nan("")});
    return made;
  }
};

TEST_F(SummaryFile, IsReadToTheLastBit) {
  Summary summary = make_summary();
  summary.run.tables = {{"z.csv", "1"}, {"a.csv", "2"}};
  summary.times = {0, 0.2};
  summary.tracks = {{"x",
                     5,
                     {1.5, 1 / 3.0},
                     {0, std::nan("")},
                     std::vector<double>(2 * std::size(statistics::quantile_levels), 0.1)}};
  summary.steps.members = 7, summary.steps.step = 0.1, summary.steps.advised_step = 0.05;
  for (const auto& [name, statistics] : summary.observables)
    summary.steps.observables.push_back({name, 5, 1, 0.25, std::nan(""), 0.5, 0, false, true, 0});
  const std::string text = to_json_text(summary);
  EXPECT_EQ(read_back(text), text);
  const Summary back = read_summary(folder / "summary.json");
  EXPECT_EQ(back.title, summary.title);
  EXPECT_EQ(back.stopped(), 2);
  EXPECT_EQ(back.status.size(), 3u);
  EXPECT_EQ(back.run.tables, summary.run.tables);
  EXPECT_EQ(back.run.seed, 0xfedcba9876543210);
  EXPECT_EQ(back.observables[0].second.mean, summary.observables[0].second.mean);
  EXPECT_EQ(back.observables[0].second.quantiles, summary.observables[0].second.quantiles);
  EXPECT_EQ(back.tracks[0].mean, summary.tracks[0].mean);
  EXPECT_EQ(back.steps.observables[3].name, "final.x");
  EXPECT_TRUE(std::isnan(back.steps.observables[3].difference_error));
  EXPECT_EQ(back.design.points, "ensemble");
}

TEST_F(SummaryFile, HasTheIndicesOfADesign) {
  for (const bool second : {false, true}) {
    Summary summary = make_summary();
    summary.design = {"saltelli", "saltelli, of some kind", 4, 0};
    summary.members = 8;
    for (std::size_t o = 0; o < summary.observables.size(); ++o) {
      summary.rows.push_back(summary.observables[o].first);
      auto& sobol = summary.sobol.emplace_back();
      sobol.first = indices(0.1, 2), sobol.total = indices(0.2, 2), sobol.first_jansen = indices(0.3, 2);
      if (second) sobol.second = indices(0.4, 1);
    }
    summary.sobol[1].warnings = {"few bases", "and more"};
    summary.sobol[2].too_few = {2, 2000, 60000}, summary.sobol[3].too_few = {0, 2000, 0};
    const std::string text = to_json_text(summary);
    EXPECT_EQ(read_back(text), text);
    const Summary back = read_summary(folder / "summary.json");
    EXPECT_EQ(back.design.points, "saltelli, of some kind");
    EXPECT_EQ(back.design.members_a_group, 4);
    EXPECT_THAT(back.parameters, ElementsAre("alpha", "tau"));
    EXPECT_EQ(back.sobol[6].total[1].value, 1.2);
    EXPECT_TRUE(std::isnan(back.sobol[6].total[1].upper));
    EXPECT_EQ(back.sobol[1].warnings.size(), 2u);
    EXPECT_EQ(back.sobol[1].too_few.of, 0);
    EXPECT_EQ(back.sobol[2].too_few, summary.sobol[2].too_few);
    EXPECT_EQ(back.sobol[3].too_few, summary.sobol[3].too_few);
  }
}

TEST_F(SummaryFile, HasTheEffectsOfScreening) {
  Summary summary = make_summary();
  summary.design = {"morris", "morris, 4 levels", 3, 4};
  summary.members = 9;
  for (const auto& [name, statistics] : summary.observables) summary.rows.push_back(name);
  summary.rows.emplace_back("class.far");
  for (std::size_t row = 0; row < summary.rows.size(); ++row)
    summary.morris.push_back({{{0.5, {1, 0.5, 1.5}, 0, 0.25, 3}, {-0.5, {std::nan(""), 0, 0}, 0, 0, 2}}, 0, 0, {}});
  summary.stopped_where = {{"alpha", {0.5, 0.6, 0.7}, {0, 1 / 3.0, 1}}};
  summary.classes = {{"far", 3, 1 / 3.0, true, {0.1, 0.6}}, {"bad_angle", 1, 1 / 9.0, false, {}}};
  const std::string text = to_json_text(summary);
  EXPECT_EQ(read_back(text), text);
  EXPECT_EQ(read_summary(folder / "summary.json").rows, summary.rows);
  EXPECT_EQ(read_summary(folder / "summary.json").classes[0].interval.upper, 0.6);
  EXPECT_FALSE(read_summary(folder / "summary.json").classes[1].has_interval);
  EXPECT_EQ(read_summary(folder / "summary.json").stopped_where[0].all.median, 1 / 3.0);
  EXPECT_EQ(read_summary(folder / "summary.json").design.members_a_group, 3);
  EXPECT_EQ(read_summary(folder / "summary.json").morris[2].effects[1].count, 2);
}

// ---- points of a sweep ----

// Three points by two: some members stop at some of them, and a class is there that has the name of what ends a list.
Summary make_map() {
  Results run = make_run();
  run.identity = "0123456789abcdef";
  Summary summary = summarise(run, {});
  SweepSummary& sweep = summary.sweep;
  sweep.axes = {{"points", {1, 2.5, 1 / 3.0}}, {"null", {-1, 1e300}}};
  sweep.members = 7;
  for (int k = 0; k < 6; ++k) {
    PointSummary point;
    point.status = {{Status::ok, 7 - k % 3}};
    if (k % 3 > 1) point.status.emplace_back(Status::non_finite, 1);
    if (k % 3 > 0) point.status.emplace_back(Status::bad_angle, 1);
    for (const char* name : {"reach", "a \"null\" of: null,"})
      point.observables.push_back(
          {name,
           {7 - k, 0.1 * k, std::nan(""), 2, 1 / 3.0, -k + 0.0, 1e-300, {0.5, 1e22, std::nan("")}, k > 3 ? 0.001 : 0}});
    point.classes = {{"]", 7 - k, (7 - k) / 7.0, true, {0.1, 0.5 + k}}, {"far", 0, 0, true, {0, 0.25}}};
    if (k % 3 > 0) point.classes.push_back({"bad_angle", 1, 1 / 7.0, true, {0.01, 0.75}});
    sweep.add(point);
  }
  return summary;
}

// As one tree.
ordered_json whole_tree(const Summary& summary) {
  ordered_json json = ordered_json::parse(to_json_text(summary));
  json["sweep"]["points"] = ordered_json::array();
  for (std::size_t k = 0; k < summary.sweep.points(); ++k)
    json["sweep"]["points"].push_back(to_json(summary.sweep.point(k), summary.sweep));
  return json;
}

TEST_F(SummaryFile, OfASweepIsTheTextOfOneTreeWithItsChecksum) {
  const Summary summary = make_map();
  const std::string text = to_json_text(summary);
  ordered_json json = whole_tree(summary);
  EXPECT_EQ(text, io::format_json(json));
  json.erase("timing");
  const ordered_json noted = json["run"]["checksum"];
  json["run"].erase("checksum");
  EXPECT_EQ(noted, keep::text_checksum(io::format_json(json)));
  EXPECT_EQ(json["sweep"]["points"][3]["values"].dump(), "{\"points\":2.5,\"null\":1e+300}");
  EXPECT_EQ(json["sweep"]["points"][5]["status"].dump(), "{\"ok\":5,\"non_finite\":1,\"bad_angle\":1}");
}

TEST_F(SummaryFile, OfASweepIsReadPointByPointOrWithoutThem) {
  const Summary summary = make_map();
  const std::string text = to_json_text(summary);
  EXPECT_EQ(read_back(text), text);
  const auto path = folder / "summary.json";
  EXPECT_EQ(read_summary(path, Points::skip).sweep.points(), 0u);
  EXPECT_EQ(read_summary(path, Points::skip).sweep.axes, summary.sweep.axes);
  EXPECT_EQ(keep::SummaryPieces(path).text().find("observables\": {\n          \"reach"), std::string::npos);
  EXPECT_TRUE(keep::is_of_a_run(folder, "summary.json"));
  const SweepSummary back = read_summary(path).sweep;
  ASSERT_EQ(back.points(), 6u);
  EXPECT_TRUE(back.any_stopped());
  EXPECT_EQ(back.point(4).observables[1].second.trimmed_mean, 1 / 3.0);
  EXPECT_EQ(back.point(4).classes[2].name, "bad_angle");
  EXPECT_EQ(back.point(3).classes.size(), 2u);
  // as another program would write it
  io::write_file(path, ordered_json::parse(text).dump());
  EXPECT_EQ(to_json_text(read_summary(path)), text);
}

TEST_F(SummaryFile, OfASweepIsRefusedWhereABitOfItsPointsDiffers) {
  const std::string text = to_json_text(make_map());
  const std::size_t first = text.find("\"points\": ["), last = text.find("\"run\"");
  const auto path = folder / "summary.json";
  for (std::size_t at = first; at < last; at += 1 + (last - first) / 200) {
    std::string bytes = text;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    io::write_file(path, bytes);
    for (const Points points : {Points::read, Points::skip})
      EXPECT_THROW(read_summary(path, points), InputError) << "byte " << at;
  }
  for (std::size_t end = first; end < text.size() - 1; end += 97) {
    io::write_file(path, text.substr(0, end));
    EXPECT_THROW(read_summary(path), InputError) << "cut at " << end;
  }
}

TEST_F(SummaryFile, OfASweepIsNoneWithFewerPointsThanItsAxesHave) {
  ordered_json json = whole_tree(make_map());
  json["sweep"]["points"].erase(2);
  json["run"].erase("checksum");
  json.erase("timing");
  json["run"]["checksum"] = keep::text_checksum(io::format_json(json));
  io::write_file(folder / "summary.json", io::format_json(json));
  EXPECT_THROW(read_summary(folder / "summary.json"), InputError);
}

TEST_F(SummaryFile, IsReadAsItWasWrittenOrNotAtAll) {
  const std::string whole = to_json_text(make_summary());
  const auto path = folder / "summary.json";
  EXPECT_EQ(read_back(whole), whole);
  // two summaries without what nobody reads
  const auto without_timing = [](Summary summary) {
    summary.timing = {};
    return to_json_text(summary);
  };
  int refused = 0, tried = 0;
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 300, ++tried) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    io::write_file(path, bytes);
    try {
      EXPECT_EQ(without_timing(read_summary(path)), without_timing(make_summary())) << "byte " << at;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0.8 * tried);
  for (const char* text : {"", "{}", "[1", "{\"run\": 3}", "{\"run\": {}}"}) {
    io::write_file(path, text);
    EXPECT_THROW(read_summary(path), InputError) << text;
  }
}

TEST_F(SummaryFile, OfWordsThatMeanSomethingElseIsNone) {
  auto json = ordered_json::parse(to_json_text(make_summary()));
  json["title"] = 3;
  json["run"].erase("checksum");
  json.erase("timing");
  json["run"]["checksum"] = keep::text_checksum(io::format_json(json));
  io::write_file(folder / "summary.json", io::format_json(json));
  EXPECT_THROW(read_summary(folder / "summary.json"), InputError);
}

}  // namespace
}  // namespace conesweep::tell
