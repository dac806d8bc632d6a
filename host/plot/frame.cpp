#include "plot/frame.hpp"

#include <algorithm>
#include <cmath>

#include "plot/palette.hpp"
#include "support/text.hpp"

namespace conesweep::plot {
namespace {

constexpr double character = 6.1;  // width of a digit of 11 pixels; of letters about

double width_of(const std::string& text) { return character * static_cast<double>(display_width(text)); }

std::string cut(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  std::string out;
  for (std::size_t at = 0, seen = 0; at < text.size() && seen < most; ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && ++seen == most) break;
    out += text[at];
  }
  return out + "…";
}

Ticks name_ticks(const std::vector<std::string>& names, std::size_t longest) {
  Ticks ticks;
  for (std::size_t k = 0; k < names.size(); ++k) {
    ticks.values.push_back(static_cast<double>(k));
    ticks.labels.push_back(cut(names[k], longest));
  }
  return ticks;
}

Ticks ticks_of(const Axis& axis, const Scale& scale, int about) { return axis.names.empty() ? make_ticks(scale, about) : name_ticks(axis.names, 16); }

std::string label_of(const Axis& axis, const Ticks& ticks) { return ticks.power == 0 ? axis.label : axis.label + "  (" + power_of_ten(ticks.power) + ")"; }

std::string words_at(const std::string& style, double left, double top, const std::string& words, const std::string& more) {
  return "<text class=\"" + style + "\" x=\"" + px(left) + "\" y=\"" + px(top) + "\"" + more + ">" + escape(words) + "</text>";
}

std::string range_text(const Scale& scale) {
  return format_number(scale.from) + " " + format_number(scale.to) + " " + format_short(scale.lower, 9) + " " + format_short(scale.upper, 9) +
         (scale.logarithmic ? " log" : "");
}

}  // namespace

Frame::Frame(Axis x, Axis y, Room room) : horizontal_(std::move(x)), vertical_(std::move(y)), room_(room) {
  for (Axis* axis : {&horizontal_, &vertical_})
    if (!axis->names.empty()) axis->lower = -0.5, axis->upper = static_cast<double>(axis->names.size()) - 0.5;
  // names go down, numbers go up
  const bool down = !vertical_.names.empty();
  y_ = {down ? vertical_.upper : vertical_.lower, down ? vertical_.lower : vertical_.upper, vertical_.logarithmic, 0, 1};
  double widest = 0;
  Scale numbers = y_;
  if (down) std::swap(numbers.lower, numbers.upper);
  for (const auto& label : ticks_of(vertical_, numbers, 5).labels) widest = std::max(widest, width_of(label));
  x_ = {horizontal_.lower, horizontal_.upper, horizontal_.logarithmic, widest + (vertical_.label.empty() ? 14 : 34), room.width - (room.colour_bar ? 62 : 14)};
  x_.from = std::round(x_.from);
  y_.from = room.height - (horizontal_.label.empty() ? 24 : 42);
  y_.to = 24;
}

void Frame::line(const std::string& style, const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> left, top;
  for (std::size_t k = 0; k < x.size(); ++k) left.push_back(x_(x[k])), top.push_back(y_(y[k]));
  path(style, path_through(left, top));
}

void Frame::band(const std::string& style, const std::vector<double>& x, const std::vector<double>& lower, const std::vector<double>& upper) {
  // pieces between NaNs
  std::string commands;
  for (std::size_t first = 0; first < x.size();) {
    const auto is_there = [&](std::size_t k) { return std::isfinite(lower[k]) && std::isfinite(upper[k]); };
    std::size_t last = first;
    while (last < x.size() && is_there(last)) ++last;
    std::vector<double> left, top;
    for (std::size_t k = first; k < last; ++k) left.push_back(x_(x[k])), top.push_back(y_(upper[k]));
    for (std::size_t k = last; k-- > first;) left.push_back(x_(x[k])), top.push_back(y_(lower[k]));
    if (last > first) commands += path_through(left, top) + "z";
    first = last + 1;
  }
  path(style, commands);
}

void Frame::bar(const std::string& style, double x0, double x1, double y0, double y1) {
  path(style, "M" + px(x_(x0)) + " " + px(y_(y0)) + "H" + px(x_(x1)) + "V" + px(y_(y1)) + "H" + px(x_(x0)) + "z");
}

void Frame::path(const std::string& style, const std::string& commands, const std::string& more) {
  if (!commands.empty()) marks_ += "<path class=\"" + style + "\" d=\"" + commands + "\"" + more + "/>";
}

void Frame::dots(const std::string& style, double size, const std::vector<double>& x, const std::vector<double>& y) {
  std::string commands;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (std::isfinite(x_(x[k])) && std::isfinite(y_(y[k]))) commands += "M" + px(x_(x[k])) + " " + px(y_(y[k])) + "h0";
  path("dot " + style, commands, " stroke-width=\"" + px(size) + "\"");
}

