#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/text.hpp"

namespace conesweep::testing {

/// A bar on two feet in the plane, or a plate on three or four in space, from a seed: rough and smooth feet, which may
/// persist, stand on a floor that may move or carry a belt; a weak push, brakes and blows. Most of its members rest, or
/// come to rest, so that velocities are rounding for most of the time.
class RestingBody {
 public:
  RestingBody(std::uint64_t seed, int members) : random_(seed), seed_(seed), members_(members) {}

  std::string text() {
    const bool bar = below(2) == 0, persistent = below(4) == 0;
    const std::string drop = !persistent && below(3) == 0 ? "0.02" : "0";
    std::string file = "title = \"body at rest\"\n\n[model]\ncoordinates = [" +
                       std::string(bar ? "\"x\", \"z\", \"a\"" : "\"x\", \"y\", \"z\", \"a\", \"b\", \"c\"");
    const std::string push = below(3) == 0 ? "0" : below(2) == 0 ? "kappa" : "kappa * sin(9 * t)";
    file += "]\nmass = [" +
            std::string(bar ? "\"m0\", \"m0\", \"0.3\"" : "\"m0\", \"m0\", \"m0\", \"0.3\", \"0.2\", \"0.4\"") +
            "]\nforce = [\"" + push +
            std::string(bar ? "\", \"-9.81 * m0\", \"0\"]\n" : "\", \"0\", \"-9.81 * m0\", \"0\", \"0\", \"0\"]\n");
    file += "\n[model.parameters]\nm0 = 1.3\nmu = 0.4\nkappa = 0.6\neps = 0.0\n\n[model.define]\n";
    std::string feet;
    int rough = 0;
    const std::string floor = !persistent && below(5) == 0 ? " >= 0.002 * sin(7 * t)" : " >= 0",
                      belt = below(5) == 0 ? "0.2" : "0";
    for (int k = 0, count = bar ? 2 : persistent ? 3 : 3 + below(2); k < count; ++k) {
      const std::string n = std::to_string(k), s = (k % 2 == 0 ? "-0." : "0.") + std::to_string(4 + below(5)),
                        t = (k < 2 ? "-0." : "0.") + std::to_string(3 + below(5));
      if (bar)
        file += "x" + n + " = \"x + (" + s + ") * cos(a)\"\nz" + n + " = \"z + (" + s + ") * sin(a)\"\n";
      else
        file += "x" + n + " = \"x + " + s + " - (" + t + ") * c\"\ny" + n + " = \"y + " + t + " + (" + s +
                ") * c\"\nz" + n + " = \"z + (" + t + ") * a - (" + s + ") * b\"\n";
      const bool rubs = below(3) > 0;
      rough += rubs ? 1 : 0;
      feet += "[[model.contact]]\nname = \"foot" + n + "\"\npoint = [\"x" + n + (bar ? "" : "\", \"y" + n) + "\", \"z" +
              n + "\"]\ninside = \"z" + n + floor + "\"\n" + (rubs ? "friction = \"mu\"\n" : "") +
              (persistent      ? "persistent = true\n"
               : below(4) == 0 ? "restitution = \"0.4\"\n"
                               : "") +
              (holds_ && !persistent ? "cohesion = \"kappa\"\n" : "");
      if (belt != "0") feet += "belt = [\"" + belt + (bar ? "\", \"0\"]\n" : "\", \"0\", \"0\"]\n");
    }
    file += "\n" + feet;
    for (int r = 0, count = below(3); r < count; ++r) {
      file += "[[model.resistance]]\nname = \"brake" + std::to_string(r) + "\"\nslip = [\"vx + 0.3 * va\"" +
              (!bar && below(2) == 0 ? ", \"vy\"" : "") + "]\nlimit = \"" +
              (below(3) == 0 && bar ? holds_ ? "0.2 * (normal(foot0) + kappa)" : "0.2 * normal(foot0)"
               : r == 0             ? "kappa"
                                    : "0.3") +
              "\"\n";
      // how a plate on several rough feet takes a blow is open, and nobody can judge the parts of a step; so are limits
      // made of what its feet carry
      if (below(2) == 0 && (bar || rough < 2))
        file += "percussions = { time = \"0.0717 * j\", size = \"0.5\", count = 7, limit = \"kappa\" }\n";
    }
    file += "[start]\nx = \"" + std::string(below(3) == 0 ? "0.3 * t" : "0") + "\"\n" + (bar ? "" : "y = \"0\"\n") +
            "z = \"" + drop + "\"\na = \"0\"\n" + (bar ? "" : "b = \"0\"\nc = \"0\"\n");
    file += "\n[time]\nend = 0.64\nstep = 0.02\n" +
            std::string(!persistent && seed_ % 5 == 2 ? "impacts = \"located\"\n" : "") +
            "\n[ensemble]\nmembers = " + std::to_string(members_) + "\nseed = " + std::to_string(below(1000)) +
            "\n\n[vary]\nm0 = { uniform = [0.5, 2.0] }\nmu = { uniform = [0.0, 1.1] }\nkappa = { loguniform = [0.05, "
            "3.0] }\n\n[observe]\nalso = [\"work\", "
            "\"drive_work\"]\nfar = { max = \"x\" "
            "}\n\n";
    return file;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  std::mt19937_64 random_;
  std::uint64_t seed_;
  int members_;
  bool holds_ = seed_ % 4 == 2;
};

/// Scenario files with several laws, from a seed: two to six coordinates (every tenth up to twelve), unit, diagonal and
/// full masses that may depend on the coordinates, contacts of every kind with and without friction, restitution, belts
/// and moving walls, holonomic and velocity rows that may move, of every third with friction, resistances with limits
/// of every kind, freewheels, drives and percussions, delays and windows, formulas that ask normal(…), slip(…) and
/// gap(…); of every fifth impacts are located, of every fourth contacts hold with a cohesion. Every sixth is a particle
/// between two to four walls, which runs in packs. Everything starts admissible: at the origin, and at rest where there
/// are firm rows or freewheels. Every seventh is a body that lies on its feet (RestingBody).
///
/// `eps` is 0; a few 1e-16 instead is a rounding error in every force.
class RandomSystem {
 public:
  RandomSystem(std::uint64_t seed, int members) : random_(seed), seed_(seed), members_(members) {}

