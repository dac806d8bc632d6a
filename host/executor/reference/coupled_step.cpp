#include "executor/reference/coupled_step.hpp"

#include <algorithm>
#include <cmath>

#include "executor/reference/guides.hpp"

namespace conesweep::executor::reference::coupled {
namespace {

constexpr double dependent = 1e-12;     // pivot ratio (B9)
constexpr double solved_to = 1e-12;     // of what velocities are sums of
constexpr double stopped = 1e-6;        // of what resistances can stop in a step
constexpr double no_load = 1e-14;       // of what velocities are sums of: a contact whose impulse makes less is open
constexpr double given_up = 1e-10;      // residual (B7)
constexpr double same_limit = 1e-12;    // sets that differ less are the same
constexpr int most_passes = 4;          // (B4)
constexpr double of_firm_rows = 1e-14;  // a row that keeps less of its length beside the firm rows lies in their span

/// The motions that firm rows leave free, in the kinetic metric. With M = L Lᵀ and L⁻¹Bᵀ = [Q1 Q2][R; 0],
///
///   (1)  v' = w - L⁻ᵀQ1 R⁻ᵀ(B w - c),   λ_N = -R⁻¹R⁻ᵀ(B w - c)                (B4), S = RᵀR
///   (2)  v  = v' + L⁻ᵀQ2 Σ Gᵀλ,  G = A L⁻ᵀQ2                                  G Gᵀ = Ã M⁻¹Ãᵀ
class FreeMotions {
 public:
  /// What cannot be: bad_mass, dependent_constraints.
  Verdict set_up(const Step& step) {
    const Index firm = step.firm_rows.rows();
    mass_ = Cholesky(step.mass);
    const Matrix& l = mass_.lower();
    if (!mass_.succeeded() || !l.allFinite() || !(l.diagonal().minCoeff() > 0)) return Verdict::bad_mass;
    if (firm > step.w.size()) return Verdict::dependent_constraints;
    const Matrix z = mass_.whiten(step.firm_rows.transpose());
    firm_ = OrthogonalFactors(z);
    for (Index f = 0; f < firm; ++f)
      if (firm_.is_dependent(z, f, dependent)) return Verdict::dependent_constraints;
    const Vector missed = firm_.solve_transposed(step.firm_rows * step.w - step.firm_drive);
    v_free_ = step.w - mass_.unweigh(firm_.made() * missed);
    firm_normal_ = -firm_.solve(missed);
    return Verdict::solved;
  }

  const Vector& velocity() const { return v_free_; }          // v'
  const Vector& firm_normal() const { return firm_normal_; }  // λ_N of w alone

  /// G of rows A.
  Matrix reduce(const Matrix& rows) const {
    const Matrix whitened = mass_.whiten(rows.transpose()).transpose();
    Matrix g = whitened * firm_.left_over();
    for (Index i = 0; i < g.rows(); ++i) {
      if (!(g.row(i).norm() > of_firm_rows * whitened.row(i).norm())) g.row(i).setZero();
    }
    return g;
  }

  Vector velocity_after(const Matrix& g, const Vector& impulse) const {
    return v_free_ + mass_.unweigh(firm_.left_over() * (g.transpose() * impulse));
  }

  /// λ_N - S⁻¹B M⁻¹Aᵀλ
  Vector firm_impulse(const Matrix& rows, const Vector& impulse) const {
    return firm_normal_ - firm_.solve(firm_.made().transpose() * mass_.whiten(rows.transpose()) * impulse);
  }

 private:
  Cholesky mass_;
  OrthogonalFactors firm_;  // of L⁻¹Bᵀ
  Vector v_free_, firm_normal_;
};

/// All rows of all blocks, and what a pass makes of them.
class Passes {
 public:
  Passes(const Step& step, const FreeMotions& motions)
      : blocks_(step.blocks), restitution_(step.restitution), speed_(speed_of(step)) {
    Index count = 0;
    for (const Block& block : blocks_) first_.push_back(count), count += block.rows.rows();
    rows_ = Matrix(count, step.w.size());
    Vector drive(count);
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      rows_.middleRows(first_[k], size(k)) = blocks_[k].rows;
      drive.segment(first_[k], size(k)) = blocks_[k].drive;
    }
    g_ = motions.reduce(rows_);
    w_ = g_ * g_.transpose();
    free_ = rows_ * motions.velocity() - drive;
    before_ = rows_ * step.v_before - drive;
  }

