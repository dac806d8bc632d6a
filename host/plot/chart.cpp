#include "plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "plot/palette.hpp"
#include "support/text.hpp"

namespace conesweep::plot {
namespace {

constexpr double width = 400, character = 6.1;  // of a drawing; of a digit of 11 pixels, and of letters about
constexpr double highest = 24;                  // top of a drawing below one row of words
constexpr std::size_t longest_tick = 16, longest_name = 26, longest_label = 40;

double width_of(const std::string& text) { return character * static_cast<double>(display_width(text)); }

std::string cut(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  std::string out;
  for (std::size_t at = 0, seen = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && ++seen == most) break;
    out += text[at];
  }
  return out + "…";
}

std::string words_at(double left, double top, const std::string& words, const std::string& look) {
  return "<text x=\"" + px(left) + "\" y=\"" + px(top) + "\" " + look + ">" + escape(words) + "</text>";
}

std::string rectangle(const std::string& style, double left, double top, double wide, double high) {
  return "<rect class=\"" + style + "\" x=\"" + px(left) + "\" y=\"" + px(top) + "\" width=\"" + px(wide) + "\" height=\"" + px(high) + "\"/>";
}

// An axis on the drawing: its scale, its ticks.
struct Ruler {
  Scale scale;
  Ticks ticks;
  std::string label;
  bool named;
};

Ruler make_ruler(const Axis& axis, double from, double to, int about) {
  Ruler ruler{{axis.range, axis.logarithmic, from, to}, {}, axis.label, !axis.names.empty()};
  if (!ruler.named) ruler.ticks = make_ticks(ruler.scale, about);
  for (std::size_t k = 0; k < axis.names.size(); ++k) {
    ruler.ticks.values.push_back(static_cast<double>(k));
    ruler.ticks.labels.push_back(cut(axis.names[k], longest_tick));
  }
  ruler.label = cut(ruler.ticks.power == 0 ? axis.label : axis.label + " (" + power_of_ten(ruler.ticks.power) + ")", longest_label);
  return ruler;
}

// As many numbers below as have room beside each other.
Ruler make_lower_ruler(const Axis& axis, double from, double to) {
  for (int about = static_cast<int>((to - from) / 62);; --about) {
    Ruler ruler = make_ruler(axis, from, to, std::max(1, about));
    double room = to - from;
    for (const auto& label : ruler.ticks.labels) room -= width_of(label) + 12;
    if (room >= 0 || about <= 1) return ruler;
  }
}

// Points of a line, in pixels; a NaN interrupts it. Points closer than half a pixel to the one before are left out.
std::string path_through(const Points& points) {
  std::string path;
  bool down = false;
  double last_x = 0, last_y = 0;
  for (std::size_t k = 0; k < points.x.size(); ++k) {
    const double x = points.x[k], y = points.y[k];
    const bool there = std::isfinite(x) && std::isfinite(y);
    if (there && down && k + 1 < points.x.size() && std::hypot(x - last_x, y - last_y) < 0.5) continue;
    if (there) path += (down ? "L" : "M") + px(x) + " " + px(y);
    down = there, last_x = x, last_y = y;
  }
  return path;
}

std::string join_points(Join join, const Points& at) {
  if (join == Join::line) return path_through(at);
  if (join == Join::area) return path_through(at) + "z";
  std::string path;
  const std::size_t corners = join == Join::boxes ? 2 : 1;
  for (std::size_t k = 0; k < at.x.size(); k += corners) {
    const std::size_t end = k + corners - 1;
    if (!std::isfinite(at.x[k] + at.y[k] + at.x[end] + at.y[end])) continue;
    path += "M" + px(at.x[k]) + " " + px(at.y[k]);
    path += join == Join::dots ? "h0" : "H" + px(at.x[end]) + "V" + px(at.y[end]) + "H" + px(at.x[k]) + "z";
  }
  return path;
}

// Where a few numbers lie a thousand times further away than the others, as of members that grow without bound, the range is that of the others.
Range range_of_most(std::vector<double> values) {
  Range all, most;
  all.add(values);
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::sort(values.begin(), values.end());
  for (std::size_t k = values.size() / 20; k < values.size() - values.size() / 20; ++k) most.add(values[k]);
  return all.length() > 1000 * most.length() && most.length() > 0 ? most.widened(1) : all;
}

void end_axis(Axis& axis, std::vector<double> marks) {
  if (!axis.names.empty()) axis.range = {-0.5, static_cast<double>(axis.names.size()) - 0.5};
  if (axis.range.least <= axis.range.most) return;
  Range range;
  if (axis.logarithmic) range.add(marks);
  axis.range = make_axis("", axis.logarithmic ? range : range_of_most(std::move(marks)), axis.margin, axis.logarithmic).range;
}

void make_lengths_equal(Range& x, Range& y) {
  const double wanted = 1.6 * y.length(), ratio = x.length() / wanted;  // of a drawing
  if (ratio < 0.1 || ratio > 6) return;
  if (ratio < 1)
    x = x.widened((1 / ratio - 1) / 2);
  else
    y = y.widened((ratio - 1) / 2);
}

// Where things lie, in pixels.
struct Layout {
  Ruler x, y;
  double left = 0, right = 0, top = highest, bottom = 0;
};

// Lines at numbers, none at names.
std::string draw_axes(const Layout& at) {
  std::string lines, words;
  const auto& [across, up] = std::tie(at.x, at.y);
  for (std::size_t k = 0; k < across.ticks.values.size(); ++k) {
    const double x = across.scale(across.ticks.values[k]);
    if (!across.named) lines += "M" + px(x) + " " + px(at.top) + "V" + px(at.bottom);
    words += words_at(x, at.bottom + 15, across.ticks.labels[k], "class=\"tick mid\"");
  }
  for (std::size_t k = 0; k < up.ticks.values.size(); ++k) {
    const double y = up.scale(up.ticks.values[k]);
    if (!up.named) lines += "M" + px(at.left) + " " + px(y) + "H" + px(at.right);
    words += words_at(at.left - 6, y + 4, up.ticks.labels[k], "class=\"tick end\"");
  }
  const double middle = (at.top + at.bottom) / 2;
  if (!across.label.empty()) words += words_at((at.left + at.right) / 2, at.bottom + 34, across.label, "class=\"name mid\"");
  if (!up.label.empty()) words += words_at(12, middle, up.label, "class=\"name mid\" transform=\"rotate(-90 12 " + px(middle) + ")\"");
  return "<path class=\"grid\" d=\"" + lines + "\"/><path class=\"axis\" d=\"M" + px(at.left) + " " + px(at.top) + "V" + px(at.bottom) + "H" + px(at.right) +
         "\"/>" + words;
}

std::string draw_colours(const Layout& at, const Axis& axis) {
  const Ruler ruler = make_ruler(axis, at.bottom, at.top, 4);
  const double left = at.right + 10, wide = 9, high = (at.bottom - at.top) / field_steps;
  std::string out = words_at(width - 4, 14, ruler.label, "class=\"name end\"");
  for (int k = 0; k < field_steps; ++k) out += rectangle("f" + std::to_string(k), left, at.bottom - (k + 1) * high, wide, high);
  for (std::size_t k = 0; k < ruler.ticks.values.size(); ++k)
    out += words_at(left + wide + 4, ruler.scale(ruler.ticks.values[k]) + 4, ruler.ticks.labels[k], "class=\"tick\"");
  return out;
}

// For values under the pointer.
std::string range_text(const char* name, const Ruler& ruler) {
  const auto& [range, logarithmic, from, to] = ruler.scale;
  if (ruler.named) return {};
  return std::string(" data-") + name + "=\"" + px(from) + " " + px(to) + " " + format_short(range.least, 9) + " " + format_short(range.most, 9) +
         (logarithmic ? " log\"" : "\"");
}

}  // namespace

