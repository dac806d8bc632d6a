#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plot/figure.hpp"
#include "plot/scale.hpp"

namespace conesweep::plot {

/// What a drawing says beside itself: one line, and what is seen.
struct Words {
  std::string title, note = {};
};

/// Places in units of the axes.
struct Points {
  std::vector<double> x, y;
  void add(double at_x, double at_y) { x.push_back(at_x), y.push_back(at_y); }
};

/// How a mark joins its points: dots, a line that a NaN interrupts, an area inside, rectangles between corners that
/// follow each other.
enum class Join { dots, line, area, boxes };

/// Points that are joined in one way. The class says how they look (drawing_style); dots and some lines have a width in
/// pixels.
struct Mark {
  Join join;
  std::string style;
  Points points;
  double width = 0;
};

/// A drawing with two axes, and the columns of its numbers. Marks are given in units of the axes, and drawn when all
/// are known, in their order.
class Chart {
 public:
  Chart(Words words, Axis across, Axis up, std::vector<std::string> columns = {});

  Axis x, y;
  Figure about;             // its words and numbers
  double height = 270;      // in pixels; it is 400 wide
  bool same_scale = false;  // lengths look the same in both directions, where they are of similar size

  void mark(Join join, const std::string& style, Points points, double width = 0);
  /// Between two lines, in pieces where one of them is NaN.
  void band(const std::string& style, const std::vector<double>& at, const std::vector<double>& lower,
            const std::vector<double>& upper);

  /// Dots or boxes in the colours of their values, which cover the range of an axis at least; at the right it says what
  /// they mean.
  void mark_field(Join join, const Points& points, const std::vector<double>& values, Axis colours, double width = 0);

  /// The next of the colours of categories, by its number in drawing_style; a series that has a name stands with it
  /// above the drawing.
  std::string series(const std::string& name);
  /// Names with their colours, in rows above the drawing; without a style words alone.
  void name(const std::string& style, const std::string& words) { names_.emplace_back(style, words); }

  /// Ends the axes where the marks so far end.
  void settle();
  Figure finish();

  // what it is made of so far, for those who draw it themselves
  const std::vector<Mark>& marks() const { return marks_; }
  const std::vector<std::pair<std::string, std::string>>& names() const { return names_; }  // style, words
  const Axis& colours() const { return colours_; }                                          // empty label: none

 private:
  std::string draw_names(double left, double& top) const;

  std::vector<Mark> marks_;
  std::vector<std::pair<std::string, std::string>> names_;  // style, words
  int series_ = 0;
  Axis colours_;  // empty label: none
  bool settled_ = false;
};

}  // namespace conesweep::plot
