#include "report/page.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "io/new_file.hpp"
#include "io/version.hpp"
#include "keep/run_folder.hpp"
#include "report/equations.hpp"
#include "report/html.hpp"
#include "report/names.hpp"
#include "report/warnings.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::report {
namespace {

namespace fs = std::filesystem;

std::string section_id(const std::string& words) { return "section-" + to_id(words); }

std::string heading(const std::string& words) {
  return "<h2 id=\"" + section_id(words) + "\">" + escape(words) + "</h2>\n";
}

// A grid and the points of a sweep are no sample.
bool has_sampling_errors(const Runs& runs) {
  return std::all_of(runs.begin(), runs.end(), [](const RunView& run) {
    const auto& all = run.summary.observables;
    return std::any_of(all.begin(), all.end(), [](const auto& one) { return !std::isnan(one.second.standard_error); });
  });
}

std::string warning_box(const Runs& runs, Spelling spelling) {
  std::string items;
  for (const RunView& run : runs)
    for (const Sentence& warning : find_warnings(run))
      items += "<li>" + escape((runs.size() > 1 ? run.label + ": " : "") + warning.text(spelling)) + "</li>";
  if (items.empty())
    return std::string("<p class=\"fine\" role=\"note\">Nothing to warn of: all members reached the end, and ") +
           (has_sampling_errors(runs)
                ? "the step costs less than sampling"
                : "the step was checked; there is no error of sampling to compare its cost with") +
           ".</p>\n";
  return "<div class=\"warn\" role=\"note\"><strong>Before you believe the numbers</strong><ul>" + items +
         "</ul></div>\n";
}

// Scenarios that differ are shown one after another, equal ones once.
std::string problems(const Runs& runs) {
  std::string out, before;
  for (const RunView& run : runs) {
    const std::string problem = html_problem(run.scenario);
    if (problem == before) continue;
    out += (runs.size() > 1 ? "<h3>" + escape(run.label) + "</h3>" : "") + problem;
    before = problem;
  }
  return out;
}

constexpr std::size_t most_listed = 400;  // parameters and observables in tables, over all runs

template <class Part>
std::string for_each_run(const Runs& runs, const Part& part) {
  std::string out, before;
  for (const RunView& run : runs) {
    const std::string one = part(run, most_listed / runs.size());
    if (one == before) continue;
    out += (runs.size() > 1 ? "<h3>" + escape(run.label) + "</h3>" : "") + one;
    before = one;
  }
  return out;
}

// Sections of figures. What would make the page larger than it may be loses its numbers, then its drawing; a sentence
// says so.
class FigureSections {
 public:
  FigureSections(const Runs& runs, std::size_t room) : room_(room) {
    for (const Panel& panel : panels()) {
      const auto drawn = draw(panel, runs);
      if (drawn.empty()) continue;
      if (sections_.empty() || sections_.back().first != panel.section)
        sections_.emplace_back(panel.section, std::string());
      for (const auto& figure : drawn) sections_.back().second += place(figure, panel.name);
    }
  }

  std::string to_html() const {
    std::string out;
    for (const auto& [section, figures] : sections_)
      if (!figures.empty()) out += heading(section) + "<div class=\"panels\">" + figures + "</div>\n";
    if (without_numbers_ > 0)
      out +=
          "<p class=\"note\">" + counted(without_numbers_, "figure") +
          " without numbers, to keep the page small; conesweep plot writes them, into a file that ends in .csv.</p>\n";
    if (!left_out_.empty())
      out += "<p class=\"note\">Left out, to keep the page small: " + escape(join_words(left_out_)) +
             ". conesweep plot makes them.</p>\n";
    return out;
  }

  std::vector<std::string> sections() const {
    std::vector<std::string> names;
    for (const auto& section : sections_) names.push_back(section.first);
    return names;
  }

 private:
  std::string place(const plot::Figure& figure, const std::string& panel) {
    std::string whole = html_figure(figure);
    if (whole.size() > room_) {
      whole = html_figure(figure, false);
      ++without_numbers_;
    }
    if (whole.size() > room_) {
      --without_numbers_;
      if (std::find(left_out_.begin(), left_out_.end(), panel) == left_out_.end()) left_out_.push_back(panel);
      return {};
    }
    room_ -= whole.size();
    return whole;
  }

