#include "executor/reference/islands.hpp"

#include <algorithm>
#include <cmath>

namespace conesweep::executor::reference::coupled {
namespace {

constexpr double at_rest = 1e-12;  // of what velocities are sums of

/// The sets of an island's resistances follow from its own normal impulses; those of others are as if there were none.
Limits take_limits(const Step& step, const Island& island) {
  if (!step.limits) return {};
  return [&step, &island](const Vector& firm, const Vector& normals, std::size_t k, Block& block) {
    Vector all_firm = Vector::Zero(step.firm_drive.size()),
           all_normals = Vector::Zero(static_cast<Index>(step.blocks.size()));
    all_firm(island.firm_rows) = firm;
    all_normals(std::vector<Index>(island.blocks.begin(), island.blocks.end())) = normals;
    step.limits(all_firm, all_normals, island.blocks[k], block);
  };
}

Step take_island(const Step& step, const Island& island) {
  Step own;
  own.mass = step.mass(island.coordinates, island.coordinates);
  own.w = step.w(island.coordinates);
  own.v_before = step.v_before(island.coordinates);
  if (step.push.size() > 0) own.push = step.push(island.coordinates);
  own.firm_rows = step.firm_rows(island.firm_rows, island.coordinates);
  own.firm_drive = step.firm_drive(island.firm_rows);
  own.restitution = step.restitution;
  own.limits = take_limits(step, island);
  for (const std::size_t k : island.blocks) {
    own.blocks.push_back(step.blocks[k]);
    own.blocks.back().rows = step.blocks[k].rows(Eigen::all, island.coordinates);
  }
  return own;
}

/// Which rows of a block its law holds at 0, where they rest: all of a resistance that has a set, the normal one of a
/// contact that is pressed and of a guide, their tangents where friction makes them stick.
std::vector<Index> find_held_rows(const StepAnswer& answer, std::size_t k) {
  const Block& block = answer.blocks[k];
  const bool sticks = answer.mode[k] == Mode::stick, rubs = block.mu > 0;
  std::vector<Index> held;
  if (!has_friction_alone(block)) {
    const bool holds = block.high > 0 || (block.law == Law::interval && block.low < 0);
    for (Index i = 0; i < block.rows.rows() && holds && sticks; ++i) held.push_back(i);
    return held;
  }
  if (block.law == Law::contact && !(block.pressed(answer.impulse[k]) > 0)) return held;
  for (Index i = 0; i < (sticks && rubs ? block.rows.rows() : 1); ++i) held.push_back(i);
  return held;
}

/// Rounding aside: u = A v - c of a row that rests is 0, and v is c over the row's entry where it has only one.
void rest_exactly(const Step& step, StepAnswer& answer) {
  if (answer.blocks.size() != 1 || step.firm_drive.size() > 0) return;
  const Block& block = answer.blocks[0];
  const Cholesky mass(step.mass);
  for (const Index i : find_held_rows(answer, 0)) {
    const Vector row = block.rows.row(i);
    if ((row.array() != 0).count() != 1) continue;
    if (!(std::fabs(answer.u[0][i]) <= at_rest * answer.speed * mass.whiten(row).norm())) continue;
    Index at = 0;
    row.cwiseAbs().maxCoeff(&at);
    answer.v[at] = block.drive[i] / row[at];
    answer.u[0][i] = 0;
  }
}

/// Before any island is solved: all moves on with w.
IslandsAnswer without_islands(const Step& step, const std::vector<bool>& persists) {
  const std::size_t blocks = step.blocks.size();
  IslandsAnswer all{persists, {}, std::vector<bool>(blocks, false), std::vector<double>(blocks, 0)};
  StepAnswer& answer = all.answer;
  answer.blocks = step.blocks;
  answer.v = step.w;
  answer.impulse.resize(blocks), answer.u_before.resize(blocks), answer.u.resize(blocks);
  answer.mode.assign(blocks, Mode::flight);
  answer.u_without_contacts = answer.painleve = Vector::Zero(static_cast<Index>(blocks));
  answer.firm_normal = answer.firm_impulse = Vector::Zero(step.firm_drive.size());
  return all;
}

void put_island(const Island& island, const PersistentAnswer& own, IslandsAnswer& all) {
  StepAnswer& answer = all.answer;
  const StepAnswer& found = own.answer;
  answer.hyperstatic = answer.hyperstatic || found.hyperstatic;
  answer.contact_acts = answer.contact_acts || found.contact_acts;
  answer.passes = std::max(answer.passes, found.passes);
  answer.pivots += found.pivots;
  answer.residual = std::max(answer.residual, found.residual);
  answer.speed = std::max(answer.speed, found.speed);
  answer.v(island.coordinates) = found.v;
  answer.firm_normal(island.firm_rows) = found.firm_normal;
  answer.firm_impulse(island.firm_rows) = found.firm_impulse;
  for (std::size_t n = 0; n < island.blocks.size(); ++n) {
    const std::size_t k = island.blocks[n];
    const auto at = static_cast<Index>(k), of_own = static_cast<Index>(n);
    if (k < all.persists.size()) all.persists[k] = own.persists[n];
    all.contacts_act[k] = found.contact_acts;
    all.speed[k] = found.speed;
    answer.blocks[k].low = found.blocks[n].low, answer.blocks[k].high = found.blocks[n].high;
    answer.impulse[k] = found.impulse[n];
    answer.u_before[k] = found.u_before[n], answer.u[k] = found.u[n];
    answer.mode[k] = found.mode[n];
    answer.u_without_contacts[at] = found.u_without_contacts[of_own];
    answer.painleve[at] = found.painleve[of_own];
  }
}

/// The first that fails is told; constraints that say the same before all others, since they are found before any law.
void keep_verdict(Verdict own, Verdict& all) {
  if (all == Verdict::solved || own == Verdict::dependent_constraints) all = own;
}

}  // namespace

IslandsAnswer solve_islands(const Step& step, const std::vector<Island>& islands, const std::vector<bool>& persists,
                            bool lenient) {
  IslandsAnswer all = without_islands(step, persists);
  for (const Island& island : islands) {
    const Step own = take_island(step, island);
    std::vector<bool> held;
    for (const std::size_t k : island.blocks) held.push_back(k < persists.size() && persists[k]);
    PersistentAnswer found = solve_persistent_step(own, held, lenient);
    const Verdict verdict = found.answer.verdict;
    if (verdict != Verdict::solved) keep_verdict(verdict, all.answer.verdict);
    if (verdict != Verdict::solved && verdict != Verdict::not_converged) continue;
    rest_exactly(own, found.answer);
    put_island(island, found, all);
  }
  return all;
}

}  // namespace conesweep::executor::reference::coupled
