#include "report/equations.hpp"

#include "report/mathml.hpp"
#include "support/markup.hpp"
#include "support/text.hpp"

namespace conesweep::report {
namespace {

using scenario::Formula;
using scenario::Scenario;

constexpr std::size_t most_nodes = 400;  // of a formula that is typeset; longer ones are shown as they are written

class Equations {
 public:
  explicit Equations(const Scenario& scenario) : s_(scenario) {}

  std::string to_html() {
    motion();
    for (const auto& contact : s_.contacts) add_contact(contact);
    for (const auto& bilateral : s_.bilaterals) add_bilateral(bilateral);
    for (const auto& resistance : s_.resistances) add_resistance(resistance);
    past();
    if (s_.stop) add("End of a member", {line(math(*s_.stop))}, "or t = " + format_short(s_.end));
    observed();
    return "<div class=\"laws\">" + out_ + "</div>";
  }

 private:
  static std::string line(const std::string& parts) {
    return "<div class=\"eq\">" + display_math(math_row(parts)) + "</div>";
  }
  static std::string bars(const std::string& inside) {
    return "<mrow><mo form=\"prefix\" stretchy=\"false\">|</mo>" + inside +
           "<mo form=\"postfix\" stretchy=\"false\">|</mo></mrow>";
  }
  static std::string at(const std::string& time) {
    return "<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">(</mo>" + time +
           "<mo stretchy=\"false\" lspace=\"0\">)</mo>";
  }
  static std::string equals() { return math_operator("="); }

  // Typeset; what is very long as it is written.
  std::string math(const Formula& formula) const {
    if (!formula.tree || count_nodes(formula.tree) > most_nodes) return "<mtext>" + escape(formula.text) + "</mtext>";
    return to_math(formula.tree, s_.names);
  }
  std::string list(const std::vector<Formula>& formulas) const {
    std::string out = "<mo>(</mo>";
    for (std::size_t k = 0; k < formulas.size(); ++k) out += (k > 0 ? "<mo>,</mo>" : "") + math(formulas[k]);
    return out + "<mo>)</mo>";
  }

  void add(const std::string& head, const std::vector<std::string>& lines, const std::string& words = {}) {
    out_ += "<section><h3>" + escape(head) + "</h3>";
    for (const auto& one : lines) out_ += one;
    out_ += (words.empty() ? "" : "<p class=\"note\">" + escape(words) + "</p>") + "</section>\n";
  }

  bool has_laws() const { return !s_.contacts.empty() || !s_.bilaterals.empty() || !s_.resistances.empty(); }

  void motion() {
    const auto d = static_cast<std::size_t>(s_.dimension());
    const auto reaction = [&](std::size_t i) {
      return has_laws() ? math_operator("+") + "<msub><mi>r</mi>" + math_name(s_.names.coordinates[i]) + "</msub>"
                        : std::string();
    };
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < d; ++i) {
      std::string left;
      for (std::size_t j = 0; j < d; ++j) {
        const bool diagonal = s_.mass.size() <= d;
        if (diagonal && i != j) continue;
        const std::string acceleration = math_acceleration(s_.names.coordinates[j]);
        if (s_.mass.empty()) {
          left = acceleration;
          continue;
        }
        const Formula& entry = s_.mass[diagonal ? i : i * d + j];
        if (entry.tree && entry.tree->op == expression::Op::constant && entry.tree->value == 0) continue;
        const bool sum =
            entry.tree && (entry.tree->op == expression::Op::add || entry.tree->op == expression::Op::subtract);
        left += (left.empty() ? "" : math_operator("+")) +
                (sum ? math_row("<mo>(</mo>" + math(entry) + "<mo>)</mo>") : math(entry)) +
                "<mspace width=\"0.17em\"/>" + acceleration;
      }
      const bool still =
          s_.force[i].tree && s_.force[i].tree->op == expression::Op::constant && s_.force[i].tree->value == 0;
      const std::string right = still && has_laws()
                                    ? "<msub><mi>r</mi>" + math_name(s_.names.coordinates[i]) + "</msub>"
                                    : math(s_.force[i]) + reaction(i);
      lines.push_back(line(left + equals() + right));
    }
    const bool curved = [&] {
      for (const Formula& entry : s_.mass)
        if (entry.tree && expression::any_node(entry.tree, [](const expression::Node& n) {
              return n.op == expression::Op::symbol && n.symbol.kind == expression::Symbol::Kind::coordinate;
            }))
          return true;
      return false;
    }();
    std::string words = has_laws() ? "r: what the laws below add." : "";
    if (curved)
      words += std::string(words.empty() ? "" : " ") +
               "The inertia terms that follow from the mass are part of the motion, and not written out.";
    add("Motion", lines, words);
  }

