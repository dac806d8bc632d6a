#include "executor/reference/coupled_stretch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "executor/reference/certificate.hpp"
#include "executor/reference/contact_law.hpp"
#include "executor/reference/meeting_laws.hpp"
#include "executor/reference/stop.hpp"
#include "executor/reference/velocity_judge.hpp"
#include "support/error.hpp"

namespace conesweep::executor::reference {
namespace {

using coupled::Block;
using coupled::Index;
using coupled::Matrix;
using scenario::ContactKind;
using scenario::FrictionLaw;

constexpr double rest = 1e-12;   // of what velocities are sums of: slower is at rest
constexpr Index most_space = 3;  // coordinates of a particle whose friction is solved together with other laws

Status status_of(coupled::Verdict verdict) {
  switch (verdict) {
    case coupled::Verdict::solved: return Status::ok;
    case coupled::Verdict::bad_mass: return Status::bad_mass;
    case coupled::Verdict::dependent_constraints: return Status::dependent_constraints;
    case coupled::Verdict::bad_limit: return Status::bad_limit;
    case coupled::Verdict::not_converged: return Status::not_converged;
  }
  throw InternalError("every verdict is a status", __FILE__, __LINE__);
}

/// One stretch on its way from formulas to impulses.
class StretchSolver {
 public:
  StretchSolver(const scenario::Scenario& scenario, const std::vector<double>& parameters, Present& present,
                const Beginning& beginning)
      : scenario_(scenario),
        present_(present),
        given_(beginning),
        laws_(scenario, {parameters, beginning.q, beginning.stretch.begin}, beginning.stretch) {}

  Solved solve() {
    set_up();
    find_answer();
    if (answer_.verdict != coupled::Verdict::solved) throw Stop{status_of(answer_.verdict), answer_.residual};
    tell();
    return solved_;
  }

  StepJudgement judge(const Vector& v, double accepted) {
    set_up();
    find_answer();
    if (answer_.verdict != coupled::Verdict::solved && answer_.verdict != coupled::Verdict::not_converged)
      throw Stop{status_of(answer_.verdict)};
    const coupled::Vector claimed = v;
    coupled::VelocityJudgement found =
        coupled::judge_velocity({step_, answer_.blocks, contacts_act_, claimed, accepted});
    StepJudgement judgement;
    judgement.mass = step_.mass;
    judgement.speed = largest_of({claimed, answer_.v, step_.w, step_.v_before});
    // what the reference found obeys the laws, also where they cannot be read off the end velocity alone
    const bool solved = answer_.verdict == coupled::Verdict::solved;
    const double apart =
        solved ? difference(claimed, answer_.v, judgement.speed) : std::numeric_limits<double>::infinity();
    // (B4) limits made of normal impulses are those of the pass before, which nobody knows where impulses are open
    if (!(std::min(found.residual, apart) <= accepted) && (!found.unique_impulses || answer_.hyperstatic)) {
      const std::vector<bool> any_limit = find_limits_by_normals();
      if (std::find(any_limit.begin(), any_limit.end(), true) != any_limit.end())
        found = coupled::judge_velocity({step_, answer_.blocks, contacts_act_, claimed, accepted, any_limit});
    }
    judgement.residual = std::min(found.residual, apart);
    judgement.several = !found.unique_impulses || !(apart <= accepted);
    judgement.verdict = judgement.residual <= accepted ? Judged::right : Judged::wrong;
    // a contact that persists presses, so it obeys Signorini's law too; who opens one has lost it, which only the
    // reference's own answer could tell
    for (std::size_t k = 0; k < persists_.size(); ++k) {
      const bool opens = persists_[k] && step_.blocks[k].rows.row(0).dot(claimed) - step_.blocks[k].drive[0] >
                                             accepted * judgement.speed;
      if (opens && !(apart <= accepted)) judgement.verdict = Judged::not_persistent;
    }
    judgement.lost = lost();
    if (judgement.verdict == Judged::wrong && found.maybe_two_parts) judgement.verdict = Judged::not_second_part;
    return judgement;
  }

 private:
  void find_answer() {
    coupled::IslandsAnswer found =
        coupled::solve_islands(step_, given_.meeting->find_islands(given_.touching), given_.persists,
                               given_.size != nullptr || given_.stretch.begin == 0);
    persists_ = std::move(found.persists);
    contacts_act_ = std::move(found.contacts_act);
    speed_ = std::move(found.speed);
    answer_ = std::move(found.answer);
  }

  std::vector<std::size_t> lost() const {
    std::vector<std::size_t> lost;
    for (std::size_t k = 0; k < persists_.size(); ++k)
      if (given_.persists[k] && !persists_[k]) lost.push_back(given_.touching[k]);
    return lost;
  }

