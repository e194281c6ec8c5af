// SPDX-License-Identifier: MIT
#include "rnn/lane_ranges.hpp"

#include <iterator>

namespace maskflow {
namespace {

// Time that a step takes longer with one lane more, by the number of lanes before, in hundredths of
// the time of four lanes: products compute four, two or one together.
constexpr std::uint64_t kTimes[] = {45, 15, 40, 0};

// Lanes that products compute together.
constexpr std::size_t kTileLanes = 4;

// Ranges for each thread, if there are as many. A thread whose core is quicker, or has no other
// work, takes more of them.
constexpr std::size_t kRangesPerThread = 4;

// Most weights that a core reads from its own cache in each step, as the multiply-adds of a row.
// Each range reads all of them, so larger weights are read for as many lanes as possible.
constexpr kernels::Work kCachedWeights = 200'000;

// Returns the number of kept steps of each lane.
std::vector<std::size_t> lengths_of(const SequencePlan& plan) {
  std::vector<std::size_t> lengths(at(plan.batch), 0);
  for (std::size_t step = 0; step < plan.lanes.size(); ++step) {
    const std::size_t next = step + 1 < plan.lanes.size() ? at(plan.lanes[step + 1]) : 0;
    for (std::size_t lane = next; lane < at(plan.lanes[step]); ++lane) lengths[lane] = step + 1;
  }
  return lengths;
}

// Returns ranges of which each takes at most this time, if its first lane alone does.
std::vector<LaneRange> ranges_within(const std::vector<std::size_t>& lengths, std::size_t lanes,
                                     std::uint64_t limit) {
  std::vector<LaneRange> ranges;
  std::uint64_t time = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t before = ranges.empty() ? 0 : lane - ranges.back().first;
    time += lengths[lane] * kTimes[before % std::size(kTimes)];
    if (ranges.empty() || time > limit) {
      ranges.push_back({lane, lane});
      time = lengths[lane] * kTimes[0];
    }
    ranges.back().end = lane + 1;
  }
  return ranges;
}

// Returns at most `members` ranges, of which the longest takes about as little time as possible.
std::vector<LaneRange> balanced(const SequencePlan& plan, std::size_t members) {
  const std::vector<std::size_t> lengths = lengths_of(plan);
  const std::size_t lanes = at(plan.lanes.front());
  std::uint64_t low = 0;
  std::uint64_t high = 0;  // always suffices
  for (std::size_t lane = 0; lane < lanes; ++lane) high += lengths[lane] * kTimes[0];
  const std::uint64_t precision = high / 128 + 1;
  while (high - low > precision) {
    const std::uint64_t middle = low + (high - low) / 2;
    (ranges_within(lengths, lanes, middle).size() <= members ? high : low) = middle;
  }
  return ranges_within(lengths, lanes, high);
}

// Returns ranges of whole tiles, the longest first, or none if threads would get fewer than two.
std::vector<LaneRange> tiled(std::size_t lanes, std::size_t members) {
  std::vector<LaneRange> ranges;
  const std::size_t tiles = (lanes + kTileLanes - 1) / kTileLanes;
  if (tiles < 2 * members) return ranges;
  const std::size_t count = std::min(tiles, kRangesPerThread * members);
  for (std::size_t i = 0; i < count; ++i) {
    ranges.push_back(
        {tiles * i / count * kTileLanes, std::min(tiles * (i + 1) / count * kTileLanes, lanes)});
  }
  return ranges;
}

}  // namespace

std::vector<LaneRange> lane_ranges(const SequencePlan& plan, kernels::Work multiply_adds) {
  const auto members = static_cast<std::size_t>(kernels::team_size());
  const kernels::Work work = at(plan.rows()) * multiply_adds;
  if (plan.lanes.size() < 2 || plan.lanes.front() < 2 || !kernels::is_region(work)) {
    return {{0, at(plan.batch)}};
  }
  const std::size_t lanes = at(plan.lanes.front());
  if (multiply_adds <= kCachedWeights) {
    std::vector<LaneRange> ranges = tiled(lanes, members);
    if (!ranges.empty()) return ranges;
  }
  return balanced(plan, std::min(members, lanes));
}

}  // namespace maskflow
