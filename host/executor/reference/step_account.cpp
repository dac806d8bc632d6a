#include "executor/reference/step_account.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace conesweep::executor::reference {
namespace {

double length_of(const coupled::Vector& change, const coupled::Matrix& mass) {
  return mass.size() == 0 ? change.norm() : std::sqrt(std::max(0.0, change.dot(mass * change)));
}

}  // namespace

void StepAccount::add(const Solved& solved) {
  close_stretch();
  steady_ = solved.v - v_;
  steady_mass_ = solved.mass;
  if (w_.size() == 0) w_ = solved.w;
  guides_ = solved.guides;
  resistances_ = solved.resistances;
  // a contact sticks where it does so in the last stretch
  for (ContactPart& part : contacts_) part.record.mode = Mode::slip;
  add_sums(solved);
  add_contacts(solved, std::numeric_limits<double>::quiet_NaN());
}

// (O7) Falling and being caught is one change, an impact is one of its own.
void StepAccount::add_arrival(const Solved& solved, double time) {
  const coupled::Vector change = solved.v - v_;
  if (std::any_of(solved.contacts.begin(), solved.contacts.end(),
                  [](const ContactPart& part) { return part.acts && part.fast; }))
    balance_.variation += length_of(change, solved.mass);
  else
    steady_ += change;
  add_sums(solved);
  add_contacts(solved, time);
}

void StepAccount::add_sums(const Solved& solved) {
  v_ = solved.v;
  hyperstatic_ = hyperstatic_ || solved.hyperstatic;
  joint_.passes += solved.joint.passes;
  joint_.pivots += solved.joint.pivots;
  joint_.residual = std::max(joint_.residual, solved.joint.residual);
  certificates_.exact = std::min(certificates_.exact, solved.certificates.exact);
  certificates_.paper = std::min(certificates_.paper, solved.certificates.paper);
  normal_impulse_.resize(solved.normal_impulse.size(), 0);
  for (std::size_t law = 0; law < normal_impulse_.size(); ++law) normal_impulse_[law] += solved.normal_impulse[law];

  balance_.work += solved.balance.work;
  balance_.dissipated += solved.balance.dissipated;
  balance_.drive_work += solved.balance.drive_work;
  balance_.gained += solved.balance.gained;
  balance_.painleve = std::min(balance_.painleve, solved.balance.painleve);
}

void StepAccount::add_contacts(const Solved& solved, double arrival) {
  for (const ContactPart& part : solved.contacts) {
    const auto at =
        std::lower_bound(contacts_.begin(), contacts_.end(), part.record.contact,
                         [](const ContactPart& some, int contact) { return some.record.contact < contact; });
    if (part.opens) opened_.push_back(part.record);
    const bool known = at != contacts_.end() && at->record.contact == part.record.contact;
    if (!known && part.acts) {
      contacts_.insert(at, part)->record.arrival = arrival;
    } else if (known) {
      if (!part.opens) at->record.r_n += part.record.r_n;
      at->record.pressed += part.record.pressed;
      at->record.v_n = part.record.v_n;
      at->record.slip = part.record.slip;
      if (part.acts) at->record.mode = part.record.mode;
    }
  }
}

void StepAccount::close_stretch() {
  if (steady_.size() > 0) balance_.variation += length_of(steady_, steady_mass_);
  steady_.resize(0);
}

void StepAccount::tell(NodeRecord& node) {
  close_stretch();
  node.w = w_;
  node.v = v_;
  node.guides = guides_;
  node.resistances = resistances_;
  node.joint = joint_;
  node.balance = balance_;
  node.certificates = certificates_;
  node.balance.gained = std::max(0.0, balance_.gained);
  for (const ContactPart& part : contacts_) {
    node.contacts.push_back(part.record);
    ContactRecord& record = node.contacts.back();
    record.onset = !active_before_[static_cast<std::size_t>(record.contact)];
    record.impact = record.onset && part.fast;
  }
  node.opened = opened_;
  node.mode = mode(node);
}

// (O5) over the contacts; in a model without contacts over its guides and resistances
Mode StepAccount::mode(const NodeRecord& node) const {
  const auto sum_up = [](bool stick) { return stick ? Mode::stick : Mode::slip; };
  if (!node.contacts.empty())
    return sum_up(std::all_of(node.contacts.begin(), node.contacts.end(),
                              [](const ContactRecord& record) { return record.mode == Mode::stick; }));
  if (!scenario_.contacts.empty() || (guides_.empty() && resistances_.empty())) return Mode::flight;
  const auto all_stick = [](const std::vector<Mode>& modes) {
    return std::all_of(modes.begin(), modes.end(), [](Mode mode) { return mode == Mode::stick; });
  };
  return sum_up(all_stick(guides_) && all_stick(resistances_));
}

}  // namespace conesweep::executor::reference