  void set_up() {
    require_room();
    present_.set_slips(laws_, given_.v);
    set_velocities();
    require_finite(step_.w);
    add_firm_rows();
    add_contacts();
    add_guides();
    add_resistances();
  }

  std::size_t first_resistance() const { return given_.touching.size() + guides_.size(); }

  // Of each block: a resistance whose set is another one where some contact, firm row or guide presses more.
  std::vector<bool> find_limits_by_normals() const {
    std::vector<bool> found(step_.blocks.size(), false);
    if (!step_.limits) return found;
    const coupled::Vector firm = coupled::Vector::Zero(step_.firm_drive.size()),
                          normals = coupled::Vector::Zero(static_cast<Index>(step_.blocks.size()));
    const auto sets_with = [&](const coupled::Vector& of_firm, const coupled::Vector& of_blocks) {
      std::vector<Block> blocks = answer_.blocks;
      for (std::size_t k = first_resistance(); k < blocks.size(); ++k) step_.limits(of_firm, of_blocks, k, blocks[k]);
      return blocks;
    };
    const std::vector<Block> unpressed = sets_with(firm, normals);
    const auto compare = [&](const std::vector<Block>& blocks) {
      for (std::size_t k = first_resistance(); k < blocks.size(); ++k)
        found[k] = found[k] || blocks[k].low != unpressed[k].low || blocks[k].high != unpressed[k].high;
    };
    for (Index n = 0; n < normals.size(); ++n) compare(sets_with(firm, coupled::Vector::Unit(normals.size(), n)));
    for (Index n = 0; n < firm.size(); ++n) compare(sets_with(coupled::Vector::Unit(firm.size(), n), normals));
    return found;
  }

  void require_room() const {
    if (given_.meeting->are_too_many(given_.touching)) throw Stop{Status::several_contacts};
    for (const std::size_t p : given_.touching) {
      const scenario::Contact& contact = scenario_.contacts[p];
      const bool rubs = contact.friction_law != FrictionLaw::none;
      if (rubs && kind_of(scenario_, contact) == ContactKind::particle && given_.q.size() > most_space)
        throw Stop{Status::several_contacts};
    }
  }

  static void require_finite(const coupled::Vector& x) {
    if (!x.allFinite()) throw Stop{Status::non_finite};
  }
  static void require_finite(const Rows& rows) {
    if (!rows.a.allFinite() || !rows.c.allFinite()) throw Stop{Status::non_finite};
  }

  // (B1)
  void set_velocities() {
    step_.v_before = given_.v;
    step_.w = given_.v;
    const Inertia inertia = laws_.inertia(given_.v);
    step_.mass = inertia.mass;
    turning_ = inertia.turning;
    const double h = given_.stretch.h;
    step_.push = scenario_.h() * (present_.force() - inertia.turning);  // also where none acts, at an atom
    if (scenario_.mass.empty()) {
      step_.w += h * given_.f;
    } else {
      const coupled::Cholesky mass(inertia.mass);
      if (!mass.succeeded()) throw Stop{Status::bad_mass};
      step_.w += h * mass.solve(given_.f - inertia.turning);
    }
  }

  void add_firm_rows() {
    const Rows firm = laws_.firm();
    require_finite(firm);
    for (std::size_t b = 0; b < scenario_.bilaterals.size(); ++b)
      (scenario_.bilaterals[b].is_guide() ? guides_ : firm_).push_back(b);
    std::vector<Index> rows;
    for (const std::size_t b : firm_) rows.push_back(static_cast<Index>(b));
    step_.firm_rows = firm.a(rows, Eigen::all);
    step_.firm_drive = firm.c(rows);
  }

  // (G)
  void add_guides() {
    for (const std::size_t b : guides_) {
      const Rows rows = laws_.guide(b);
      require_finite(rows);
      Block block{coupled::Law::guide, rows.a, rows.c};
      block.mu = friction_of(scenario_.bilaterals[b], present_);
      step_.blocks.push_back(block);
    }
  }

  void add_contacts() {
    step_.restitution = scenario_.restitution_law == scenario::RestitutionLaw::moreau ? coupled::Restitution::moreau
                                                                                      : coupled::Restitution::newton;
    for (const std::size_t p : given_.touching) {
      contact_rows_.push_back(laws_.contact(p));
      require_finite(contact_rows_.back());
    }
    // where all of them have a place, how they rub and rebound
    for (std::size_t k = 0; k < given_.touching.size(); ++k) {
      const scenario::Contact& contact = scenario_.contacts[given_.touching[k]];
      const Rows& rows = contact_rows_[k];
      const Index used = contact.friction_law == FrictionLaw::none ? 1 : rows.a.rows();
      Block block{coupled::Law::contact, rows.a.topRows(used), rows.c.head(used)};
      block.mu = friction_of(contact, present_);
      block.e = restitution_of(contact, present_);
      enter_own_law(contact, present_, given_.stretch, block);
      const double change = given_.push != nullptr ? rows.a.row(0).dot(*given_.push) : 0;
      if (stays(given_, given_.touching[k], rows.velocities(given_.v)[0], change)) block.e = 0;
      step_.blocks.push_back(block);
    }
  }

