#include "tell/coherence.hpp"

#include <algorithm>
#include <iterator>

namespace conesweep::tell {
namespace {

constexpr std::size_t levels = std::size(statistics::quantile_levels);

bool fits(const statistics::Summary& s) {
  const auto& [edges, counts] = s.histogram;
  return s.count >= 0 && s.quantiles.size() == levels && edges.size() == counts.size() + (counts.empty() ? 0 : 1);
}

bool fits(const TrackSummary& track, std::size_t times) {
  return track.mean.size() == times && track.standard_deviation.size() == times &&
         track.quantiles.size() == levels * times;
}

// every axis has values; whether all points are there is known to who reads them
bool fits(const SweepSummary& sweep) {
  return sweep.members >= 0 &&
         std::none_of(sweep.axes.begin(), sweep.axes.end(), [](const auto& axis) { return axis.second.empty(); });
}

bool fits(const Design& design, const Summary& summary) {
  if (design.method.empty()) return design.members_a_group == 1 && summary.rows.empty();
  return design.members_a_group >= 1 && !summary.parameters.empty();
}

}  // namespace

bool is_coherent(const Summary& summary) {
  return summary.members >= 0 &&
         std::all_of(summary.status.begin(), summary.status.end(),
                     [](const StatusCount& one) { return one.members >= 0; }) &&
         std::all_of(summary.observables.begin(), summary.observables.end(),
                     [](const auto& one) { return fits(one.second); }) &&
         fits(summary.sweep) &&
         std::all_of(summary.tracks.begin(), summary.tracks.end(),
                     [&](const TrackSummary& track) { return fits(track, summary.times.size()); }) &&
         fits(summary.design, summary);
}

}  // namespace conesweep::tell