  std::size_t room_;
  std::vector<std::pair<std::string, std::string>> sections_;
  std::int64_t without_numbers_ = 0;
  std::vector<std::string> left_out_;
};

std::string title_and_lead(const Runs& runs) {
  const RunView& run = runs[0];
  const auto varied = static_cast<std::int64_t>(run.parameters().size());
  std::string text = counted(run.summary.members, "member") + ", " + counted(run.summary.run.steps, "step") + " of " +
                     format_short(run.summary.run.step) + ", " + counted(varied, "varied parameter");
  if (runs.size() > 1) {
    std::vector<std::string> labels;
    for (const RunView& one : runs) labels.push_back(one.label);
    text = "Runs side by side: " + join_words(labels) + ".";
  }
  return "<h1>" + escape(runs[0].summary.title) + "</h1>\n<p class=\"lead\">" + escape(text) + "</p>\n";
}

}  // namespace

Runs read_runs(const std::vector<fs::path>& folders) {
  Runs runs;
  for (const auto& folder : folders) runs.emplace_back(folder);
  std::map<std::string, int> seen;
  for (RunView& run : runs)
    if (++seen[run.label] > 1) run.label += " " + std::to_string(seen[run.label]);
  return runs;
}

std::string make_head(const Runs& runs, Spelling spelling) {
  return title_and_lead(runs) + warning_box(runs, spelling);
}

std::string make_page(const Runs& runs, Spelling spelling) {
  const std::string title = runs[0].summary.title;
  std::string head =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" "
      "content=\"conesweep " +
      escape(io::version()) +
      "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n"
      "<title>" +
      escape(title) + "</title>\n<style>" + page_style() + "</style>\n</head>\n<body>\n<main>\n" + title_and_lead(runs);
  std::string words = warning_box(runs, spelling);
  words += heading("The problem") + problems(runs);
  words += "<div class=\"two\"><section>" + heading("Parameters") + for_each_run(runs, html_parameters) +
           "</section>\n<section>" + heading("How it was run") + html_how(runs, spelling) + "</section></div>\n";
  words += heading("Statistics") + for_each_run(runs, html_statistics);
  std::string notes;
  for (const RunView& run : runs)
    if (const std::string note = run.stride_note(); !note.empty())
      notes += "<p class=\"note\">" + escape(runs.size() > 1 ? run.label + ": " + note : note) + "</p>\n";
  const std::string foot = "<footer>Made by conesweep " + escape(io::version()) +
                           " from summary.json and results.h5.</footer>\n</main>\n<script>" + page_script() +
                           "</script>\n</body>\n</html>\n";
  const std::size_t used = head.size() + words.size() + notes.size() + foot.size() + 8000;
  const FigureSections figures(runs, used < most_bytes ? most_bytes - used : 0);
  std::string nav = "<nav>";
  std::vector<std::string> listed = {"The problem", "Parameters", "How it was run", "Statistics"};
  for (const auto& section : figures.sections()) listed.push_back(section);
  for (const auto& section : listed) nav += "<a href=\"#" + section_id(section) + "\">" + escape(section) + "</a>";
  return head + nav + "</nav>\n" + words + notes + figures.to_html() + foot;
}

void write_page(const fs::path& file, const std::string& page, bool force) {
  std::error_code error;
  const bool ours = keep::is_page_of_ours(file);
  if (fs::is_regular_file(file, error) && !force && !ours)
    throw InputError(file.string() + " is there and was not made by conesweep; choose another name with " +
                     setting::out + ", or replace it with " + setting::force);
  io::write_new(file, page, io::replace_if(force || ours));
}

std::vector<std::string> report_runs(const std::vector<fs::path>& folders, const fs::path& file, bool force,
                                     Spelling spelling) {
  const Runs runs = read_runs(folders);
  write_page(file, make_page(runs, spelling), force);
  std::vector<std::string> not_drawn;
  for (const RunView& run : runs)
    if (const std::string why = warn_of_studies(run); !why.empty())
      not_drawn.push_back(run.folder.string() + ": " + why);
  return not_drawn;
}

}  // namespace conesweep::report
