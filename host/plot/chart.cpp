#include "plot/chart.hpp"

#include <algorithm>
#include <cmath>

#include "support/markup.hpp"
#include "support/text.hpp"

namespace conesweep::plot {
namespace {

constexpr double width = 400, character = 6.1;  // of a drawing; of a digit of 11 pixels, and of letters about
constexpr double highest = 26;                  // top of a drawing below one row of words
constexpr std::size_t longest_name = 26, longest_label = 40;

double width_of(const std::string& text) { return character * static_cast<double>(display_width(text)); }

std::string words_at(double left, double top, const std::string& words, const std::string& look) {
  return "<text x=\"" + px(left) + "\" y=\"" + px(top) + "\" " + look + ">" + escape(words) + "</text>";
}

std::string rectangle(const std::string& style, double left, double top, double wide, double high) {
  return "<rect class=\"" + style + "\" x=\"" + px(left) + "\" y=\"" + px(top) + "\" width=\"" + px(wide) +
         "\" height=\"" + px(high) + "\"/>";
}

std::string label_of(const Axis& axis, const Ticks& ticks) {
  return cut(ticks.power == 0 ? axis.label : axis.label + " (" + power_of_ten(ticks.power) + ")", longest_label);
}

// As many as have room beside each other.
Ticks lower_ticks(const Axis& axis) {
  for (int about = static_cast<int>((axis.to - axis.from) / 62);; --about) {
    Ticks ticks = make_ticks(axis, std::max(1, about));
    double room = axis.to - axis.from;
    for (const auto& label : ticks.labels) room -= width_of(label) + 12;
    if (room >= 0 || about <= 1) return ticks;
  }
}

// A NaN interrupts a line. Its points closer than half a pixel to the one before are left out.
std::string path_through(const Points& at) {
  std::string path;
  bool down = false;
  double last_x = 0, last_y = 0;
  for (std::size_t k = 0; k < at.x.size(); ++k) {
    const double x = at.x[k], y = at.y[k];
    const bool there = std::isfinite(x) && std::isfinite(y),
               is_end = k + 1 == at.x.size() || !std::isfinite(at.y[k + 1]);
    if (there && down && !is_end && std::hypot(x - last_x, y - last_y) < 0.5) continue;
    if (there) path += (down ? "L" : "M") + px(x) + " " + px(y);
    down = there, last_x = x, last_y = y;
  }
  return path;
}

// Points are places on the drawing.
std::string join_points(Join join, const Points& at) {
  if (join == Join::line || join == Join::area) return path_through(at) + (join == Join::area ? "z" : "");
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

void make_lengths_equal(NumberRange& x, NumberRange& y) {
  const double wanted = 1.6 * y.length(), ratio = x.length() / wanted;  // of a drawing
  if (ratio < 0.1 || ratio > 6) return;
  if (ratio < 1)
    x = x.widened((1 / ratio - 1) / 2);
  else
    y = y.widened((ratio - 1) / 2);
}

// Lines at numbers, none at names.
std::string draw_axes(const Axis& x, const Ticks& across, const Axis& y, const Ticks& up) {
  const double bottom = std::max(y.from, y.to), top = std::min(y.from, y.to), middle = (top + bottom) / 2;
  std::string lines, words;
  for (std::size_t k = 0; k < across.values.size(); ++k) {
    const double at = x(across.values[k]);
    lines += "M" + px(at) + " " + px(top) + "V" + px(bottom);
    words += words_at(at, bottom + 15, across.labels[k], "class=\"tick mid\"");
  }
  for (std::size_t k = 0; k < up.values.size(); ++k) {
    const double at = y(up.values[k]);
    if (y.names.empty()) lines += "M" + px(x.from) + " " + px(at) + "H" + px(x.to);
    words += words_at(x.from - 6, at + 4, up.labels[k], "class=\"tick end\"");
  }
  if (!x.label.empty()) words += words_at((x.from + x.to) / 2, bottom + 34, label_of(x, across), "class=\"name mid\"");
  if (!y.label.empty())
    words +=
        words_at(12, middle, label_of(y, up), "class=\"name mid\" transform=\"rotate(-90 12 " + px(middle) + ")\"");
  return "<path class=\"grid\" d=\"" + lines + "\"/><path class=\"axis\" d=\"M" + px(x.from) + " " + px(top) + "V" +
         px(bottom) + "H" + px(x.to) + "\"/>" + words;
}

std::string draw_colours(const Axis& axis, double left) {
  const Ticks ticks = make_ticks(axis, 4);
  const double wide = 9, high = (axis.from - axis.to) / field_steps;
  std::string out = words_at(width - 4, 13, label_of(axis, ticks), "class=\"name end\"");
  for (int k = 0; k < field_steps; ++k)
    out += rectangle("f" + std::to_string(k), left, axis.from - (k + 1) * high, wide, high);
  for (std::size_t k = 0; k < ticks.values.size(); ++k)
    out += words_at(left + wide + 4, axis(ticks.values[k]) + 4, ticks.labels[k], "class=\"tick\"");
  return out;
}

// For values under the pointer.
std::string range_text(const char* name, const Axis& axis) {
  if (!axis.names.empty()) return {};
  return std::string(" data-") + name + "=\"" + px(axis.from) + " " + px(axis.to) + " " +
         format_short(axis.range.least, 9) + " " + format_short(axis.range.most, 9) +
         (axis.logarithmic ? " log\"" : "\"");
}

}  // namespace

Chart::Chart(Words words, Axis across, Axis up, std::vector<std::string> columns)
    : x(std::move(across)), y(std::move(up)) {
  about.title = std::move(words.title), about.note = std::move(words.note), about.numbers.head = std::move(columns);
}

void Chart::mark(Join join, const std::string& style, Points points, double width) {
  if (!points.x.empty()) marks_.push_back({join, style, std::move(points), width});
}

void Chart::band(const std::string& style, const std::vector<double>& at, const std::vector<double>& lower,
                 const std::vector<double>& upper) {
  for (std::size_t first = 0, last = 0; first < at.size(); first = last + 1) {
    for (last = first; last < at.size() && std::isfinite(lower[last]) && std::isfinite(upper[last]);) ++last;
    Points around;
    for (std::size_t k = first; k < last; ++k) around.add(at[k], upper[k]);
    for (std::size_t k = last; k-- > first;) around.add(at[k], lower[k]);
    mark(Join::area, style, std::move(around));
  }
}

std::string Chart::series(const std::string& words) {
  std::string colour = std::to_string(series_++ % category_count);
  if (!words.empty()) name("k" + colour, words);
  return colour;
}

void Chart::mark_field(Join join, const Points& points, const std::vector<double>& values, Axis colours, double width) {
  colours_ = std::move(colours);
  colours_.range.add(values);
  if (colours_.range.is_point()) colours_.range = colours_.range.widened(0);
  std::vector<Points> steps(field_steps);
  for (std::size_t k = 0; k < points.x.size(); ++k) {
    const double share = colours_(values[k * values.size() / points.x.size()]);
    if (std::isnan(share)) continue;
    steps[static_cast<std::size_t>(std::clamp(share * field_steps, 0.0, field_steps - 1.0))].add(points.x[k],
                                                                                                 points.y[k]);
  }
  for (std::size_t k = 0; k < steps.size(); ++k)
    mark(join, (join == Join::dots ? "g" : "f") + std::to_string(k), std::move(steps[k]), width);
}

void Chart::settle() {
  if (std::exchange(settled_, true)) return;
  Points all;
  for (const Mark& mark : marks_) {
    all.x.insert(all.x.end(), mark.points.x.begin(), mark.points.x.end());
    all.y.insert(all.y.end(), mark.points.y.begin(), mark.points.y.end());
  }
  const bool beyond_x = x.fit(std::move(all.x)), beyond_y = y.fit(std::move(all.y));
  if (beyond_x || beyond_y) about.note += " The axes end near most members; some go far beyond.";
  if (same_scale) make_lengths_equal(x.range, y.range);
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
  const Ticks up = make_ticks(y, 5);
  double widest = 0, top = names_.empty() && colours_.label.empty() ? 8 : highest;
  for (const auto& label : up.labels) widest = std::max(widest, width_of(label));
  x.from = std::round(widest + (y.label.empty() ? 14 : 34)), x.to = width - (colours_.label.empty() ? 14 : 62);
  const std::string above = draw_names(x.from, top);
  about.height = std::max(height, height + top - highest);
  const double bottom = about.height - (x.label.empty() ? 24 : 42);
  y.from = y.names.empty() ? bottom : top, y.to = y.names.empty() ? top : bottom;  // names go down, numbers go up
  const std::string clip = about.id + "-c";
  about.drawing = draw_axes(x, lower_ticks(x), y, up) + "<clipPath id=\"" + clip + "\">" +
                  rectangle("", x.from, top, x.to - x.from, bottom - top) + "</clipPath><g clip-path=\"url(#" + clip +
                  ")\">";
  for (auto& [join, style, points, thick] : marks_) {
    for (double& value : points.x) value = x(value);
    for (double& value : points.y) value = y(value);
    about.drawing += "<path class=\"" + (join == Join::dots ? "dot " + style : style) + "\" d=\"" +
                     join_points(join, points) + "\"" + (thick > 0 ? " stroke-width=\"" + px(thick) + "\"/>" : "/>");
  }
  about.drawing += "</g>" + above;
  colours_.from = bottom, colours_.to = top;
  if (!colours_.label.empty()) about.drawing += draw_colours(colours_, x.to + 10);
  about.ranges = range_text("x", x) + range_text("y", y);
  return std::move(about);
}

}  // namespace conesweep::plot
