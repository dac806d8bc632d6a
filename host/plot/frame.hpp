#pragma once

#include <string>
#include <vector>

#include "plot/figure.hpp"
#include "plot/scale.hpp"

namespace conesweep::plot {

/// One axis: what it shows and from where to where. With names it has one place a name, 0, 1, … from the top or the left.
struct Axis {
  std::string label;
  double lower = 0, upper = 1;
  bool logarithmic = false;
  std::vector<std::string> names = {};
};

/// A drawing with two axes, into which marks are put in the units of the axes.
class Frame {
 public:
  struct Room {
    double width = 400, height = 270;
    bool colour_bar = false;  // leaves room at the right
  };
  Frame(Axis x, Axis y, Room room);
  Frame(Axis x, Axis y) : Frame(std::move(x), std::move(y), Room()) {}

  double x(double value) const { return x_(value); }
  double y(double value) const { return y_(value); }
  double left() const { return x_.from; }
  double right() const { return x_.to; }
  double top() const { return y_.to; }
  double bottom() const { return y_.from; }

  const Axis& horizontal() const { return horizontal_; }
  const Axis& vertical() const { return vertical_; }

  // marks: the class says how they look (drawing_style)
  void line(const std::string& style, const std::vector<double>& x, const std::vector<double>& y);
  void band(const std::string& style, const std::vector<double>& x, const std::vector<double>& lower, const std::vector<double>& upper);
  void bar(const std::string& style, double x0, double x1, double y0, double y1);
  void path(const std::string& style, const std::string& commands, const std::string& more = {});
  void dots(const std::string& style, double size, const std::vector<double>& x, const std::vector<double>& y);
  void across(const std::string& style, double y);  // lines through the whole drawing
  void upright(const std::string& style, double x);
  void text(const std::string& style, double left, double top, const std::string& words, const char* anchor = "start");  // in pixels

  /// At the right, low at the bottom: what the colours of a field mean.
  void colour_bar(const std::string& label, double lower, double upper, bool logarithmic = false);

  /// Names with their colours, in a row above the drawing.
  struct Entry {
    std::string style;  // of a small square
    std::string name;
  };
  void legend(const std::vector<Entry>& entries);

  /// Axes, grid, then marks.
  Figure finish(Figure about) const;

 private:
  std::string draw_axes(std::string& over) const;

  Axis horizontal_, vertical_;
  Room room_;
  Scale x_, y_;
  std::string marks_, outside_;
};

}  // namespace conesweep::plot
