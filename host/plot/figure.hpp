#pragma once

#include <string>

#include "support/csv.hpp"

namespace conesweep::plot {

/// A place on a drawing: a tenth of a pixel is enough.
std::string px(double place);

/// One drawing of a report or of a paper.
struct Figure {
  std::string id;       // short, unique in a page: histogram-reach
  std::string title;    // one line
  std::string note;     // what is seen, and what a reader has to know: strided, cut off, at the defaults
  std::string drawing;  // what stands inside of <svg>
  double width = 400, height = 270;
  std::string ranges;  // attributes that tell the ranges of both axes, for values under the pointer
  Sheet numbers;       // for readers, for screen readers, and as CSV
};

/// As part of a page, whose style is drawing_style; alone, as a file, so many millimetres wide.
std::string to_svg(const Figure& figure);
std::string to_svg_file(const Figure& figure, double millimetres);

/// Fields have viridis in so many steps (classes f0 … f15 fill, g0 … g15 draw lines), from low to high.
inline constexpr int field_steps = 16;

/// Categories have the eight colours of Okabe and Ito, which people with any colour vision can tell apart (classes k0 …
/// k7 fill, s0 … s7 draw lines), in an order of our own.
inline constexpr int category_count = 8;

/// What is drawn how, as CSS. A page takes its colours from variables, so that it can be light, dark or printed; a
/// figure stands by itself, on paper.
std::string drawing_style();
std::string colour_variables(bool dark);  // their declarations
std::string figure_style();               // the same drawing style with the light colours written out

}  // namespace conesweep::plot