  void add_resistances() {
    for (std::size_t r = 0; r < scenario_.resistances.size(); ++r) {
      const Rows rows = laws_.resistance(r);
      require_finite(rows);
      step_.blocks.push_back({rows.a.rows() == 1 ? coupled::Law::interval : coupled::Law::ball, rows.a, rows.c});
    }
    if (scenario_.resistances.empty()) return;
    // a persistent contact that pulls is asked for, too; it has no set
    step_.limits = [this](const coupled::Vector& firm, const coupled::Vector& normals, std::size_t k, Block& block) {
      if (k >= first_resistance()) set_limit(k - first_resistance(), firm, normals, block);
    };
  }

  // Λ: the limit times the length of the stretch, or the size of the percussion
  void set_limit(std::size_t r, const coupled::Vector& firm, const coupled::Vector& normals, Block& block) {
    const scenario::Resistance& resistance = scenario_.resistances[r];
    const double measure = given_.size == nullptr ? given_.stretch.h : (*given_.size)[r];
    block.low = block.high = 0;
    if (measure == 0) return;

    // normal(…) is an impulse over the same measure
    std::vector<double>& normal = present_.laws.normal;
    std::fill(normal.begin(), normal.end(), 0);
    for (std::size_t k = 0; k < given_.touching.size(); ++k)
      normal[given_.touching[k]] = normals[static_cast<Index>(k)] / measure;
    for (std::size_t n = 0; n < firm_.size(); ++n) normal[law_of(firm_[n])] = firm[static_cast<Index>(n)] / measure;
    for (std::size_t n = 0; n < guides_.size(); ++n)
      normal[law_of(guides_[n])] = normals[static_cast<Index>(given_.touching.size() + n)] / measure;

    const bool own = given_.size != nullptr && resistance.percussions && resistance.percussions->limit;
    if (own || resistance.limit.size() == 1) {
      block.high = measure * present_.value(own ? resistance.percussions->limit->tree : resistance.limit[0].tree);
      block.low = -block.high;
    } else {
      block.low = measure * present_.value(resistance.limit[0].tree);
      block.high = measure * present_.value(resistance.limit[1].tree);
    }
  }

  // what the answer means to those who observe
  void tell() {
    solved_.w = step_.w;
    solved_.v = answer_.v;
    solved_.mass = step_.mass;
    solved_.hyperstatic = answer_.hyperstatic;
    solved_.joint = {answer_.passes, answer_.residual, answer_.pivots};
    solved_.lost = lost();
    if (given_.size == nullptr) tell_certificates();
    solved_.normal_impulse.assign(present_.laws.normal.size(), 0);
    const std::size_t contacts = given_.touching.size();
    for (std::size_t k = 0; k < contacts; ++k) tell_contact(k);
    for (std::size_t k = contacts; k < step_.blocks.size(); ++k)
      (k < first_resistance() ? solved_.guides : solved_.resistances).push_back(answer_.mode[k]);
    for (std::size_t n = 0; n < firm_.size(); ++n)
      solved_.normal_impulse[law_of(firm_[n])] = answer_.firm_normal[static_cast<Index>(n)];
    for (std::size_t n = 0; n < guides_.size(); ++n)
      solved_.normal_impulse[law_of(guides_[n])] = answer_.impulse[contacts + n][0];
    tell_balance();
  }

  void tell_contact(std::size_t k) {
    const std::size_t p = given_.touching[k];
    const auto at = static_cast<Index>(k);
    const double arrival = answer_.u_before[k][0];
    ContactPart part;
    part.record.pressed = step_.blocks[k].pressed(answer_.impulse[k]);
    part.acts = part.record.pressed > 0;
    part.opens = !part.acts && step_.blocks[k].preload > 0;
    part.fast = is_fast(arrival, given_.push != nullptr ? contact_rows_[k].a.row(0).dot(*given_.push)
                                                        : answer_.u_without_contacts[at] - arrival);
    part.record.contact = static_cast<int>(p);
    part.record.mu = step_.blocks[k].mu;
    part.record.w_n = answer_.u_without_contacts[at];
    part.record.v_n = answer_.u[k][0];
    part.record.r_n = answer_.impulse[k][0];
    part.record.slip = speed_along(contact_rows_[k], solved_.v);
    // (B8) without friction a contact sticks where it rests
    if (part.record.mu > 0 && step_.blocks[k].rows.rows() > 1)
      part.record.mode = answer_.mode[k];
    else
      part.record.mode = rests(k) ? Mode::stick : Mode::slip;
    solved_.normal_impulse[p] = part.record.r_n;
    if (part.acts) solved_.balance.painleve = std::min(solved_.balance.painleve, answer_.painleve[at]);
    solved_.contacts.push_back(part);
  }