  std::vector<Block>& blocks() { return blocks_; }
  const Matrix& rows() const { return rows_; }
  const Matrix& reduced_rows() const { return g_; }
  const Vector& impulse() const { return impulse_; }
  Vector of_block(std::size_t k, const Vector& all) const { return all.segment(first_[k], size(k)); }
  const Vector& before() const { return before_; }

  /// What velocities are sums of; at least a millionth of what resistances and preloads could stop: what is far below
  /// that has come to rest.
  double speed() const {
    double most = speed_;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      for (const double end : {blocks_[k].low, blocks_[k].high})
        if (!is_contact(k) && std::isfinite(end))
          most =
              std::max(most, stopped * std::fabs(end) * g_.middleRows(first_[k], size(k)).rowwise().norm().maxCoeff());
      if (is_contact(k)) most = std::max(most, stopped * blocks_[k].preload * g_.row(first_[k]).norm());
    }
    return most;
  }
  Vector velocities() const { return free_ + w_ * impulse_; }
  bool is_contact(std::size_t k) const { return blocks_[k].law == Law::contact; }
  bool is_guide(std::size_t k) const { return blocks_[k].law == Law::guide; }

  Vector impulse_of_contacts(bool and_guides = false) const {
    Vector r = impulse_;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (!is_contact(k) && !(and_guides && is_guide(k))) r.segment(first_[k], size(k)).setZero();
    }
    return r;
  }

  Vector normals() const {
    Vector normal = Vector::Zero(static_cast<Index>(blocks_.size()));
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (is_contact(k) || is_guide(k)) normal[static_cast<Index>(k)] = impulse_.size() > 0 ? impulse_[first_[k]] : 0;
    }
    return normal;
  }

  /// (B2) with the sets as they are.
  void solve(StepAnswer& answer) {
    const auto count = static_cast<Index>(blocks_.size());
    impulse_ = Vector::Zero(free_.size());
    answer.mode.assign(blocks_.size(), Mode::flight);
    answer.residual = 0;
    answer.contact_acts = false;
    answer.u_without_contacts = Vector::Zero(count);

    // firm rows, guides and resistances alone
    solve_part(false, Vector::Zero(free_.size()), answer);
    const Vector alone = velocities();
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (!is_contact(k)) continue;
      answer.u_without_contacts[static_cast<Index>(k)] = alone[first_[k]];
      answer.contact_acts = answer.contact_acts || !(alone[first_[k]] >= 0) || blocks_[k].preload > 0;
    }
    if (!answer.contact_acts) return;

    // (H2) what presses an ordinary contact together from outside is then a part of what it pulls with
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      if (is_contact(k)) impulse_[first_[k]] -= blocks_[k].preload;

    // (i) the laws for u_n + e u_n⁻; Moreau's for u + e u⁻
    Vector added = Vector::Zero(free_.size());
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (!is_contact(k)) continue;
      const Index laws = restitution_ == Restitution::moreau ? size(k) : 1;
      added.segment(first_[k], laws) = blocks_[k].e * before_.segment(first_[k], laws);
    }
    solve_part(true, added, answer);

    // (ii) where a contact that was opening closes now: from there, without restitution
    const Vector after = velocities();
    const double rounding =
        solved_to * std::max({free_.lpNorm<Eigen::Infinity>(), before_.lpNorm<Eigen::Infinity>(), speed()});
    bool closes = false;
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      closes = closes || (is_contact(k) && added[first_[k]] > 0 && after[first_[k]] < -rounding);
    if (closes) solve_part(true, Vector::Zero(free_.size()), answer);
  }

  /// (O7) 1 - μ|W_nt|/W_nn of each contact: what friction takes off the way in which its normal impulse opens it.
  Vector painleve() const {
    Vector left = Vector::Ones(static_cast<Index>(blocks_.size()));
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (!is_contact(k) || size(k) < 2) continue;
      const Index n = first_[k];
      left[static_cast<Index>(k)] = 1 - blocks_[k].mu * w_.row(n).segment(n + 1, size(k) - 1).norm() / w_(n, n);
    }
    return left;
  }

  /// (B9) Are the rows of active contacts with friction dependent? Or is the load of a contact with friction open: does
  /// its normal row depend on those of others that are closed, rough or smooth, whether or not they were given an
  /// impulse, and on rows of resistances that stick? A guide with friction is as a contact that is always pressed, but
  /// what slides of it carries nothing by itself; what rests of it does.
  bool is_hyperstatic() const {
    std::vector<Index> active, rough, others;
    const Vector u = velocities();
    const double rounding = solved_to * std::max(free_.lpNorm<Eigen::Infinity>(), speed());
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      const Index n = first_[k];
      if (is_guide(k)) {
        const bool rubs = blocks_[k].mu > 0,
                   still = rubs && u.segment(n + 1, size(k) - 1).lpNorm<Eigen::Infinity>() <= rounding;
        (rubs ? rough : others).push_back(n);
        for (Index i = 1; i < (still ? size(k) : 1); ++i) others.push_back(n + i);
        for (Index i = 0; i < (still ? size(k) : 1) && rubs; ++i) active.push_back(n + i);
        continue;
      }
      if (!is_contact(k)) {
        const bool holds = blocks_[k].high > 0 || (blocks_[k].law == Law::interval && blocks_[k].low < 0);
        if (holds && u.segment(n, size(k)).lpNorm<Eigen::Infinity>() <= rounding)
          for (Index i = 0; i < size(k); ++i) others.push_back(n + i);
        continue;
      }
      const bool has_friction = size(k) > 1 && blocks_[k].mu > 0, pressed = impulse_[n] + blocks_[k].preload > 0;
      for (Index i = 0; i < size(k) && has_friction && pressed; ++i) active.push_back(n + i);
      const bool closed =
          pressed || std::fabs(u[n]) <= rounding || std::fabs(u[n] + blocks_[k].e * before_[n]) <= rounding;
      if (closed) (has_friction ? rough : others).push_back(n);
    }
    return depend_on({}, active) || depend_on(others, rough);
  }

  bool has_guides() const {
    return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.law == Law::guide; });
  }

  /// (G) Do guides bind a velocity twice, one another's or a firm row's?
  bool are_guides_dependent() const {
    std::vector<Index> normals;
    for (std::size_t k = 0; k < blocks_.size(); ++k)
      if (is_guide(k)) normals.push_back(first_[k]);
    return depend_on({}, normals);
  }

 private:
  Index size(std::size_t k) const { return blocks_[k].rows.rows(); }

  /// Does one of these rows depend on `given` and the ones before it?
  bool depend_on(const std::vector<Index>& given, const std::vector<Index>& rows) const {
    std::vector<Vector> directions;  // orthonormal
    const auto add = [&](Index row) {
      Vector left = g_.row(row).transpose();
      for (int pass = 0; pass < 2; ++pass)
        for (const Vector& direction : directions) left -= direction.dot(left) * direction;
      if (!(left.squaredNorm() > dependent * g_.row(row).squaredNorm())) return false;
      directions.push_back(left.normalized());
      return true;
    };
    for (const Index row : given) add(row);
    return !std::all_of(rows.begin(), rows.end(), add);
  }

  /// Finds impulses on top of what contacts have so far; `added` is the restitution's part of the velocities.
  /// Resistances are solved for the sum over all parts: what an earlier part left of Λ, Λ - λ, is Λ for the sum.
  void solve_part(bool with_contacts, const Vector& added, StepAnswer& answer) {
    std::vector<Index> taken;
    std::vector<std::size_t> which;
    Laws laws;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      if (is_contact(k) && !with_contacts) continue;
      const Block& block = blocks_[k];
      laws.parts.push_back({block.law, static_cast<Index>(taken.size()), size(k), block.low,
                            is_contact(k) || is_guide(k) ? block.mu : block.high});
      for (Index i = 0; i < size(k); ++i) taken.push_back(first_[k] + i);
      which.push_back(k);
    }
    if (which.empty()) return;
    laws.w = w_(taken, taken);
    laws.b = Vector(free_ + w_ * impulse_of_contacts() + added)(taken);
    laws.speed = speed();
    const Reactions found = find_reactions_with_guides(laws);
    answer.residual = std::max(answer.residual, found.residual);
    answer.pivots += found.pivots;
    for (std::size_t n = 0; n < which.size(); ++n) {
      const std::size_t k = which[n];
      Vector own = found.r.segment(laws.parts[n].first, size(k));
      const bool open = is_contact(k) && !(own[0] * g_.row(first_[k]).norm() > no_load * laws.speed);
      if (open) own.setZero();
      auto impulse = impulse_.segment(first_[k], size(k));
      impulse = is_contact(k) ? Vector(impulse + own) : own;
      if (found.mode[n] != Mode::flight && !open) answer.mode[k] = found.mode[n];
    }
  }

  std::vector<Block> blocks_;
  Restitution restitution_;
  double speed_;              // what velocities are sums of
  std::vector<Index> first_;  // row of a block
  Matrix rows_, g_, w_;       // A, G, W
  Vector free_, before_;      // A v' - c, u⁻
  Vector impulse_;
};