  // In brackets unless it is one name or number.
  std::string coefficient(const Formula& mu) const {
    const bool plain = mu.tree && (mu.tree->op == expression::Op::symbol || mu.tree->op == expression::Op::constant);
    return plain ? math(mu) : "<mrow><mo>(</mo>" + math(mu) + "<mo>)</mo></mrow>";
  }

  void add_contact(const scenario::Contact& contact) {
    std::vector<std::string> lines = {line(math(contact.inside))};
    if (!contact.point.empty()) lines.push_back(line("<mi>p</mi>" + equals() + list(contact.point)));
    if (!contact.slip.empty())
      lines.push_back(line("<msub><mi>u</mi><mi>t</mi></msub>" + equals() + list(contact.slip)));
    if (!contact.belt.empty()) lines.push_back(line("<mi>c</mi>" + equals() + list(contact.belt)));
    const std::string r_n = "<msub><mi>r</mi><mi>n</mi></msub>";
    // (H) a density here, as all that is equated with forces
    const std::string pressed = contact.cohesion ? "<mrow><mo>(</mo>" + r_n + math_operator("+") +
                                                       coefficient(*contact.cohesion) + "<mo>)</mo></mrow>"
                                                 : r_n;
    if (contact.cohesion)
      lines.push_back(
          line(r_n + math_operator("+") + coefficient(*contact.cohesion) + math_operator("≥") + "<mn>0</mn>"));
    if (contact.friction) {
      // |r_t| ≤ μ r_n, with μ = tan α where the angle is given
      const bool angle = contact.friction_law == scenario::FrictionLaw::angle;
      lines.push_back(line(bars("<msub><mi>r</mi><mi>t</mi></msub>") + math_operator("≤") +
                           (angle ? "<mi mathvariant=\"normal\">tan</mi><mspace width=\"0.17em\"/>" : "") +
                           coefficient(*contact.friction) + "<mspace width=\"0.17em\"/>" + pressed));
    }
    if (contact.restitution) lines.push_back(line("<mi>e</mi>" + equals() + math(*contact.restitution)));
    std::string words = contact.friction ? "Dry friction (Coulomb)" : "No friction";
    words += contact.restitution ? ", restitution e" : ", no rebound";
    if (!contact.point.empty()) words += ", at the point p";
    if (!contact.slip.empty()) words += ", along the sliding velocities u";
    if (!contact.belt.empty()) words += "; the wall's material moves with c";
    if (contact.cohesion) words += "; while it touches it holds against pulls";
    if (contact.persistent) words += "; the contact persists until it would pull";
    add("Contact “" + contact.name + "”", lines, words + ".");
  }

  void add_bilateral(const scenario::Bilateral& bilateral) {
    const auto& tree = bilateral.value;
    const bool sides = tree && tree->op == expression::Op::subtract;
    const std::string equation = sides ? to_math(tree->args[0], s_.names) + equals() + to_math(tree->args[1], s_.names)
                                       : (tree ? to_math(tree, s_.names) + equals() + "<mn>0</mn>"
                                               : "<mtext>" + escape(bilateral.equation.text) + "</mtext>");
    std::vector<std::string> lines = {line(equation)};
    if (bilateral.friction) {
      // |r_t| ≤ μ |r_n|
      lines.push_back(line("<msub><mi>u</mi><mi>t</mi></msub>" + equals() + list(bilateral.slip)));
      lines.push_back(line(bars("<msub><mi>r</mi><mi>t</mi></msub>") + math_operator("≤") +
                           coefficient(*bilateral.friction) + "<mspace width=\"0.17em\"/>" +
                           bars("<msub><mi>r</mi><mi>n</mi></msub>")));
    }
    add("Constraint “" + bilateral.name + "”", lines,
        std::string(bilateral.holonomic ? "Holds for the positions" : "Holds for the velocities") +
            (bilateral.friction ? ", with dry friction (Coulomb) along the sliding velocities u." : "."));
  }