  // Is the sliding velocity of a contact rounding? Along rows of velocities as large as its island's, in units of what
  // a unit impulse makes of them; where only the normal row is known, what of v lies along the wall, in the kinetic
  // metric, of velocities as large as the step's.
  bool rests(std::size_t k) const {
    const Rows& contact = contact_rows_[k];
    const coupled::Cholesky mass(step_.mass);
    const Index tangents = contact.a.rows() - 1;
    if (tangents > 0) {
      const Matrix whitened = mass.whiten(contact.a.bottomRows(tangents).transpose());
      return speed_along(contact, solved_.v) <= rest * speed_[k] * whitened.colwise().norm().maxCoeff();
    }
    const coupled::Vector normal = contact.a.row(0);
    const double along = mass.weigh(solved_.v - normal.dot(solved_.v) / normal.squaredNorm() * normal).norm();
    return along <= rest * std::max(coupled::speed_of(step_), answer_.speed);
  }

  // (T2), where someone asks for it and all persist that can
  void tell_certificates() {
    const auto is_asked = [&](scenario::Standard quantity) {
      return std::find(scenario_.standard.begin(), scenario_.standard.end(), quantity) != scenario_.standard.end();
    };
    const auto held = static_cast<std::size_t>(std::count(given_.persists.begin(), given_.persists.end(), true));
    if (!is_asked(scenario::Standard::certificate) && !is_asked(scenario::Standard::certificate_paper)) return;
    if (held == 0 || held < count_persistent(scenario_)) return;
    const auto count = static_cast<Index>(held);
    const Index d = step_.w.size();
    CertificateProblem problem{
        step_.mass,          Matrix::Zero(count, d),      Matrix::Zero(count, d), coupled::Vector::Zero(count),
        given_.f - turning_, coupled::Vector::Zero(count)};
    Index p = 0;
    for (std::size_t k = 0; k < given_.persists.size(); ++k) {
      if (!given_.persists[k]) continue;
      problem.normals.row(p) = step_.blocks[k].rows.row(0);
      if (step_.blocks[k].rows.rows() > 1)
        problem.tangents.row(p) = step_.blocks[k].rows.row(1), problem.mu[p] = step_.blocks[k].mu;
      problem.turning[p++] = turning_of(scenario_, laws_.begin(), given_.v, given_.touching[k]);
    }
    solved_.certificates = find_certificates(problem);
  }

  // (O6), (O7) with v̄ = (v_{i-1} + v_i)/2
  void tell_balance() {
    Balance& balance = solved_.balance;
    const coupled::Vector mean = (solved_.v + given_.v) / 2;
    balance.work = given_.stretch.h * given_.f.dot(mean);
    for (std::size_t k = 0; k < step_.blocks.size(); ++k) {
      const double given = answer_.impulse[k].dot((answer_.u_before[k] + answer_.u[k]) / 2);
      balance.dissipated -= given;
      balance.drive_work += answer_.impulse[k].dot(step_.blocks[k].drive);
      if (step_.blocks[k].law == coupled::Law::contact) balance.gained += given;
    }
    balance.dissipated -= answer_.firm_impulse.dot(step_.firm_rows * mean - step_.firm_drive);
    balance.drive_work += answer_.firm_impulse.dot(step_.firm_drive);
  }

  std::size_t law_of(std::size_t bilateral) const {
    return static_cast<std::size_t>(scenario_.law_of_bilateral(bilateral));
  }

  const scenario::Scenario& scenario_;
  Present& present_;
  const Beginning& given_;
  LawsAtPlace laws_;
  std::vector<std::size_t> firm_, guides_;  // bilateral constraints without and with friction
  coupled::Step step_;
  coupled::Vector turning_;         // D of (B1)
  std::vector<Rows> contact_rows_;  // with sliding rows, also of contacts without friction
  std::vector<bool> persists_;      // by block, after the stretch (T)
  std::vector<bool> contacts_act_;  // by block, in its island (B2)
  std::vector<double> speed_;       // by block, of its island
  coupled::StepAnswer answer_;
  Solved solved_;
};

}  // namespace

StepJudgement judge_stretch(const scenario::Scenario& scenario, const std::vector<double>& parameters, Present& present,
                            const Beginning& beginning, const Claimed& claimed) {
  return StretchSolver(scenario, parameters, present, beginning).judge(claimed.v, claimed.accepted);
}

Solved solve_stretch(const scenario::Scenario& scenario, const std::vector<double>& parameters, Present& present,
                     const Beginning& beginning) {
  return StretchSolver(scenario, parameters, present, beginning).solve();
}

}  // namespace conesweep::executor::reference