bool are_limits_good(const std::vector<Block>& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const Block& block) {
    if (block.law == Law::contact) return block.preload >= 0 && std::isfinite(block.preload);
    return has_friction_alone(block) || (block.high >= 0 && (block.law == Law::ball || block.low <= 0));
  });
}

void enter_limits(const Limits& limits, const Vector& firm_normal, const Vector& block_normal,
                  std::vector<Block>& blocks) {
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (!has_friction_alone(blocks[k])) limits(firm_normal, block_normal, k, blocks[k]);
}

bool is_same(double a, double b) { return a == b || std::fabs(a - b) <= same_limit * std::fabs(a); }

bool are_limits_same(const std::vector<Block>& some, const std::vector<Block>& others) {
  return std::equal(some.begin(), some.end(), others.begin(), [](const Block& a, const Block& b) {
    return has_friction_alone(a) || (is_same(a.low, b.low) && is_same(a.high, b.high));
  });
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::solved: return "solved";
    case Verdict::bad_mass: return "bad_mass";
    case Verdict::dependent_constraints: return "dependent_constraints";
    case Verdict::bad_limit: return "bad_limit";
    case Verdict::not_converged: return "not_converged";
  }
  return "";
}

double speed_of(const Step& step) {
  const Cholesky mass(step.mass);
  double speed = mass.weigh(step.v_before).norm();
  if (step.push.size() > 0 && step.push.allFinite()) speed += mass.whiten(step.push).norm();
  const auto see = [&](const Matrix& rows, const Vector& drive) {
    for (Index i = 0; i < rows.rows(); ++i) {
      const double length = mass.whiten(rows.row(i).transpose()).norm();
      if (drive[i] != 0 && length > 0) speed = std::max(speed, std::fabs(drive[i]) / length);
    }
  };
  see(step.firm_rows, step.firm_drive);
  for (const Block& block : step.blocks) see(block.rows, block.drive);
  return speed;
}

