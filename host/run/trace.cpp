#include "run/trace.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sampling/sampler.hpp"
#include "support/csv.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::runs {
namespace {

using executor::reference::ContactRecord;
using executor::reference::NodeExpressions;
using executor::reference::NodeRecord;

constexpr std::size_t piece_bytes = 1 << 16;  // of rows that are handed over at once

std::string cell(const std::string& text) { return csv_cell(visible(text)); }

// A comment stays one line, whatever is in a title.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return visible(text);
}

// One line a node, as CSV with a commented head: readable by people, gnuplot, NumPy and pandas. With one contact its
// columns have plain names and say which it is; of several each has its own.
class TraceTable {
 public:
  TraceTable(std::ostream& out, const scenario::Scenario& scenario)
      : out_(out),
        scenario_(scenario),
        several_(scenario.contacts.size() > 1),
        joint_(several_ || is_coupled(scenario)),
        located_(scenario.impacts == scenario::Impacts::located) {}

  void head(std::int64_t member, const std::vector<double>& parameters) {
    out_ << "# " << one_line(scenario_.title) << ", member " << member << "\n#";
    for (std::size_t k = 0; k < parameters.size(); ++k)
      out_ << (k > 0 ? ", " : " ") << scenario_.names.parameters[k] << " = " << format_number(parameters[k]);
    out_ << "\n# a row is a node: where the member is at t, and the velocity with which it leaves, after the contacts "
            "of the step that begins there;\n"
            "# the last row, where no step begins, has the velocity of the step before it"
            "\n# mode: 0 flight, 1 slip, 2 stick; event: impact, or touch (an onset without impact); w_n, v_n: normal "
            "velocity before and after;\n"
            "# r_n: normal impulse; slip: tangential speed after; mu: friction coefficient; g_…: g of each contact (<= "
            "0 inside)\n";
    if (scenario_.order == 2)
      out_ << "# rows between two nodes, of the same step, are where a piece of it ended: before and after;\n"
              "# r_n is that of the whole step, and there is no one w_n, v_n, slip and mu of it\n";
    if (located_) out_ << "# at: when a wall was met on the way to the next node; v… and v_n are those after it\n";
    if (joint_)
      out_ << "# residual: by how much the laws that were solved together are missed, of the largest velocity; passes: "
              "how often, as limits depend on "
              "impulses;\n# pivots: how many the reference took, by Lemke's method\n";
    out_ << "step,t";
    for (const auto& name : state_names(scenario_)) out_ << "," << name;
    out_ << ",mode";
    if (!several_) out_ << ",contact,event,w_n,v_n,r_n,slip,mu" << (located_ ? ",at" : "");
    for (const auto& contact : scenario_.contacts) {
      if (!several_) break;
      for (const char* what : {"mode_", "event_", "w_n_", "v_n_", "r_n_", "slip_", "mu_"})
        out_ << "," << cell(what + contact.name);
      if (located_) out_ << "," << cell("at_" + contact.name);
    }
    for (const auto& bilateral : scenario_.bilaterals)
      if (bilateral.is_guide()) out_ << "," << cell("mode_" + bilateral.name);
    for (const auto& resistance : scenario_.resistances) out_ << "," << cell("mode_" + resistance.name);
    if (joint_) out_ << ",residual,passes,pivots";
    for (const auto& contact : scenario_.contacts) out_ << "," << cell("g_" + contact.name);
    out_ << "\n";
  }

  void row(const NodeRecord& node, const NodeExpressions& expressions) {
    out_ << node.i << "," << format_number(node.t);
    for (const double x : node.state()) out_ << "," << format_number(x);
    out_ << "," << static_cast<int>(node.mode);
    if (several_)
      each_contact(node);
    else
      one_contact(node);
    joint_laws(node);
    for (const auto& contact : scenario_.contacts) out_ << "," << format_number(expressions.value(contact.g));
    out_ << "\n";
  }

 private:
  void one_contact(const NodeRecord& node) {
    if (node.contacts.empty()) {
      out_ << ",,,,,,," << (located_ ? "," : "");
      return;
    }
    const ContactRecord& contact = node.contacts.front();
    out_ << "," << cell(scenario_.contacts[static_cast<std::size_t>(contact.contact)].name);
    what_it_did(contact);
  }