  // One term needs no brackets.
  std::string drive(const std::vector<Formula>& parts) const {
    const auto& tree = parts[0].tree;
    const bool plain = tree && (tree->op == expression::Op::symbol || tree->op == expression::Op::constant);
    return parts.size() == 1 && plain ? math(parts[0]) : list(parts);
  }

  void add_resistance(const scenario::Resistance& resistance) {
    std::vector<std::string> lines = {line(
        "<mi>u</mi>" + equals() + (resistance.slip.size() == 1 ? math(resistance.slip[0]) : list(resistance.slip)) +
        (resistance.drive.empty() ? "" : math_operator("−") + drive(resistance.drive)))};
    if (resistance.limit.size() == 1)
      lines.push_back(line(bars("<mi>λ</mi>") + math_operator("≤") + math(resistance.limit[0])));
    else
      lines.push_back(line(math(resistance.limit[0]) + math_operator("≤") + "<mi>λ</mi>" + math_operator("≤") +
                           math(resistance.limit[1])));
    if (resistance.percussions) {
      const auto& p = *resistance.percussions;
      lines.push_back(line("<msub><mi>t</mi><mi>j</mi></msub>" + equals() + math(p.time) +
                           "<mo>,</mo><mspace width=\"1em\"/><msub><mi>a</mi><mi>j</mi></msub>" + equals() +
                           math(p.size) + "<mo>,</mo><mspace width=\"1em\"/><mi>j</mi>" + equals() +
                           "<mn>1</mn><mo>…</mo>" + math(p.count)));
    }
    add("Resistance “" + resistance.name + "”", lines,
        std::string("The force λ against u that dissipates most.") +
            (resistance.percussions ? " Percussions of size a at the times t." : ""));
  }

  void past() {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < s_.start.size(); ++i) {
      const std::string name = math_name(s_.names.coordinates[i]);
      std::string one = name + at("<mi>t</mi>") + equals() + math(s_.start[i].past);
      if (s_.start[i].velocity)
        one += "<mo>,</mo><mspace width=\"1em\"/>" + math_velocity(s_.names.coordinates[i]) +
               at("<msup><mn>0</mn><mo>−</mo></msup>") + equals() + math(*s_.start[i].velocity);
      lines.push_back(line(one));
    }
    add("The past, t ≤ 0", lines);
  }

  void observed() {
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < s_.observables.size() && k < 40; ++k) {
      const auto& observable = s_.observables[k];
      std::string range;
      if (observable.after) range += math(*observable.after) + math_operator("≤");
      if (observable.after || observable.before) range += "<mi>t</mi>";
      if (observable.before) range += math_operator("≤") + math(*observable.before);
      const std::string word = "<mi mathvariant=\"normal\">" + spoken(observable.reducer) + "</mi>";
      const std::string reducer = range.empty() ? word : "<munder>" + word + math_row(range) + "</munder>";
      lines.push_back(line("<mtext>" + escape(observable.name) + "</mtext>" + equals() + reducer +
                           "<mspace width=\"0.3em\"/><mo>[</mo>" + math(observable.formula) + "<mo>]</mo>"));
    }
    if (!lines.empty()) add("Observed", lines);
  }

  static std::string spoken(scenario::Reducer reducer) {
    std::string word(to_name(reducer));
    for (char& c : word) c = c == '_' ? ' ' : c;
    return word;
  }

  const Scenario& s_;
  std::string out_;
};

}  // namespace

std::string html_problem(const Scenario& scenario) { return Equations(scenario).to_html(); }

}  // namespace conesweep::report