void Frame::across(const std::string& style, double y) { path(style, "M" + px(left()) + " " + px(y_(y)) + "H" + px(right())); }

void Frame::upright(const std::string& style, double x) { path(style, "M" + px(x_(x)) + " " + px(top()) + "V" + px(bottom())); }

void Frame::text(const std::string& style, double left, double top, const std::string& words, const char* anchor) {
  outside_ += words_at(style, left, top, words, std::string(" text-anchor=\"") + anchor + "\"");
}

void Frame::colour_bar(const std::string& label, double lower, double upper, bool logarithmic) {
  const double left = right() + 10, width = 9, height = (bottom() - top()) / field_steps;
  for (int k = 0; k < field_steps; ++k)
    outside_ += "<rect class=\"f" + std::to_string(k) + "\" x=\"" + px(left) + "\" y=\"" + px(bottom() - (k + 1) * height) + "\" width=\"" + px(width) +
                "\" height=\"" + px(height + 0.4) + "\"/>";
  const Scale scale{lower, upper > lower ? upper : lower + 1, logarithmic, bottom(), top()};
  const Ticks ticks = make_ticks(scale, 4);
  for (std::size_t k = 0; k < ticks.values.size(); ++k) text("tick", left + width + 4, scale(ticks.values[k]) + 4, ticks.labels[k]);
  const std::string words = ticks.power == 0 ? label : label + " (" + power_of_ten(ticks.power) + ")";
  text("name", room_.width - 4, 14, cut(words, 34), "end");
}

void Frame::legend(const std::vector<Entry>& entries) {
  double at = left();
  for (const Entry& entry : entries) {
    const std::string name = cut(entry.name, 26);
    const double width = 16 + width_of(name);
    if (at + width > room_.width) break;
    outside_ += "<rect class=\"" + entry.style + "\" x=\"" + px(at) + "\" y=\"6\" width=\"10\" height=\"10\" rx=\"2\"/>";
    text("tick", at + 14, 15, name);
    at += width + 10;
  }
}

std::string Frame::draw_axes(std::string& over) const {
  std::string under, lines;
  // as many numbers below as have room beside each other
  int about = std::max(2, static_cast<int>((right() - left()) / 62));
  const auto fits = [&](const Ticks& ticks) {
    double room = right() - left();
    for (const auto& label : ticks.labels) room -= width_of(label) + 12;
    return room >= 0;
  };
  while (about > 1 && !fits(ticks_of(horizontal_, x_, about))) --about;
  const Ticks across = ticks_of(horizontal_, x_, about);
  Scale numbers = y_;
  if (!vertical_.names.empty()) std::swap(numbers.lower, numbers.upper);
  const Ticks up = ticks_of(vertical_, numbers, 5);
  for (std::size_t k = 0; k < across.values.size(); ++k) {
    if (horizontal_.names.empty()) lines += "M" + px(x_(across.values[k])) + " " + px(top()) + "V" + px(bottom());
    over += words_at("tick", x_(across.values[k]), bottom() + 15, across.labels[k], " text-anchor=\"middle\"");
  }
  for (std::size_t k = 0; k < up.values.size(); ++k) {
    if (vertical_.names.empty()) lines += "M" + px(left()) + " " + px(y_(up.values[k])) + "H" + px(right());
    over += words_at("tick", left() - 6, y_(up.values[k]) + 4, up.labels[k], " text-anchor=\"end\"");
  }
  under += "<path class=\"grid\" d=\"" + lines + "\"/>";
  over += "<path class=\"axis\" d=\"M" + px(left()) + " " + px(top()) + "V" + px(bottom()) + "H" + px(right()) + "\"/>";
  if (!horizontal_.label.empty()) over += words_at("name", (left() + right()) / 2, room_.height - 8, label_of(horizontal_, across), " text-anchor=\"middle\"");
  if (!vertical_.label.empty()) {
    const double middle = (top() + bottom()) / 2;
    over += words_at("name", 12, middle, label_of(vertical_, up), " text-anchor=\"middle\" transform=\"rotate(-90 12 " + px(middle) + ")\"");
  }
  return under;
}

Figure Frame::finish(Figure about) const {
  std::string over;
  const std::string under = draw_axes(over), clip = about.id + "-c";
  about.width = room_.width, about.height = room_.height;
  about.drawing = under + "<clipPath id=\"" + clip + "\"><rect x=\"" + px(left()) + "\" y=\"" + px(top()) + "\" width=\"" + px(right() - left()) +
                  "\" height=\"" + px(bottom() - top()) + "\"/></clipPath><g clip-path=\"url(#" + clip + ")\">" + marks_ + "</g>" + over + outside_;
  about.ranges =
      (horizontal_.names.empty() ? " data-x=\"" + range_text(x_) + "\"" : "") + (vertical_.names.empty() ? " data-y=\"" + range_text(y_) + "\"" : "");
  return about;
}

}  // namespace conesweep::plot