Axis make_axis(std::string label, Range numbers, double margin, bool logarithmic) {
  if (logarithmic) numbers = {std::log(numbers.least), std::log(numbers.most)};
  numbers = numbers.widened(margin);
  if (logarithmic) numbers = {std::exp(numbers.least), std::exp(numbers.most)};
  return {std::move(label), numbers, margin, logarithmic};
}

void Chart::mark(Join join, const std::string& style, Points points, double width) {
  if (!points.x.empty()) marks_.push_back({join, style, std::move(points), width});
}

void Chart::band(const std::string& style, const std::vector<double>& at, const std::vector<double>& lower, const std::vector<double>& upper) {
  for (std::size_t first = 0, last = 0; first < at.size(); first = last + 1) {
    for (last = first; last < at.size() && std::isfinite(lower[last]) && std::isfinite(upper[last]);) ++last;
    Points around;
    for (std::size_t k = first; k < last; ++k) around.add(at[k], upper[k]);
    for (std::size_t k = last; k-- > first;) around.add(at[k], lower[k]);
    mark(Join::area, style, std::move(around));
  }
}

void Chart::colour_bar(const std::string& label, const Range& values, bool logarithmic) {
  colours_ = {label, values.length() > 0 ? values : values.widened(0), 0, logarithmic};
}