  // a contact that is not active has mode 0 and nothing else; at the last node no step begins
  void each_contact(const NodeRecord& node) {
    for (std::size_t p = 0; p < scenario_.contacts.size(); ++p) {
      const auto at = std::find_if(node.contacts.begin(), node.contacts.end(),
                                   [&](const ContactRecord& some) { return some.contact == static_cast<int>(p); });
      if (at == node.contacts.end()) {
        out_ << (node.last ? "," : ",0") << ",,,,,," << (located_ ? "," : "");
      } else {
        out_ << "," << static_cast<int>(at->mode);
        what_it_did(*at);
      }
    }
  }

  void what_it_did(const ContactRecord& contact) {
    out_ << "," << (contact.impact ? "impact" : contact.onset ? "touch" : "");
    for (const double x : {contact.w_n, contact.v_n, contact.r_n, contact.slip, contact.mu})
      out_ << "," << (std::isnan(x) ? std::string() : format_number(x));
    if (located_) out_ << "," << (std::isnan(contact.arrival) ? std::string() : format_number(contact.arrival));
  }

  void joint_laws(const NodeRecord& node) {
    const auto modes = [&](std::size_t count, const std::vector<executor::Mode>& of) {
      for (std::size_t k = 0; k < count; ++k)
        out_ << "," << (k < of.size() ? std::to_string(static_cast<int>(of[k])) : std::string());
    };
    const auto& bilaterals = scenario_.bilaterals;
    modes(static_cast<std::size_t>(
              std::count_if(bilaterals.begin(), bilaterals.end(), [](const auto& b) { return b.is_guide(); })),
          node.guides);
    modes(scenario_.resistances.size(), node.resistances);
    if (!joint_) return;
    if (node.joint.passes > 0)
      out_ << "," << format_short(node.joint.residual, 3) << "," << node.joint.passes << "," << node.joint.pivots;
    else
      out_ << ",,,";
  }

  std::ostream& out_;
  const scenario::Scenario& scenario_;
  bool several_;  // contacts
  bool joint_;    // laws may be solved together
  bool located_;  // impacts are found between nodes (I)
};

}  // namespace

void check_trace(const scenario::Scenario& scenario, const TraceRequest& request) {
  if (request.member < 0 || request.member >= scenario.ensemble.members)
    throw InputError(about(setting::member) + std::to_string(request.member) +
                     " is not a member; they are numbered from 0 to " + std::to_string(scenario.ensemble.members - 1));
  if (request.every < 1) throw InputError(about(setting::every) + "must be at least 1");
}

executor::reference::MemberEnd trace_member(const scenario::Scenario& scenario, const TraceRequest& request,
                                            const std::atomic<bool>* stop, const Sink& rows) {
  check_trace(scenario, request);
  std::vector<double> varied;
  for (const auto& column : sampling::draw(scenario, request.member, 1)) varied.push_back(column.front());
  const std::vector<double> parameters = member_parameters(scenario, varied);

  std::ostringstream out;  // on their way
  const auto hand_over = [&](std::size_t most) {
    if (out.view().size() < most) return;
    rows(out.view());
    out.str({});
  };
  TraceTable table(out, scenario);
  table.head(request.member, parameters);
  const auto show = [&](const NodeRecord& node, const NodeExpressions& expressions) {
    const bool impact =
        std::any_of(node.contacts.begin(), node.contacts.end(), [](const auto& contact) { return contact.impact; });
    if (node.i % request.every == 0 || node.last || impact) table.row(node, expressions);
    hand_over(piece_bytes);
  };
  const auto end = executor::reference::run_member(scenario, parameters, show, stop);
  if (end.status != executor::Status::ok)
    out << "# stopped at t = " << format_number(end.time) << ": " << to_name(end.status)
        << (end.status == executor::Status::not_converged ? " (residual " + format_short(end.residual, 3) + ")" : "")
        << ": " << advice(end.status, end.time) << "\n";
  hand_over(0);
  return end;
}

}  // namespace conesweep::runs
