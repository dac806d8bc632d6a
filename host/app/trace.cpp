#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "app/options.hpp"
#include "app/terminal.hpp"
#include "executor/reference/member.hpp"
#include "sampling/sampler.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/visible.hpp"

namespace conesweep::app {
namespace {

using executor::reference::NodeExpressions;
using executor::reference::NodeRecord;

// A CSV cell: quoted where it holds a comma, a quote or a line end.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return visible(text);
  std::string out = "\"";
  for (const char c : visible(text)) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// A comment stays one line, whatever is in a title.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return visible(text);
}

// One line a node, as CSV with a commented head: readable by people, gnuplot, NumPy and pandas.
class TraceTable {
 public:
  TraceTable(std::ostream& out, const scenario::Scenario& scenario) : out_(out), scenario_(scenario) {}

  void head(std::int64_t member, const std::vector<double>& parameters) {
    out_ << "# " << one_line(scenario_.title) << ", member " << member << "\n#";
    for (std::size_t k = 0; k < parameters.size(); ++k) out_ << (k > 0 ? ", " : " ") << scenario_.names.parameters[k] << " = " << format_number(parameters[k]);
    out_ << "\n# mode: 0 flight, 1 slip, 2 stick; event: impact, or touch (an onset without impact); w_n, v_n: normal velocity before and after;\n"
            "# r_n: normal impulse; slip: tangential speed after; mu: friction coefficient; gap_…: g of each contact (<= 0 inside)\nstep,t";
    for (const auto& name : scenario_.names.coordinates) out_ << "," << name;
    for (const auto& name : scenario_.names.coordinates) out_ << ",v" << name;
    out_ << ",mode,contact,event,w_n,v_n,r_n,slip,mu";
    for (const auto& contact : scenario_.contacts) out_ << "," << cell("gap_" + contact.name);
    out_ << "\n";
  }

  void row(const NodeRecord& node, const NodeExpressions& expressions) {
    out_ << node.i << "," << format_number(node.t);
    for (const double x : node.q) out_ << "," << format_number(x);
    for (const double x : node.v) out_ << "," << format_number(x);
    out_ << "," << static_cast<int>(node.mode);
    if (node.contact) {
      const auto& contact = *node.contact;
      out_ << "," << cell(scenario_.contacts[static_cast<std::size_t>(contact.contact)].name) << ","
           << (contact.impact  ? "impact"
               : contact.onset ? "touch"
                               : "")
           << "," << format_number(contact.impulse.w_n) << "," << format_number(contact.impulse.v_n) << "," << format_number(contact.impulse.r_n) << ","
           << format_number(contact.impulse.slip_after) << "," << format_number(contact.mu);
    } else {
      out_ << ",,,,,,,";
    }
    for (const auto& contact : scenario_.contacts) out_ << "," << format_number(expressions.value(contact.g));
    out_ << "\n";
  }

 private:
  std::ostream& out_;
  const scenario::Scenario& scenario_;
};

}  // namespace

int trace(const Options& options) {
  const auto [source, scenario] = load(options);
  if (options.member < 0 || options.member >= scenario.ensemble.members)
    throw InputError("--member: " + std::to_string(options.member) + " is not a member; they are numbered from 0 to " +
                     std::to_string(scenario.ensemble.members - 1));
  if (options.every < 1) throw InputError("--every: must be at least 1");

  std::vector<double> varied;
  for (const auto& column : sampling::draw(scenario, options.member, 1)) varied.push_back(column.front());
  const std::vector<double> parameters = member_parameters(scenario, varied);

  std::ofstream file;
  if (!options.out.empty()) {
    if (std::filesystem::exists(options.out) && !options.force) throw InputError(options.out + " exists; replace it with --force, or choose another file");
    errno = 0;
    file.open(options.out);
    if (!file) throw SystemError("cannot write " + options.out + ": " + std::generic_category().message(errno));
  }
  std::ostream& out = options.out.empty() ? std::cout : file;
  TraceTable table(out, scenario);
  table.head(options.member, parameters);
  const std::atomic<bool>& stop = watch_interrupts();
  const auto show = [&](const NodeRecord& node, const NodeExpressions& expressions) {
    if (node.i % options.every == 0 || node.last || (node.contact && node.contact->impact)) table.row(node, expressions);
  };
  executor::reference::MemberEnd end;
  try {
    end = executor::reference::run_member(scenario, parameters, show, &stop);
  } catch (const Interrupted&) {
    // a file that is not whole is none
    std::error_code ignored;
    if (file.is_open()) std::filesystem::remove(options.out, ignored);
    throw;
  }
  if (end.status != executor::Status::ok)
    out << "# stopped at t = " << format_number(end.time) << ": " << to_name(end.status) << ": " << advice(end.status, end.time) << "\n";
  out.flush();
  if (!out) throw SystemError("cannot write " + (options.out.empty() ? std::string("to standard output") : options.out));
  return end.status == executor::Status::ok ? fine : some_stopped;
}

}  // namespace conesweep::app