  std::string text() {
    if (seed_ % 7 == 5) return RestingBody(seed_, members_).text();
    const bool particle = seed_ % 6 == 3;
    d_ = particle ? 2 + below(2) : seed_ % 10 == 9 ? 7 + below(6) : 2 + below(5);
    const bool unit = seed_ % 3 == 0;
    std::string file = "title = \"random system\"\n\n[model]\ncoordinates = [";
    for (int c = 0; c < d_; ++c) file += (c > 0 ? ", " : "") + quoted(q(c));
    file += "]\nforce = [";
    for (int c = 0; c < d_; ++c) file += (c > 0 ? ", " : "") + quoted(force(c));
    file += "]\n" + std::string(unit ? "" : mass());
    if (below(4) == 0) file += "restitution_law = \"moreau\"\n";
    file += "\n[model.parameters]\nm0 = 1.3\nm1 = 0.8\nmu = 0.4\nkappa = 0.6\neps = 0.0\n\n";
    file += "[model.define]\nplace_a = \"" + q(0) + " + 0.3 * sin(" + q(1) + ")\"\nplace_b = \"" + q(1) + " + 0.2 * " +
            q(d_ - 1) + "\"\nplace_c = \"" + q(d_ - 1) + " - 0.1 * " + q(0) + "\"\n\n";
    for (int p = 0, count = particle ? 2 + below(3) : below(4); p < count; ++p) file += contact(p, unit, particle);
    if (!particle) {
      for (int b = 0, count = below(3); b < count && b + 1 < d_; ++b) file += bilateral(b);
      for (int r = 0, count = below(3) + (laws_.empty() ? 1 : 0); r < count; ++r) file += resistance(r);
    }
    file += "[start]\n";
    for (int c = 0; c < d_; ++c)
      file +=
          q(c) + " = \"0\"\n" +
          (firm_.empty() && !freewheel_ && below(2) == 0 ? "v" + q(c) + " = \"" + number(between(-1, 1)) + " + eps\"\n"
                                                         : "");
    const bool located = seed_ % 5 == 2 && file.find("[[model.contact]]") != std::string::npos;
    file += "\n[time]\nend = 0.64\nstep = 0.02\n" + std::string(located ? "impacts = \"located\"\n" : "") +
            "\n[ensemble]\nmembers = " + std::to_string(members_) + "\nseed = " + std::to_string(below(1000)) +
            "\n\n[vary]\nm0 = { uniform = [0.5, 2.0] }\nmu = { uniform = [0.0, 1.1] }\nkappa = { loguniform = [0.05, "
            "3.0] }\n\n" +
            observe();
    if (below(2) == 0) file += "[record]\nmembers = 5\nevery = 3\n";
    return file;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }
  template <class T>
  T pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }
  static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
  static std::string number(double x) {
    const std::string text = format_short(x, 4);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  static std::string q(int c) { return "q" + std::to_string(c); }
  std::string any() { return q(below(d_)); }

  std::string force(int c) {
    return "(" + number(between(-8, 8)) + " - 2 * " + q(c) + " - 0.3 * v" + q(c) + " + " + number(between(-2, 2)) +
           " * sin(" + any() + " + 3 * t)" + (has_history() ? " - 0.5 * " + looks_back() : "") + ") * (1 + eps)";
  }
  bool has_history() const { return seed_ % 4 == 1; }

  // shorter than a step, between nodes, at nodes, longer than the motion; of a member's own
  std::string looks_back() {
    const std::string length = pick<std::string>({"0.05", "0.007", "0.02", "0.13 * m0", "0.9", "0"});
    switch (below(6)) {
      case 0: return "delay(v" + any() + ", " + length + ")";
      case 1: return "window_max(" + any() + ", " + length + ")";
      case 2: return "window_mean(" + any() + "^2, " + length + ")";
      case 3: return "window_min(abs(" + any() + " - now(" + any() + ")), " + length + ")";
      default: return "delay(" + any() + ", " + length + ")";
    }
  }

  std::string mass() {
    if (below(2) == 0) {
      std::string list;
      for (int c = 0; c < d_; ++c)
        list += (c > 0 ? ", " : "") + quoted(c % 2 == 0      ? "m0"
                                             : below(2) == 0 ? "m1 + 0.3 * cos(" + q(0) + ")"
                                                             : number(between(0.3, 3)));
      return "mass = [" + list + "]\n";
    }
    // diagonally dominant
    const bool varies = below(2) == 0;
    std::string rows;
    for (int i = 0; i < d_; ++i) {
      std::string row;
      for (int j = 0; j < d_; ++j) {
        const int a = std::min(i, j), b = std::max(i, j);
        std::string entry = i == j      ? "m0 + 1"
                            : b - a > 1 ? "0"
                            : varies    ? "0.4 * cos(" + q(a) + " - " + q(b) + ")"
                                        : "0.3 * m1";
        row += (j > 0 ? ", " : "") + quoted(entry);
      }
      rows += (i > 0 ? ", " : "") + ("[" + row + "]");
    }
    return "mass = [" + rows + "]\n";
  }

  std::string contact(int p, bool unit, bool particle) {
    const std::string name = "wall" + std::to_string(p);
    std::string text = "[[model.contact]]\nname = " + quoted(name) + "\n";
    laws_.push_back(name);
    const std::string moving = below(4) == 0 ? " - 0.05 * sin(5 * t)" : "";
    std::string distance = pick<std::string>({"0", "0.05", "0.1"}), side = pick<std::string>({" >= -", " <= "});
    if (particle) {  // no two walls in one place: a rough and a smooth one would share the load as they like
      side = p < d_ ? " >= -" : " <= ";
      if (p >= d_) distance = "0.1";
    }
    bool rough = below(4) > 0;
    switch (particle ? 2 : below(3)) {
      case 0:
        if (below(2) == 0 || d_ < 3) {
          text += "point = [\"place_a\", \"place_b\"]\ninside = \"place_b" +
                  (below(2) == 0 ? std::string(" + 0.3 * place_a") : std::string()) + side + distance + moving + "\"\n";
          if (below(3) == 0) text += "belt = [\"0.4\", \"0.1 * cos(t)\"]\n";
        } else {
          text +=
              "point = [\"place_a\", \"place_b\", \"place_c\"]\ninside = \"place_c + 0.2 * place_a^2 - 0.1 * place_b" +
              side + distance + moving + "\"\n";
          if (below(3) == 0) text += "belt = [\"0.4\", \"0.1 * cos(t)\", \"0\"]\n";
        }
        break;
      case 1:
        text += "slip = [\"v" + q(0) + " - 0.5 * v" + q(d_ - 1) + " + 0.1\"]\ninside = \"" + any() + side + distance +
                moving + "\"\n";
        if (below(3) == 0) text += "belt = [\"0.3 * sin(2 * t)\"]\n";
        break;
      default:
        rough = rough && unit && d_ <= 3;
        text +=
            "inside = \"" + q(particle ? p % d_ : below(d_)) + " + 0.2 * " + any() + side + distance + moving + "\"\n";
        if (unit && below(3) == 0) {
          text += "belt = [";
          for (int c = 0; c < d_; ++c) text += (c > 0 ? ", " : "") + quoted(c == 0 ? "0.3" : "0.2 * sin(3 * t)");
          text += "]\n";
        }
    }
    if (rough && has_history() && below(2) == 0)
      text += "friction = \"mu * (1 + abs(" + looks_back() + "))\"\n";
    else if (rough)
      text += below(4) == 0 ? "friction_angle = \"atan(mu)\"\n" : "friction = \"mu\"\n";
    if (below(2) == 0)
      text += "restitution = \"" + pick<std::string>({"0.5", "1", "0.3 + 0.2 * tanh(v" + q(0) + ")"}) + "\"\n";
    if (seed_ % 4 == 2) text += p == 0 ? "cohesion = \"kappa\"\n" : "cohesion = \"6 * mu * (1 + sin(9 * t))\"\n";
    return text + "\n";
  }

  // each in coordinates of its own, so that they are independent
  std::string bilateral(int b) {
    const std::string name = "rail" + std::to_string(b), a = q(b == 0 ? 0 : 1), c = q(d_ - 1 - b);
    laws_.push_back(name), firm_.push_back(name);
    std::string text = "[[model.bilateral]]\nname = " + quoted(name) + "\n";
    if (a == c) return text + "holds = \"" + a + " = 0\"\n\n";
    const std::string rubs =
        seed_ % 3 == 1 ? "friction = \"0.5 * mu\"\nslip = [\"v" + c + " + 0.3 * v" + a + "\"]\n" : "";
    switch (below(5)) {
      case 0: return text + "holds = \"(" + a + " + 1)^2 + " + c + "^2 = 1\"\n" + rubs + "\n";
      case 1: return text + "holds = \"" + a + " - 0.5 * sin(" + c + ") = 0\"\n" + rubs + "\n";
      case 2: return text + "holds = \"" + a + " - 0.5 * " + c + " = 0.3 * t^2\"\n" + rubs + "\n";
      case 3: return text + "velocity = \"v" + a + " - 0.4 * v" + c + " = 0.2 * t\"\n\n";
      default: return text + "velocity = \"v" + a + " * cos(" + c + ") - 0.7 * v" + c + " = 0\"\n\n";
    }
  }

  std::string resistance(int r) {
    const std::string name = "brake" + std::to_string(r);
    laws_.push_back(name);
    const int rows = d_ > 2 ? pick<int>({1, 1, 2, 3}) : 1;
    std::string text = "[[model.resistance]]\nname = " + quoted(name) + "\nslip = [";
    for (int k = 0; k < rows; ++k)
      text += (k > 0 ? ", " : "") + quoted("v" + q((k + r) % d_) + (k == 0 ? " + 0.3 * v" + q(d_ - 1) : ""));
    text += "]\n";
    if (below(3) == 0) {
      text += "drive = [";
      for (int k = 0; k < rows; ++k) text += (k > 0 ? ", " : "") + quoted("0.3 * sin(4 * t)");
      text += "]\n";
    }
    std::vector<std::string> limits = {"\"kappa\"", "\"kappa * (1 + " + q(0) + "^2)\""};
    if (rows == 1)
      limits.emplace_back("[\"-kappa\", \"2 * kappa\"]"), limits.emplace_back("[\"-inf\", \"0\"]"),
          limits.emplace_back("[\"-kappa\", \"inf\"]");
    if (!firm_.empty()) limits.push_back("\"mu * abs(normal(" + firm_.front() + "))\"");
    if (!laws_.empty() && laws_.front().starts_with("wall"))
      limits.push_back("\"kappa + 0.5 * normal(" + laws_.front() + ") + 0.1 * slip(" + laws_.front() + ")\"");
    if (has_history()) limits.push_back("\"kappa * (1 + abs(" + looks_back() + "))\"");
    const std::string limit = pick(limits);
    const bool endless = limit.find("inf") != std::string::npos;
    freewheel_ = freewheel_ || endless;
    text += "limit = " + limit + "\n";
    // a blow on a row along a wall's normal leaves open who holds the body there, and so how much the wall rubs: with
    // history only the first one, which is oblique
    if (!endless && (has_history() ? below(3) > 0 && r == 0 : below(3) == 0))
      text += "percussions = { time = \"" +
              pick<std::string>({"0.5 * (1 - 2^(-j))", "0.6 / j", "0.08 * j", "mod(0.377 * j, 0.6)"}) +
              "\", size = \"0.3 / j\", count = 7" + (below(2) == 0 ? ", limit = \"0.5 * kappa\"" : "") + " }\n";
    return text + "\n";
  }

  std::string observe() {
    std::string text =
        "[observe]\nalso = [\"work\", \"drive_work\"" +
        std::string(laws_.front().starts_with("wall") ? ", \"gained\", \"painleve\", \"impulse.wall0\"" : "") + "]\n";
    text += "far = { max = \"" + any() + "\" }\n";
    if (laws_.front().starts_with("wall"))
      text +=
          "push = { max = \"normal(wall0)\" }\nrub = { integral = \"slip(wall0)\" }\nspace = { min = \"gap(wall0)\" "
          "}\n";
    if (!firm_.empty()) text += "held = { mean = \"normal(" + firm_.front() + ")\" }\n";
    return text + "\n";
  }

  std::mt19937_64 random_;
  std::uint64_t seed_;
  int members_;
  int d_ = 0;
  bool freewheel_ = false;
  std::vector<std::string> laws_, firm_;
};

}  // namespace conesweep::testing
