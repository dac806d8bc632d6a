#include "executor/reference/observers.hpp"

#include <algorithm>
#include <cmath>

#include "support/error.hpp"
#include "support/special_numbers.hpp"

namespace conesweep::executor::reference {
namespace {

using scenario::Standard;

}  // namespace

Observers::Observers(const scenario::Scenario& scenario, const std::vector<double>& parameters)
    : scenario_(scenario), h_(scenario.h()), first_contact_(nan), impulse_of_contact_(scenario.contacts.size(), 0) {
  for (const auto& observable : scenario.observables) reductions_.emplace_back(scenario, observable, parameters);
}

void Observers::see(const NodeRecord& node, const NodeExpressions& expressions) {
  for (Reduction& reduction : reductions_) reduction.see(node, expressions);
  if (node.between) return;
  penetration_ = std::max(penetration_, node.penetration);
  if (node.last)
    last_ = node;
  else
    see_step(node);
}

void Observers::see_step(const NodeRecord& node) {
  balance_.variation += node.balance.variation;
  balance_.work += node.balance.work;
  balance_.dissipated += node.balance.dissipated;
  balance_.drive_work += node.balance.drive_work;
  balance_.gained += node.balance.gained;
  balance_.painleve = std::min(balance_.painleve, node.balance.painleve);
  certificates_.exact = std::min(certificates_.exact, node.certificates.exact);
  certificates_.paper = std::min(certificates_.paper, node.certificates.paper);
  lost_ = node.lost;
  for (const ContactRecord& contact : node.opened) add_impulse(contact);
  if (scenario_.order == 2) return see_pieces(node);
  if (node.mode == Mode::flight) {
    // before the first contact all is flight; later the next onset tells
    ++(touched_ ? gap_ : flight_);
    return;
  }
  bool impact = false;
  for (const ContactRecord& contact : node.contacts) {
    if (!touched_) first_contact_ = node.t;
    touched_ = true;
    impact = impact || contact.impact;
    if (contact.impact) ++impacts_;
    add_impulse(contact);
  }

  // (O5) a gap that ends without an impact was slip along the surface
  (impact ? flight_ : slip_) += gap_;
  gap_ = 0;
  ++(node.mode == Mode::stick ? stick_ : slip_);
}

// (A14)
void Observers::see_pieces(const NodeRecord& node) {
  for (const ContactRecord& contact : node.contacts) add_impulse(contact);
  impacts_ += node.pieces.impacts;
  stuck_for_ += node.pieces.stick;
  slipped_for_ += node.pieces.slip;
  if (!(first_contact_ <= node.pieces.first) && std::isfinite(node.pieces.first)) first_contact_ = node.pieces.first;
}

void Observers::add_impulse(const ContactRecord& contact) {
  impulse_ += contact.r_n;
  impulse_of_contact_[static_cast<std::size_t>(contact.contact)] += contact.r_n;
}

double Observers::standard_value(Standard standard) const {
  switch (standard) {
    case Standard::impacts: return static_cast<double>(impacts_);
    case Standard::first_contact: return first_contact_;
    case Standard::stick_time: return h_ * static_cast<double>(stick_) + stuck_for_;
    case Standard::slip_time: return h_ * static_cast<double>(slip_) + slipped_for_;
    case Standard::flight_time:
      return scenario_.order == 2 ? last_.t - stuck_for_ - slipped_for_ : h_ * static_cast<double>(flight_ + gap_);
    case Standard::dissipated: return balance_.dissipated;
    case Standard::impulse: return impulse_;
    case Standard::variation: return balance_.variation;
    case Standard::penetration: return penetration_;
    case Standard::work: return balance_.work;
    case Standard::drive_work: return balance_.drive_work;
    case Standard::gained: return balance_.gained;
    case Standard::painleve: return std::isinf(balance_.painleve) && balance_.painleve > 0 ? nan : balance_.painleve;
    case Standard::lost: return first_loss();
    case Standard::certificate: return certificates_.exact;
    case Standard::certificate_paper: return certificates_.paper;
  }
  throw InternalError("every standard quantity is known", __FILE__, __LINE__);
}

double Observers::first_loss() const {
  double first = nan;
  for (const double time : lost_)
    if (!(time >= first)) first = std::isnan(time) ? first : time;
  return first;
}

std::vector<double> Observers::values() const {
  std::vector<double> all;
  for (const Reduction& reduction : reductions_) all.push_back(reduction.value());
  for (const Standard standard : scenario_.standard) all.push_back(standard_value(standard));
  for (const scenario::LawQuantity& quantity : scenario_.of_laws)
    all.push_back((quantity.kind == scenario::LawQuantity::Kind::impulse
                       ? impulse_of_contact_
                       : lost_)[static_cast<std::size_t>(quantity.law)]);
  if (scenario_.stop) all.push_back(last_.t);
  const std::vector<double> state = last_.state();
  all.insert(all.end(), state.begin(), state.end());
  return all;
}

}  // namespace conesweep::executor::reference
