#pragma once

#include <string>

namespace conesweep::plot {

/// Fields have viridis in so many steps (classes f0 … f15 fill, g0 … g15 draw lines), from low to high.
inline constexpr int field_steps = 16;

/// Categories have the eight colours of Okabe and Ito, which people with any colour vision can tell apart (classes k0 … k7 fill, s0 … s7 draw lines), in an
/// order of our own.
inline constexpr int category_count = 8;

/// What is drawn how, as CSS. A page takes its colours from variables, so that it can be light, dark or printed; a figure stands by itself, on paper.
std::string drawing_style();
std::string colour_variables(bool dark);  // their declarations
std::string figure_style();               // the same drawing style with the light colours written out

}  // namespace conesweep::plot