StepAnswer solve_step(const Step& step) {
  StepAnswer answer;
  FreeMotions motions;
  answer.verdict = motions.set_up(step);
  if (answer.verdict != Verdict::solved) return answer;
  answer.firm_normal = motions.firm_normal();

  // (B4) sets are frozen per pass
  Passes passes(step, motions);
  if (passes.are_guides_dependent()) {
    answer.verdict = Verdict::dependent_constraints;
    return answer;
  }
  for (int pass = 0; pass < (step.limits ? most_passes : 1); ++pass) {
    const std::vector<Block> before = passes.blocks();
    if (step.limits) enter_limits(step.limits, answer.firm_normal, passes.normals(), passes.blocks());
    if (!are_limits_good(passes.blocks())) {
      answer.verdict = Verdict::bad_limit;
      return answer;
    }
    if (pass > 0 && are_limits_same(before, passes.blocks())) break;
    passes.solve(answer);
    ++answer.passes;
    answer.firm_normal = motions.firm_impulse(passes.rows(), passes.impulse_of_contacts(true));
  }

  answer.blocks = passes.blocks();
  answer.v = motions.velocity_after(passes.reduced_rows(), passes.impulse());
  answer.firm_impulse = motions.firm_impulse(passes.rows(), passes.impulse());
  const Vector u = passes.velocities();
  for (std::size_t k = 0; k < passes.blocks().size(); ++k) {
    answer.impulse.push_back(passes.of_block(k, passes.impulse()));
    answer.u_before.push_back(passes.of_block(k, passes.before()));
    answer.u.push_back(passes.of_block(k, u));
  }
  answer.speed = passes.speed();
  answer.painleve = passes.painleve();
  answer.hyperstatic = (answer.contact_acts || passes.has_guides()) && passes.is_hyperstatic();
  if (!(answer.residual <= given_up)) answer.verdict = Verdict::not_converged;
  return answer;
}

}  // namespace conesweep::executor::reference::coupled
