#include "run/kept_digest.hpp"

#include <cmath>

#include "run/spread_run.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "tell/digest_summary.hpp"

namespace conesweep::runs {
namespace {

// The error that a goal is about, as a share of the mean or of all members.
double error_of(const keep::Digest& digest, const tell::DigestErrors& errors, const Goal& goal) {
  const keep::BlockSums total = digest.all().tree.total();
  if (goal.of_class) {
    const std::int64_t hits = total.codes[goal.observable];
    if (errors.plain()) return statistics::wilson_interval(hits, total.members).half_width();
    return statistics::wilson_interval(hits, total.members,
                                       errors.of_share(digest.all(), digest.shape(), goal.observable))
        .half_width();
  }
  const keep::ScaledMoments& column = total.columns[goal.observable];
  const auto n = static_cast<double>(column.sums.count);
  const double error = errors.plain() ? std::sqrt(column.sums.squares / (n - 1) / n) / column.factor
                                      : errors.of_mean(digest.all(), digest.shape(), goal.observable);
  return error / std::fabs(column.sums.mean / column.factor);
}

// The mean of a quantity so far: of an observable, or of the marks 0 and 1 of a class.
statistics::Moments moments_of(const keep::Digest& digest, const Quantity& quantity) {
  const keep::BlockSums total = digest.all().tree.total();
  if (total.members == 0) return {};
  if (quantity.of_class) {
    const double n = static_cast<double>(total.members), share = total.share(quantity.number);
    statistics::Moments sums;
    sums.count = static_cast<long>(total.members);
    sums.mean = share;
    sums.squares = n * share * (1 - share);
    return sums;
  }
  const keep::ScaledMoments& column = total.columns[quantity.number];
  statistics::Moments sums = column.sums;
  sums.mean /= column.factor;
  sums.min = column.min, sums.max = column.max;
  sums.squares = sums.squares / column.factor / column.factor;
  return sums;
}

}  // namespace

KeptDigest::KeptDigest(KeptColumns& columns, int threads, bool grows)
    : columns_(columns),
      store_(columns.data().scenario, threads, columns.chunks().digest_file(), columns.chunks().run()) {
  if (!grows && begun_members() > columns.data().scenario.ensemble.members)
    throw InputError("the unfinished run in " + columns.chunks().digest_file().parent_path().parent_path().string() +
                     " was begun with " + counted(begun_members(), "member") +
                     ", and their statistics cannot be taken apart; ask for as many, or start over with " +
                     setting::force);
}

std::vector<Gap> KeptDigest::fit() {
  run_.reset();  // it was of fewer members
  columns_.chunks().fit(columns_.data().scenario.ensemble.members);
  store_.digests().fit();
  if (!columns_.chunks().used().empty()) {
    if (members() == 0) store_.take(columns_.chunks());
    store_.save();
    columns_.chunks().remove_columns();
  }
  std::vector<Gap> gaps;
  for (const io::MemberRange& range : store_.digests().missing()) gaps.push_back({range});
  return gaps;
}

void KeptDigest::add(io::ChunkResults part, double seconds) {
  store_.digests().add(part, seconds);
  store_.save_in_time();
}

std::int64_t KeptDigest::take(ChunkReport report, RunningMean* watched) {
  keep::Digests more = keep::Digests::unpack(columns_.data().scenario, 1, report.bytes);
  const std::int64_t members = more.members();
  if (watched != nullptr) watched->add(members, moments_of(more.total(), watched->quantity()));
  store_.digests().add(std::move(more));
  store_.save_in_time();
  return members;
}

void KeptDigest::show(RunningMean& watched) const {
  if (members() > 0) watched.add(members(), moments_of(store_.digests().total(), watched.quantity()));
}

std::int64_t KeptDigest::save() {
  columns_.save();
  try {
    store_.save();
  } catch (const SystemError&) {
    // what was saved before is there
  }
  return store_.saved_members();
}

const keep::StoredRun& KeptDigest::data() const {
  if (!run_) return columns_.data();  // what it is of, before members are there
  return *run_;
}

std::vector<double> KeptDigest::errors(const std::vector<Goal>& goals, const tell::Draws&, statistics::Engine&) const {
  const tell::DigestErrors of(run_->scenario);
  std::vector<double> errors;
  for (const Goal& goal : goals) errors.push_back(error_of(run_->digest(), of, goal));
  return errors;
}

tell::Summary KeptDigest::sum_up(const tell::Draws&, statistics::Engine&) const {
  return tell::summarise(*run_, run_->digest());
}

keep::SomeMembers KeptDigest::spread(const executor::Model& model, const executor::Watch& watch) const {
  auto varied = draw_spread(run_->scenario);
  executor::Outcome at_h = run_spread(run_->scenario, 0, varied, model, watch);
  return {std::move(varied), std::move(at_h)};
}

}  // namespace conesweep::runs
