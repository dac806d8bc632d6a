#include <fcntl.h>

#include <iostream>

#include "app/command.hpp"
#include "app/flag_groups.hpp"
#include "app/spelling.hpp"
#include "io/files.hpp"
#include "io/new_file.hpp"
#include "model/child_process.hpp"
#include "model/find_compiler.hpp"
#include "model/work_folder.hpp"
#include "report/panels.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace conesweep::app {
namespace {

namespace fs = std::filesystem;

struct PlotOptions {
  std::string folder, panel;
  std::string x, y, colour;
  double width = 0;  // millimetres; 0: a column of a paper
  TargetFlags target;
  TalkFlags talk;
};

constexpr double column_millimetres = 86;  // a column of a paper, 3.4 inches
constexpr int pixels_an_inch = 300;

// PDF and PNG are made by librsvg's own program, in a folder that only we can enter.
std::string convert(const std::string& svg, const fs::path& to, const std::string& format) {
  const std::string program = model::find_program("rsvg-convert");
  if (program.empty())
    throw SystemError("rsvg-convert is not here, which makes " + format +
                      " of SVG: install librsvg2-bin, or choose a name that ends in .svg");
  constexpr char prefix[] = "conesweep-plot-";
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) io::refuse("find a folder for temporary files:", parent, error);
  model::WorkFolder::sweep(parent, prefix);
  const model::WorkFolder work(parent, prefix);
  if (!work) io::refuse("write into", parent, io::system_code());
  io::write_bytes(work.path() / "figure.svg", svg);
  io::Descriptor said(work.path() / "said", O_WRONLY | O_CREAT | O_EXCL);
  const int code = model::run_program({program, "--format=" + format, "--dpi-x=" + std::to_string(pixels_an_inch),
                                       "--dpi-y=" + std::to_string(pixels_an_inch), "--output=made", "figure.svg"},
                                      work.folder(), said, {});
  const std::string words = io::read_bytes(work.path() / "said");
  if (code != 0) throw SystemError("rsvg-convert could not make " + to.string() + (words.empty() ? "" : ": " + words));
  return io::read_bytes(work.path() / "made");
}

// Are there several figures to a panel, the first is meant; all are named where one asks for none of them.
std::string others_of(const std::vector<plot::Figure>& figures) {
  std::vector<std::string> titles;
  for (std::size_t k = 1; k < figures.size() && k <= 5; ++k) titles.push_back(figures[k].title);
  return titles.empty() ? std::string() : "; --x, --y and --color choose others, such as " + join_words(titles, "or");
}

int plot(const PlotOptions& options) {
  const report::Panel panel = report::find_panel(options.panel);
  const fs::path file = options.target.out;
  const std::string ending = file.extension().string();
  if (ending != ".svg" && ending != ".pdf" && ending != ".png" && ending != ".csv")
    throw InputError("--out: '" + options.target.out + "' should end in .svg, .pdf, .png, or .csv for the numbers");
  const auto figures = report::draw_run(panel, options.folder, {options.x, options.y, options.colour});
  const plot::Figure& figure = figures.front();
  const double width = options.width > 0 ? options.width : column_millimetres;
  std::string bytes = ending == ".csv" ? figure.numbers.to_csv() : to_svg_file(figure, width);
  if (ending == ".pdf" || ending == ".png") bytes = convert(bytes, file, ending.substr(1));
  io::write_new(file, bytes, io::replace_if(options.target.force));
  if (!options.talk.quiet) {
    std::cout << figure.title << " in " << options.target.out << others_of(figures) << "\n";
    if (!figure.note.empty()) std::cout << figure.note << "\n";
  }
  return fine;
}

std::vector<std::string> panel_names() {
  std::vector<std::string> names;
  for (const auto& panel : report::panels()) names.push_back(panel.name);
  return names;
}

std::string list_panels() {
  constexpr std::size_t width = 14;
  std::string list;
  for (const auto& panel : report::panels())
    list += "  " + panel.name + std::string(width - panel.name.size(), ' ') + in_flags(panel.what) + "\n";
  return list;
}

void declare(Flags& flags, PlotOptions& options) {
  flags.argument("folder", options.folder, "folder of a finished run", "RUN_DIR");
  flags.argument("panel", options.panel, "what to draw, see below", "PANEL").offers(panel_names());
  flags.add("-o,--out", options.target.out, "file to write: its ending says what, .svg, .pdf, .png or .csv", "FILE")
      .required();
  flags.add("--x", options.x, "what the horizontal axis shows", "NAME");
  flags.add("--y", options.y, "what the vertical axis shows", "NAME");
  flags.add("--color", options.colour, "what colours show; in a scatter 'class' may be one", "NAME");
  flags.add("--width", options.width, "millimetres [86, a column of a paper]", "MM");
  flags.add("--force", options.target.force, "replace that file");
  add_quiet(flags, options.talk);
}

}  // namespace

Command plot_command() {
  return make_command<PlotOptions>(
      {"plot", "one figure of a finished run alone, for a paper: SVG, PDF, PNG, or its numbers as CSV",
       "  conesweep plot runs/slider histogram --x reach --out reach.pdf\n"
       "  conesweep plot runs/slider scatter --x alpha --y reach --color tau --out reach.svg\nPanels:\n" +
           list_panels() + "PDF and PNG are made by rsvg-convert (librsvg2-bin)."},
      declare, plot);
}

}  // namespace conesweep::app