void Chart::settle() {
  std::vector<double> across, up;
  for (const auto& [join, style, at, width] : marks_) {
    across.insert(across.end(), at.x.begin(), at.x.end());
    up.insert(up.end(), at.y.begin(), at.y.end());
  }
  end_axis(x, std::move(across)), end_axis(y, std::move(up));
  if (same_scale && !settled_) make_lengths_equal(x.range, y.range);
  settled_ = true;
}

std::string Chart::draw_names(double left, double& top) const {
  std::string out;
  double at = left;
  for (const auto& [style, name] : names_) {
    const std::string words = cut(name, style.empty() ? longest_label : longest_name);
    const double square = style.empty() ? 0 : 14, wide = square + width_of(words) + 12;
    if (at > left && at + wide > width) at = left, top += 17;
    if (square > 0) out += rectangle(style, at, top - 18, 10, 10);
    out += words_at(at + square, top - 9, words, "class=\"tick\"");
    at += wide;
  }
  return out;
}

Figure Chart::finish() {
  settle();
  Layout at{{}, make_ruler(y, 0, 1, 5)};
  double widest = 0;
  for (const auto& label : at.y.ticks.labels) widest = std::max(widest, width_of(label));
  at.left = std::round(widest + (y.label.empty() ? 14 : 34)), at.right = width - (colours_.label.empty() ? 14 : 62);
  if (names_.empty() && colours_.label.empty()) at.top = 8;
  const std::string above = draw_names(at.left, at.top);
  about.height = std::max(height, height + at.top - highest);
  at.bottom = about.height - (x.label.empty() ? 24 : 42);
  at.x = make_lower_ruler(x, at.left, at.right);
  at.y.scale.from = at.bottom, at.y.scale.to = at.top;
  if (!y.names.empty()) std::swap(at.y.scale.from, at.y.scale.to);  // names go down, numbers go up
  const std::string clip = about.id + "-c";
  about.drawing = draw_axes(at) + "<clipPath id=\"" + clip + "\">" + rectangle("", at.left, at.top, at.right - at.left, at.bottom - at.top) +
                  "</clipPath><g clip-path=\"url(#" + clip + ")\">";
  for (Mark& mark : marks_) {
    for (double& value : mark.points.x) value = at.x.scale(value);
    for (double& value : mark.points.y) value = at.y.scale(value);
    about.drawing += "<path class=\"" + std::string(mark.join == Join::dots ? "dot " : "") + mark.style + "\" d=\"" + join_points(mark.join, mark.points) +
                     "\"" + (mark.width > 0 ? " stroke-width=\"" + px(mark.width) + "\"/>" : "/>");
  }
  about.drawing += "</g>" + above + (colours_.label.empty() ? "" : draw_colours(at, colours_));
  about.ranges = range_text("x", at.x) + range_text("y", at.y);
  return std::move(about);
}

}  // namespace conesweep::plot
